import * as fc from 'fast-check'
import { canonicalIpv6 } from '../addresses.ts'
import { escapeBytes } from '../rdata/escapes.ts'
import { nameText, type Labels } from '../rdata/name-text.ts'
import type { ZoneFileRecord } from './read-zone-file.ts'

// Random zones with their records known beforehand, and the many ways in which people write them down.

export const ORIGIN = 'example.com'
const ORIGIN_LABELS = ORIGIN.split('.').map((label) => [...new TextEncoder().encode(label)])

/**
 * A record as it must be read, with what the writer needs to write it in another way: the labels of its names, and its
 * rdata as parts.
 */
type Sample = { owner: Labels; type: string; parts: Part[]; ttlSeconds: number }
type Part = { kind: 'word'; text: string } | { kind: 'name'; labels: Labels } | { kind: 'string'; bytes: number[] }

const word = (text: string | number): Part => ({ kind: 'word', text: String(text) })
const words = (...texts: (string | number)[]): Part[] => texts.map(word)
const bytesOf = (text: string): number[] => [...new TextEncoder().encode(text)]

const plainLabel = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}[a-z0-9]$/).map(bytesOf)
/** Rarely any bytes at all: RFC 1035 allows them. */
const label = fc.oneof(
  { weight: 12, arbitrary: plainLabel },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('_dmarc', '_sip', '_tcp', '1', 'a.b', 'x y', '"q"', '(p)', '@', '$v', ';', '\\')
      .map(bytesOf),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.nat(255), { minLength: 1, maxLength: 6 })
      .map((bytes) => bytes.map((byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte))),
  },
)
const below = fc.array(label, { minLength: 1, maxLength: 3 })
const owners: fc.Arbitrary<Labels> = below.map((labels) => [...labels, ...ORIGIN_LABELS])
const targets: fc.Arbitrary<Labels> = fc.oneof(
  owners,
  fc.array(plainLabel, { minLength: 1, maxLength: 3 }).map((labels) => [...labels, bytesOf('example'), bytesOf('net')]),
)
const target = targets.map((labels): Part => ({ kind: 'name', labels }))
const u16 = fc.nat(65_535)
const u8 = fc.nat(255)
const hexOf = (length: number) =>
  fc.array(u8, { minLength: length, maxLength: length }).map((bytes) =>
    bytes
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
      .toUpperCase(),
  )
const string = (maxLength: number): fc.Arbitrary<Part> =>
  fc
    .oneof(fc.stringMatching(/^[ -~]{0,40}$/).map(bytesOf), fc.array(u8, { maxLength }))
    .map((bytes): Part => ({ kind: 'string', bytes }))

const rdata: Record<string, fc.Arbitrary<Part[]>> = {
  A: fc.ipV4().map((text) => words(text)),
  AAAA: fc
    .array(fc.oneof(fc.constant(0), u16), { minLength: 8, maxLength: 8 })
    .map((groups) => words(canonicalIpv6(groups.map((group) => group.toString(16)).join(':')))),
  MX: fc.tuple(u16, target).map(([preference, host]) => [word(preference), host]),
  TXT: fc.array(string(255), { minLength: 1, maxLength: 4 }),
  SRV: fc
    .tuple(u16, u16, u16, target)
    .map(([priority, weight, port, host]) => [...words(priority, weight, port), host]),
  CAA: fc.oneof(
    fc
      .constantFrom('issue', 'issuewild')
      .map((tag) => [...words(0, tag), { kind: 'string' as const, bytes: bytesOf('ca.example.net; a=b') }]),
    fc
      .tuple(fc.constantFrom(0, 128), fc.constantFrom('issue', 'issuewild', 'iodef'), string(255))
      .map(([flags, tag, value]) => [...words(flags, tag), value]),
  ),
  PTR: target.map((host) => [host]),
  DS: fc
    .tuple(u16, fc.constantFrom(8, 13, 15), hexOf(32))
    .map(([tag, algorithm, digest]) => words(tag, algorithm, 2, digest)),
  TLSA: fc.tuple(fc.nat(3), fc.nat(1), hexOf(32)).map(([usage, selector, data]) => words(usage, selector, 1, data)),
  SSHFP: fc.tuple(fc.nat(4), hexOf(32)).map(([algorithm, print]) => words(algorithm, 2, print)),
  NAPTR: fc
    .tuple(u16, u16, fc.constantFrom('S', 'A', 'U', ''), fc.constantFrom('SIP+D2U', 'E2U+sip', ''), target)
    .map(([order, preference, flags, service, host]) => [
      ...words(order, preference),
      ...[flags, service, ''].map((text): Part => ({ kind: 'string', bytes: bytesOf(text) })),
      host,
    ]),
  HTTPS: fc
    .tuple(
      fc.nat(9),
      target,
      fc.subarray([
        'alpn="h2,h3"',
        'port=8443',
        'ipv4hint=192.0.2.1,192.0.2.2',
        'ipv6hint=2001:db8::1',
        'key667="x,\\"y"',
      ]),
    )
    .map(([priority, host, parameters]) => [word(priority), host, ...words(...(priority === 0 ? [] : parameters))]),
  TYPE65281: hexOf(5).map((data) => words('\\#', 5, data)),
  TYPE65282: fc.constant(words('\\#', 0)),
}
const ttls = fc.constantFrom(30, 60, 300, 3600, 7200, 86_400, 93_600, 604_800)

const sets: fc.Arbitrary<Sample[]> = fc
  .record({
    owner: fc.oneof(owners, fc.constant<Labels>(ORIGIN_LABELS)),
    type: fc.constantFrom(...Object.keys(rdata)),
    ttlSeconds: ttls,
  })
  .map(({ owner, type, ttlSeconds }) => ({
    owner: type === 'SRV' && owner.length < 5 ? [bytesOf('_sip'), bytesOf('_tcp'), ...owner] : owner,
    type,
    ttlSeconds,
  }))
  .chain(({ owner, type, ttlSeconds }) =>
    fc
      .array(rdata[type] ?? fc.constant<Part[]>([]), { minLength: 1, maxLength: 3 })
      .map((all) => all.map((parts) => ({ owner, type, parts, ttlSeconds }))),
  )

/** A name alone: for what must not share its name with anything. */
const aliases: fc.Arbitrary<Sample[]> = fc
  .record({ owner: owners, ttlSeconds: ttls, type: fc.constantFrom('CNAME', 'NS'), host: target })
  .map(({ owner, type, ttlSeconds, host }) => [{ owner, type, ttlSeconds, parts: [host] }])

const soa: Sample = {
  owner: ORIGIN_LABELS,
  type: 'SOA',
  ttlSeconds: 3600,
  parts: [
    { kind: 'name', labels: [bytesOf('ns1'), ...ORIGIN_LABELS] },
    { kind: 'name', labels: [bytesOf('a.b'), bytesOf('example'), bytesOf('net')] },
    ...words(2_026_010_101, 86_400, 7200, 3_600_000, 60),
  ],
}
const ns: Sample = {
  owner: ORIGIN_LABELS,
  type: 'NS',
  ttlSeconds: 86_400,
  parts: [{ kind: 'name', labels: [bytesOf('ns'), bytesOf('example'), bytesOf('net')] }],
}

/**
 * A zone that any server loads: no name has a CNAME and something else, and no set has the same record or another TTL
 * twice.
 */
const samples: fc.Arbitrary<Sample[]> = fc
  .array(fc.oneof({ weight: 4, arbitrary: sets }, { weight: 1, arbitrary: aliases }), { maxLength: 12 })
  .map((groups) => {
    const taken = new Map<string, string>()
    const kept = groups.filter(([first]) => {
      if (first === undefined) return false
      const owner = nameText(first.owner)
      const isAlone = first.type === 'CNAME' || first.type === 'NS'
      // A wildcard can't be handed over (RFC 4592 4.2).
      if (first.type === 'NS' && owner.startsWith('*.')) return false
      // A DS stands where a zone is handed over, so never at a zone's own top.
      if (first.type === 'DS' && owner === nameText(ORIGIN_LABELS)) return false
      const isFree = isAlone
        ? !taken.has(owner) && owner !== nameText(ORIGIN_LABELS)
        : taken.get(owner) !== 'alone' && !taken.has(`${owner} ${first.type}`)
      if (isFree) taken.set(owner, isAlone ? 'alone' : 'shared').set(`${owner} ${first.type}`, 'set')
      return isFree
    })
    const unique = new Map(
      [soa, ns, ...kept.flat()].map((sample) => [
        `${nameText(sample.owner)} ${sample.type} ${canonical(sample)}`,
        sample,
      ]),
    )
    return [...unique.values()]
  })

function canonical({ parts }: Sample): string {
  return parts
    .map((part) =>
      part.kind === 'word'
        ? part.text
        : part.kind === 'name'
          ? nameText(part.labels)
          : `"${escapeBytes(part.bytes, '"\\')}"`,
    )
    .join(' ')
}

/** Draws from a list of numbers, over and over: how the writer decides. */
type Draw = (below: number) => number

/** Draws that always give a string in quotes. */
const quoted: Draw = () => 1

const UNITS: [string, number][] = [
  ['W', 604_800],
  ['d', 86_400],
  ['H', 3600],
  ['m', 60],
  ['s', 1],
]

/** Writes samples as a person or a program might, and says what a reader must find. */
function write(zone: Sample[], draws: number[], { isNarrow }: Style): ZoneSample {
  let at = 0
  const draw: Draw = (below) => (draws[at++ % draws.length] ?? 0) % below
  const lines: string[] = []
  const records: ZoneFileRecord[] = []
  let origin: Labels = ORIGIN_LABELS
  let ttl: number | null = null
  let last = ''
  for (const sample of zone) {
    if (draw(12) === 0) {
      ttl = [300, 3600, 86_400][draw(3)] ?? 300
      lines.push(`$TTL ${writeTtl(ttl, draw)}`)
    }
    if (draw(16) === 0) {
      origin = draw(2) === 0 ? ORIGIN_LABELS : [bytesOf('sub'), ...ORIGIN_LABELS]
      lines.push(`$${draw(2) === 0 || isNarrow ? 'ORIGIN' : 'origin'} ${nameText(origin)}`)
    }
    if (draw(10) === 0) lines.push(['', '  ', '; a comment ( " ', '\t;'][draw(4)] ?? '')
    const owner = nameText(sample.owner)
    const written = owner === last && draw(2) === 0 ? '' : writeName(sample.owner, origin, draw)
    lines.push(writeRecord(sample, written, { origin, ttl, isNarrow }, draw))
    last = owner
    records.push({
      line: lines.slice(0, -1).join('\n').split('\n').length + (lines.length > 1 ? 1 : 0),
      name: owner,
      ttlSeconds: sample.ttlSeconds,
      type: sample.type,
      rdata: canonical(sample),
    })
  }
  return { text: lines.join(draw(4) === 0 ? '\r\n' : '\n') + (draw(4) === 0 ? '' : '\n'), records }
}

function writeRecord(
  sample: Sample,
  owner: string,
  { origin, ttl, isNarrow }: Style & { origin: Labels; ttl: number | null },
  draw: Draw,
): string {
  const ttlWord = sample.ttlSeconds === ttl && draw(2) === 0 ? [] : [writeTtl(sample.ttlSeconds, draw)]
  const classWord = draw(2) === 0 ? [] : [draw(4) === 0 ? 'in' : 'IN']
  const head = draw(3) === 0 && !isNarrow ? [...classWord, ...ttlWord] : [...ttlWord, ...classWord]
  const type = draw(4) === 0 ? sample.type.toLowerCase() : sample.type
  const parts = sample.parts.map((part) =>
    part.kind === 'word'
      ? writeWord(part.text, draw)
      : part.kind === 'name'
        ? writeName(part.labels, origin, draw)
        : writeString(part.bytes, isNarrow && sample.type === 'CAA' ? quoted : draw),
  )
  const isFolded = draw(4) === 0 && !(isNarrow && sample.type.startsWith('TYPE'))
  const gap = () =>
    (isFolded
      ? [' ', '\n  ', ' ; why "( \n\t', '\n'][draw(4)]
      : [' ', '\t', '   '][isNarrow && sample.type.startsWith('TYPE') ? 0 : draw(3)]) ?? ' '
  const body = parts.map((part) => `${gap()}${part}`).join('')
  return `${owner}${[' ', '\t'][draw(2)]}${[...head, type].join(' ')}${isFolded ? ` (${body}${gap()})` : body}${draw(8) === 0 ? ' ; comment' : ''}`
}

function writeTtl(seconds: number, draw: Draw): string {
  if (draw(3) > 0) return String(seconds)
  let left = seconds
  return UNITS.map(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count > 0 ? `${count}${unit}` : ''
  }).join('')
}

/**
 * Addresses and hexadecimal do not mind the case; the latter may be parted by blanks, which `writeRecord` does not do.
 */
const writeWord = (text: string, draw: Draw): string => (draw(3) === 0 ? text.toLowerCase() : text)

function writeName(labels: Labels, origin: Labels, draw: Draw): string {
  const inside =
    labels.length >= origin.length && nameText(labels.slice(labels.length - origin.length)) === nameText(origin)
  if (inside && labels.length === origin.length && draw(2) === 0) return '@'
  const isRelative = inside && labels.length > origin.length && draw(3) > 0
  const text = nameText(isRelative ? labels.slice(0, labels.length - origin.length) : labels)
  const cased = draw(4) === 0 ? text.toUpperCase() : text
  // A letter may stand as its number too.
  const odd =
    draw(10) === 0 ? cased.replace(/^[a-z]/, (letter) => `\\${String(letter.charCodeAt(0)).padStart(3, '0')}`) : cased
  return isRelative ? odd.slice(0, -1) : odd
}

function writeString(bytes: readonly number[], draw: Draw): string {
  const isWord = bytes.length > 0 && bytes.every((byte) => byte > 32 && byte < 127)
  return isWord && draw(3) === 0 ? escapeBytes(bytes, '"\\();') : `"${escapeBytes(bytes, '"\\')}"`
}

export type ZoneSample = { text: string; records: ZoneFileRecord[] }

/** Narrow: without what ldns does not read, or writes so that nobody can read it. */
type Style = { isNarrow: boolean }

const written = (style: Style): fc.Arbitrary<ZoneSample> =>
  fc
    .tuple(samples, fc.array(fc.nat(0xffff), { minLength: 40, maxLength: 200 }))
    .map(([zone, draws]) => write(zone, draws, style))

export const zones = written({ isNarrow: false })
const hasOddNames = (zone: readonly ZoneFileRecord[]) =>
  zone.some(({ name, type, rdata }) => /\\["$@]/.test(type === 'TXT' || type === 'CAA' ? name : name + rdata))
export const narrowZones = written({ isNarrow: true }).filter(({ records }) => !hasOddNames(records))

const PIECES = [
  '(',
  ')',
  '"',
  ';',
  '\\',
  '$',
  '@',
  '.',
  '\n',
  '\t',
  ' ',
  '0',
  '1h',
  'IN',
  'CH',
  'A',
  'TYPE1',
  '\\#',
  '\\300',
  '\\032',
  'é',
  '*',
  '$ORIGIN',
  '$TTL 1\n',
  '-1',
  '99999999999',
  '..',
  '""',
]

/** Zones that something has happened to: characters lost, put in, moved or doubled. */
export const mutatedZones: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(zones, narrowZones),
    fc.array(fc.tuple(fc.nat(0xffff), fc.nat(5), fc.constantFrom(...PIECES)), { minLength: 1, maxLength: 3 }),
  )
  .map(([{ text }, changes]) => {
    let mutated = text
    for (const [place, kind, piece] of changes) {
      const at = place % (mutated.length + 1)
      const [before, behind] = [mutated.slice(0, at), mutated.slice(at)]
      const nextWord = /^\S+\s?/.exec(behind)?.[0] ?? ''
      mutated =
        [
          `${before}${behind.slice(1)}`,
          `${before}${piece}${behind}`,
          `${before}${behind.slice(nextWord.length)}`,
          `${before}${nextWord}${behind}`,
          `${before}${piece} ${behind.slice(nextWord.length)}`,
          before,
        ][kind] ?? mutated
    }
    return mutated
  })
