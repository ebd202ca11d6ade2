import { parseAddress, readIpv6 } from '../../steering/cidr.ts'
import { canonicalIpv6 } from '../addresses.ts'
import { escapeBytes, unescapeText } from './escapes.ts'
import { base64Bytes, type Field } from './fields.ts'
import { RdataBytes } from './rdata-bytes.ts'

/** How the value of one key is read (null: it does not fit) and written (null: it has none). */
type Parameter = { read: (value: readonly number[]) => number[] | null; write: (from: RdataBytes) => string | null }

const KEYS = [
  'mandatory',
  'alpn',
  'no-default-alpn',
  'port',
  'ipv4hint',
  'ech',
  'ipv6hint',
  'dohpath',
  'ohttp',
] as const
const MANDATORY = 0,
  ALPN = 1,
  NO_DEFAULT_ALPN = 2

const flag: Parameter = { read: (value) => (value.length === 0 ? [] : null), write: () => null }
const opaque: Parameter = { read: (value) => [...value], write: (from) => (from.hasMore() ? quote(from.rest()) : null) }

const PARAMETERS: readonly Parameter[] = [
  {
    read(value) {
      const codes = textOf(value)
        .split(',')
        .map(keyCode)
        .sort((a, b) => a - b)
      const isWrong = codes.some((code, index) => code <= MANDATORY || code === codes[index - 1])
      return isWrong ? null : codes.flatMap(twoBytes)
    },
    write: (from) => list(from, () => keyName(from.number(2))),
  },
  {
    read(value) {
      const items = splitList(value)
      return items?.every((item) => item.length > 0 && item.length < 256)
        ? items.flatMap((item) => [item.length, ...item])
        : null
    },
    write(from) {
      const bytes: number[] = []
      do {
        if (bytes.length > 0) bytes.push(44)
        // A comma and a backslash inside an item are escaped before the text is (RFC 9460 A.1).
        for (const byte of from.string()) bytes.push(...(byte === 44 || byte === 92 ? [92, byte] : [byte]))
      } while (from.hasMore())
      return quote(bytes)
    },
  },
  flag,
  {
    read: (value) =>
      /^\d{1,5}$/.test(textOf(value)) && Number(textOf(value)) < 65_536 ? twoBytes(Number(textOf(value))) : null,
    write: (from) => String(from.number(2)),
  },
  {
    read: (value) =>
      flatOrNull(textOf(value).split(','), (text) =>
        text.includes(':') ? null : (parseAddress(text)?.words.flatMap(fourBytes) ?? null),
      ),
    write: (from) => list(from, () => from.take(4).join('.')),
  },
  {
    read: (value) => base64Bytes(textOf(value)),
    write: (from) => btoa(String.fromCharCode(...from.rest())),
  },
  {
    read: (value) => flatOrNull(textOf(value).split(','), (text) => readIpv6(text)?.flatMap(fourBytes) ?? null),
    write: (from) =>
      list(from, () => canonicalIpv6(Array.from({ length: 8 }, () => from.number(2).toString(16)).join(':'))),
  },
  opaque,
  flag,
]

/** Parameters of SVCB and HTTPS (RFC 9460 2.1): sorted by key, each key once, and those that are mandatory present. */
export const serviceParameters: Field = {
  read(from, to) {
    const values = new Map<number, number[]>()
    while (from.hasMore()) {
      const [, name = '', sign = '', rest = ''] = /^([^=]*)(=?)(.*)$/s.exec(from.word()) ?? []
      const value = unescapeText(sign === '=' && rest === '' && from.isGlued() ? from.quoted() : rest)
      const code = keyCode(name)
      const bytes = value === null || code < 0 || values.has(code) ? null : readValue(name, code, value)
      if (bytes === null || bytes.length > 65_535) return from.fail('badParameter')
      values.set(code, bytes)
    }
    if (!isConsistent(values)) from.fail('badParameter')
    for (const [code, bytes] of [...values].sort(([a], [b]) => a - b)) {
      for (const byte of [...twoBytes(code), ...twoBytes(bytes.length)]) to.push(byte)
      for (const byte of bytes) to.push(byte)
    }
  },
  write(from) {
    const written: string[] = []
    const values = new Map<number, number[]>()
    while (from.hasMore()) {
      const code = from.number(2)
      const bytes = from.take(from.number(2))
      const value = new RdataBytes(bytes)
      const text = (PARAMETERS[code] ?? opaque).write(value)
      if (value.malformed || value.hasMore() || code <= Math.max(...values.keys(), -1)) from.malformed = true
      values.set(code, [...bytes])
      written.push(`${keyName(code)}${text === null ? '' : `=${text}`}`)
    }
    if (!isConsistent(values)) from.malformed = true
    return written.join(' ')
  },
}

/** After `keyNNNNN` stand the bytes on the wire, whether the key has a name or not. */
function readValue(name: string, code: number, value: readonly number[]): number[] | null {
  if (name === KEYS[code]) return PARAMETERS[code]?.read(value) ?? null
  const from = new RdataBytes(value)
  PARAMETERS[code]?.write(from)
  return PARAMETERS[code] !== undefined && (from.malformed || from.hasMore()) ? null : [...value]
}

function isConsistent(values: ReadonlyMap<number, readonly number[]>): boolean {
  const mandatory = values.get(MANDATORY) ?? []
  const isThere = (index: number) =>
    index % 2 === 1 || values.has((mandatory[index] ?? 0) * 256 + (mandatory[index + 1] ?? 0))
  return mandatory.every((_, index) => isThere(index)) && (!values.has(NO_DEFAULT_ALPN) || values.has(ALPN))
}

/** Number of a key, -1 for a word that is none; 65535 is reserved. */
function keyCode(name: string): number {
  const known = KEYS.findIndex((key) => key === name)
  if (known >= 0) return known
  const digits = /^key(0|[1-9]\d{0,4})$/.exec(name)?.[1]
  return digits !== undefined && Number(digits) < 65_535 ? Number(digits) : -1
}

const keyName = (code: number): string => KEYS[code] ?? `key${code}`
const twoBytes = (number: number): number[] => [number >> 8, number & 255]
const fourBytes = (word: number): number[] => [...twoBytes(word >>> 16), ...twoBytes(word & 0xffff)]
const textOf = (bytes: readonly number[]): string => String.fromCharCode(...bytes.slice(0, 4096))
const quote = (bytes: readonly number[]): string => `"${escapeBytes(bytes, '"\\')}"`

function list(from: RdataBytes, one: () => string): string {
  const items: string[] = []
  do items.push(one())
  while (from.hasMore())
  return items.join(',')
}

function flatOrNull(texts: readonly string[], read: (text: string) => number[] | null): number[] | null {
  const all: number[] = []
  for (const text of texts) {
    const bytes = read(text)
    if (bytes === null) return null
    all.push(...bytes)
  }
  return all
}

/** Items parted by commas, where a backslash takes the next byte as it is. */
function splitList(bytes: readonly number[]): number[][] | null {
  const items: number[][] = [[]]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === 44) items.push([])
    else if (byte !== 92) items.at(-1)?.push(byte)
    else if (++at < bytes.length) items.at(-1)?.push(bytes[at] ?? 0)
    else return null
  }
  return items
}
