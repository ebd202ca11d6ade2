/** A place in PostgreSQL's write-ahead log as a number, from how it writes it: `16/B374D848`. */
export function readLsn(text: string): bigint {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  if (high === undefined || low === undefined) throw new RangeError(`${text} is no place in a log`)
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export const writeLsn = (at: bigint): string =>
  `${(at >> 32n).toString(16)}/${(at & 0xffffffffn).toString(16)}`.toUpperCase()

const hex8 = (value: bigint | number): string => value.toString(16).toUpperCase().padStart(8, '0')

/** How PostgreSQL names the file of the segment that holds this place. */
export function segmentName(timeline: number, at: bigint, segmentBytes: number): string {
  const number = at / BigInt(segmentBytes)
  const perFile = 0x1_0000_0000n / BigInt(segmentBytes)
  return `${hex8(timeline)}${hex8(number / perFile)}${hex8(number % perFile)}`
}

export const segmentStart = (at: bigint, segmentBytes: number): bigint => at - (at % BigInt(segmentBytes))

/** A piece of the log in a chain: of one segment, from the first byte on and up to one that is left out. */
export type WalPart = { key: string; timeline: number; from: bigint; to: bigint; bytes: number }

/** One without a gap. */
export type Stretch = { timeline: number; from: bigint; to: bigint; parts: WalPart[] }

/** Whole segments are named as PostgreSQL does, others with their bytes in the segment. */
export function walKey(timeline: number, from: bigint, to: bigint, segmentBytes: number): string {
  const start = segmentStart(from, segmentBytes)
  const name = `wal-${segmentName(timeline, from, segmentBytes)}`
  if (from === start && to === start + BigInt(segmentBytes)) return name
  return `${name}-${hex8(from - start)}-${hex8(to - start)}`
}

const KEY = /^wal-([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})(?:-([0-9A-F]{8})-([0-9A-F]{8}))?$/

/** Null for what is no piece of a log with such segments. */
export function readWalKey(key: string, bytes: number, segmentBytes: number): WalPart | null {
  const [, timeline, high, low, from = '0', to = segmentBytes.toString(16)] = KEY.exec(key) ?? []
  if (timeline === undefined || high === undefined || low === undefined) return null
  const size = BigInt(segmentBytes)
  const perFile = 0x1_0000_0000n / size
  const start = (BigInt(`0x${high}`) * perFile + BigInt(`0x${low}`)) * size
  const [first, end] = [BigInt(`0x${from}`), BigInt(`0x${to}`)]
  if (BigInt(`0x${low}`) >= perFile || first >= end || end > size) return null
  return { key, timeline: Number.parseInt(timeline, 16), from: start + first, to: start + end, bytes }
}

/** Puts pieces together, of two that overlap the one that reaches further; in the order of the log. */
export function stretchesOf(parts: readonly WalPart[]): Stretch[] {
  const sorted = [...parts].sort((a, b) => a.timeline - b.timeline || order(a.from, b.from) || order(b.to, a.to))
  const stretches: Stretch[] = []
  for (const part of sorted) {
    const last = stretches.at(-1)
    if (last?.timeline !== part.timeline || part.from > last.to)
      stretches.push({ timeline: part.timeline, from: part.from, to: part.to, parts: [part] })
    else if (part.to > last.to) {
      last.parts.push(part)
      last.to = part.to
    }
  }
  return stretches
}

const order = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

const PAGE_HEADER = { pageAddress: 8, systemIdentifier: 24, segmentBytes: 32, length: 40 }

/** Whose log a segment says it is; null for what is no beginning of one. Files of old segments are used again. */
export function readSegmentHead(segment: Buffer): { at: bigint; systemIdentifier: string } | null {
  if (segment.length < PAGE_HEADER.length) return null
  return {
    at: segment.readBigUInt64LE(PAGE_HEADER.pageAddress),
    systemIdentifier: segment.readBigUInt64LE(PAGE_HEADER.systemIdentifier).toString(),
  }
}
