import type { ZoneFileFault } from '@fairway/contract'
import { readEntries, type Token } from './entries.ts'
import {
  algorithm,
  base64,
  digest,
  eui,
  hex,
  hexBytes,
  hexText,
  identifier,
  ipv4,
  ipv6,
  name,
  period,
  string,
  strings,
  tag,
  text,
  u16,
  u32,
  u8,
  type Field,
} from './fields.ts'
import { location } from './location.ts'
import type { Labels } from './name-text.ts'
import { RdataBytes } from './rdata-bytes.ts'
import { RdataTokens } from './rdata-tokens.ts'
import { serviceParameters } from './service-parameters.ts'

/** The fields of every type that is understood. */
const LAYOUTS: Readonly<Record<string, readonly Field[]>> = {
  A: [ipv4],
  NS: [name],
  CNAME: [name],
  SOA: [name, name, u32, period, period, period, period],
  PTR: [name],
  MX: [u16, name],
  TXT: [strings],
  AAAA: [ipv6],
  SRV: [u16, u16, u16, name],
  NAPTR: [u16, u16, string, string, string, name],
  DNAME: [name],
  HINFO: [string, string],
  RP: [name, name],
  AFSDB: [u16, name],
  RT: [u16, name],
  KX: [u16, name],
  SPF: [strings],
  X25: [string],
  PX: [u16, name, name],
  GPOS: [string, string, string],
  LOC: [location],
  DHCID: [base64],
  NINFO: [strings],
  AVC: [strings],
  NID: [u16, identifier],
  L32: [u16, ipv4],
  L64: [u16, identifier],
  LP: [u16, name],
  EUI48: [eui(6)],
  EUI64: [eui(8)],
  URI: [u16, u16, text],
  SMIMEA: [u8, u8, u8, hex],
  OPENPGPKEY: [base64],
  CERT: [u16, u16, algorithm, base64],
  DS: [u16, algorithm, digest({ 1: 20, 2: 32, 3: 32, 4: 48 })],
  SSHFP: [u8, digest({ 1: 20, 2: 32 })],
  TLSA: [u8, u8, u8, hex],
  DNSKEY: [u16, u8, algorithm, base64],
  CDS: [u16, algorithm, digest({ 0: 1, 1: 20, 2: 32, 3: 32, 4: 48 })],
  CDNSKEY: [u16, u8, algorithm, base64],
  CAA: [u8, tag, text],
  ALIAS: [name],
  SVCB: [u16, name, serviceParameters],
  HTTPS: [u16, name, serviceParameters],
}

const RDATA_BYTES = 65_535

/** Any rdata in the form of a type that is not understood (RFC 3597 5). */
export const genericRdata = (bytes: readonly number[]): string =>
  `\\# ${bytes.length}${bytes.length === 0 ? '' : ` ${hexText(bytes)}`}`

/** Whether rdata of this type is understood, so that it has one form; that of others is kept as it was written. */
export const isUnderstood = (type: string): boolean => Object.hasOwn(LAYOUTS, type)

/**
 * The one presentation form of an rdata: names absolute and in lower case, strings in quotes, numbers plain. Any type
 * may be written generically,
 * `\# length hexadecimal` (RFC 3597 5), and one without a mnemonic has to be.
 */
export function readRdata(
  type: string,
  tokens: readonly Token[],
  origin: Labels,
): { rdata: string } | { fault: ZoneFileFault; token: Token | null } {
  const from = new RdataTokens(tokens, origin)
  if (tokens[0]?.text === '\\#' && !tokens[0].quoted) return readGeneric(type, from)
  const layout = LAYOUTS[type]
  if (layout === undefined) return readOpaque(type, tokens)
  const bytes = readLayout(layout, from)
  return from.fault ?? { rdata: writeRdata(type, bytes) ?? '' }
}

function readLayout(layout: readonly Field[], from: RdataTokens): number[] {
  const bytes: number[] = []
  for (const field of layout) field.read(from, bytes)
  from.end()
  if (from.fault === null && bytes.length > RDATA_BYTES) from.fail('longData')
  return bytes
}

/**
 * Wire form of rdata in presentation form, in which all names are absolute; null when it does not fit the type. A type
 * that is not understood has to be in the generic form.
 */
export function rdataBytes(type: string, value: string): Uint8Array<ArrayBuffer> | null {
  const generic = /^\\# (\d+)(?: ([0-9A-Fa-f ]*))?$/.exec(value)
  if (generic) {
    const bytes = hexBytes((generic[2] ?? '').replaceAll(' ', ''))
    return bytes?.length === Number(generic[1]) ? Uint8Array.from(bytes) : null
  }
  const layout = LAYOUTS[type]
  const tokens = tokensOf(value)
  if (layout === undefined || tokens === null) return null
  const from = new RdataTokens(tokens, [])
  const bytes = readLayout(layout, from)
  return from.fault === null ? Uint8Array.from(bytes) : null
}

/** Presentation form of rdata on the wire; null when the bytes do not fit the type. */
export function writeRdata(type: string, bytes: readonly number[]): string | null {
  const layout = LAYOUTS[type]
  if (layout === undefined) return genericRdata(bytes)
  const from = new RdataBytes(bytes)
  const written = layout
    .map((field) => field.write(from))
    .filter((part) => part !== '')
    .join(' ')
  return from.malformed || from.hasMore() ? null : written
}

/** The one form of rdata written by itself, in which all names are absolute; null when it does not fit the type. */
export function rdataOfText(type: string, value: string): string | null {
  const tokens = tokensOf(value)
  const read = tokens === null ? null : readRdata(type, tokens, [])
  return read !== null && 'rdata' in read ? read.rdata : null
}

/** Null for more than one line, and for a comment: who writes a semicolon into a field means it. */
function tokensOf(value: string): Token[] | null {
  let isMalformed = /[\r\n]/.test(value)
  const [entry] = readEntries(value, () => void (isMalformed = true))
  const last = entry?.tokens.at(-1)
  if (isMalformed || entry === undefined || last === undefined) return null
  return last.column - 1 + last.text.length + (last.quoted ? 2 : 0) === value.trimEnd().length ? entry.tokens : null
}

function readGeneric(type: string, from: RdataTokens): ReturnType<typeof readRdata> {
  from.word()
  const length = from.number(RDATA_BYTES)
  const bytes = from.hasMore() ? hexBytes(from.rest()) : []
  if (from.fault !== null) return from.fault
  const rdata = bytes?.length === length ? writeRdata(type, bytes) : null
  if (rdata === null) from.fail('badGeneric')
  return from.fault ?? { rdata: rdata ?? '' }
}

function readOpaque(type: string, tokens: readonly Token[]): ReturnType<typeof readRdata> {
  if (type.startsWith('TYPE')) return { fault: 'badGeneric', token: tokens[0] ?? null }
  if (tokens.length === 0) return { fault: 'missingField', token: null }
  return { rdata: tokens.map(({ text, quoted }) => (quoted ? `"${text}"` : text)).join(' ') }
}
