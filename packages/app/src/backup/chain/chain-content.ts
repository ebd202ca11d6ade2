import {
  BackupError,
  type Base,
  type Chain,
  type Config,
  type Listing,
  type LogHead,
  NotStored,
  type Stretch,
  type WalPart,
  chainNotes,
  momentOfBase,
  noteChain,
  proofOf,
  readBase,
  readListing,
  readLogHead,
  readLsn,
  readWalKey,
  segmentStart,
  stretchesOf,
  walKey,
} from '@fairway/platform'

export type KeptBase = { key: string; base: Base; writtenAt: number; provenAt: number | null }

/** Seconds that can be restored: of one base, or several that the same log joins. Epoch ms. */
export type Range = { from: number; until: number }

export type ChainContent = {
  /** Oldest first, by their places in the log: clocks may go back. */
  bases: KeptBase[]
  wal: WalPart[]
  stretches: Stretch[]
  head: LogHead | null
  parts: Map<string, number>
  bytes: number
}

/** Reads what a chain holds: names of everything, and each backup's own record. */
export async function contentOf(chain: Chain): Promise<ChainContent> {
  const parts = new Map<string, number>()
  const [wal, times]: [WalPart[], Map<string, number>] = [[], new Map()]
  let bytes = 0
  for await (const { key, bytes: size, changedAt } of chain.storage.list()) {
    bytes += size
    const part = readWalKey(key, size, chain.facts.segmentBytes)
    if (part) wal.push(part)
    else if (key.startsWith('part-')) parts.set(key, size)
    else if (key.startsWith('base-')) times.set(key, changedAt)
  }
  const bases: KeptBase[] = []
  for (const [key, writtenAt] of times)
    if (momentOfBase(key) !== null)
      bases.push({ key, base: readBase(await chain.get(key)), writtenAt, provenAt: times.get(proofOf(key)) ?? null })
  bases.sort(inLog)
  return { bases, wal, stretches: stretchesOf(wal), head: await headOf(chain), parts, bytes }
}

function inLog({ base: a }: KeptBase, { base: b }: KeptBase): number {
  const [from, to] = [readLsn(a.start), readLsn(b.start)]
  return a.timeline - b.timeline || (from < to ? -1 : from > to ? 1 : 0)
}

/** The listing of a backup, put together from its parts. */
export async function listingOf(chain: Chain, base: Base): Promise<Listing> {
  const pieces: Buffer[] = []
  for (const name of base.listing) pieces.push(await chain.get(name))
  return readListing(Buffer.concat(pieces))
}

async function headOf(chain: Chain): Promise<LogHead | null> {
  try {
    return (await chain.storage.head('head')) === null ? null : readLogHead(await chain.get('head'))
  } catch (error) {
    if (error instanceof NotStored) return null
    throw error
  }
}

/** The log that a base needs, and goes on in; null when some of what it needs is missing. */
export function stretchOf(chain: Chain, { base }: KeptBase, stretches: readonly Stretch[]): Stretch | null {
  const [from, to] = [segmentStart(readLsn(base.start), chain.facts.segmentBytes), readLsn(base.point.at)]
  return stretches.find((one) => one.timeline === base.timeline && one.from <= from && one.to >= to) ?? null
}

/** Until when a stretch of the log is known to hold everything. */
export async function endOf(chain: Chain, stretch: Stretch, head: LogHead | null): Promise<number> {
  if (head && head.timeline === stretch.timeline && readLsn(head.to) <= stretch.to && readLsn(head.to) > stretch.from)
    return Date.parse(head.until)
  const last = stretch.parts.at(-1)
  return last ? (await logPart(chain, last)).until : 0
}

const TIME_BYTES = 8

/** A piece of the log tells until when everything is in what ends with it. */
export function writeWalPart(until: number, bytes: Buffer): Buffer {
  const time = Buffer.alloc(TIME_BYTES)
  time.writeBigUInt64BE(BigInt(Math.max(0, Math.floor(until))))
  return Buffer.concat([time, bytes])
}

function readWalPart(plain: Buffer): { until: number; bytes: Buffer } {
  return { until: Number(plain.readBigUInt64BE()), bytes: plain.subarray(TIME_BYTES) }
}

/**
 * A piece of the log, with until when everything is in it. Whoever carries the log removes pieces of a segment that has
 * gone whole, perhaps since they were listed: then it is taken from that one.
 */
export async function logPart(chain: Chain, part: WalPart): Promise<{ until: number; bytes: Buffer }> {
  try {
    return readWalPart(await chain.get(part.key))
  } catch (error) {
    const { segmentBytes } = chain.facts
    const start = segmentStart(part.from, segmentBytes)
    const whole = walKey(part.timeline, start, start + BigInt(segmentBytes), segmentBytes)
    const isGone = error instanceof BackupError && error.cause instanceof NotStored && part.key !== whole
    if (!isGone || (await chain.storage.head(whole)) === null) throw error
    const { until, bytes } = readWalPart(await chain.get(whole))
    return { until, bytes: bytes.subarray(Number(part.from - start), Number(part.to - start)) }
  }
}

/** Oldest first, those that one log joins as one. */
export async function rangesOf(chain: Chain, { bases, stretches, head }: ChainContent): Promise<Range[]> {
  const ranges = new Map<Stretch, Range>()
  for (const kept of bases) {
    const stretch = stretchOf(chain, kept, stretches)
    if (!stretch) continue
    const from = Date.parse(kept.base.at)
    const known = ranges.get(stretch)
    if (known) known.from = Math.min(known.from, from)
    else ranges.set(stretch, { from, until: Math.max(from, await endOf(chain, stretch, head)) })
  }
  return [...ranges.values()].sort((a, b) => a.from - b.from)
}

/** Has the home remember what its chain holds now. */
export async function noteContent(config: Config, place: string, chain: Chain): Promise<void> {
  const content = await contentOf(chain)
  noteChain(config.home, {
    place,
    id: chain.facts.id,
    bases: content.bases.map(({ key, base, writtenAt, provenAt }) => ({
      file: chain.storage.address(key),
      at: Date.parse(base.at),
      writtenAt,
      provenAt,
      addedBytes: base.addedBytes,
      wholeBytes: base.wholeBytes,
      start: base.start,
    })),
    ranges: await rangesOf(chain, content),
    bytes: content.bytes,
  })
}

/** Whether a proof of a chain that this home goes on with has to be remembered. */
export const isNoted = (config: Config, place: string, id: string): boolean => chainNotes(config.home, place)?.id === id
