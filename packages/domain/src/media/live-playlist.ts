/** One segment of a live stream. `map` is its initialization segment; `breaks`: its clock is not that of the one before. */
export type LiveSegment = { uri: string; map: string; seconds: number; at: number; breaks: boolean }

export type LivePlaylist = {
  /** Number of the first segment. */ sequence: number
  /** How many breaks lie before the first segment (RFC 8216 4.3.3.3). */ breaksBefore: number
  /** Longest that a segment may be, in whole seconds; never changes (RFC 8216 6.2.1). */ targetSeconds: number
  segments: LiveSegment[]
  hasEnded: boolean
}

export const emptyLivePlaylist = (targetSeconds: number): LivePlaylist => ({
  sequence: 0,
  breaksBefore: 0,
  targetSeconds,
  segments: [],
  hasEnded: false,
})

/** A media playlist with a window to go back in (RFC 8216 4.3.3). Times are in ms since 1970. */
export function writeLivePlaylist(list: LivePlaylist): string {
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${list.targetSeconds}`,
    `#EXT-X-MEDIA-SEQUENCE:${list.sequence}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${list.breaksBefore}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ]
  const ended = list.hasEnded ? '#EXT-X-ENDLIST\n' : ''
  return `${lines.join('\n')}\n${segmentLines(list, 0, list.segments.length).text}${ended}`
}

/** Whole lines, and the initialization segment that holds at their end. */
type SegmentLines = { text: string; map: string }
type Block = SegmentLines & { mapBefore: string; last: LiveSegment | undefined }

/** A window of hours is written again with each segment: runs of so many, by their numbers, are kept as they are. */
const BLOCK = 256
const blocks = new WeakMap<LiveSegment, Block>()

/** What a playlist says of its segments between two places in it. */
export function segmentLines({ sequence, segments }: LivePlaylist, from: number, to: number): SegmentLines {
  const texts: string[] = []
  let map = ''
  for (let at = from; at < to;) {
    const inBlock = (sequence + at) % BLOCK
    const end = Math.min(to, at + BLOCK - inBlock)
    const [first, last] = [segments[at], segments[end - 1]]
    if (!first) break
    const isWhole = inBlock === 0 && end - at === BLOCK
    let block = isWhole ? blocks.get(first) : undefined
    if (block?.mapBefore !== map || block.last !== last) {
      block = { ...linesOf(segments.slice(at, end), map), mapBefore: map, last }
      if (isWhole) blocks.set(first, block)
    }
    texts.push(block.text)
    map = block.map
    at = end
  }
  return { text: texts.join(''), map }
}

function linesOf(segments: readonly LiveSegment[], mapBefore: string): SegmentLines {
  const lines: string[] = []
  let map = mapBefore
  for (const segment of segments) {
    if (segment.breaks) lines.push('#EXT-X-DISCONTINUITY')
    if (segment.map !== map) lines.push(`#EXT-X-MAP:URI="${(map = segment.map)}"`)
    const time = new Date(segment.at).toISOString()
    lines.push(`#EXT-X-PROGRAM-DATE-TIME:${time}`, `#EXTINF:${segment.seconds.toFixed(5)},`, segment.uri)
  }
  // Joined, not added up: that would be a tree of pieces, to be walked through whenever it is copied.
  return { text: lines.length === 0 ? '' : `${lines.join('\n')}\n`, map }
}

/** The inverse, for a process that goes on where another stopped; null for what is none of ours. */
export function readLivePlaylist(text: string): LivePlaylist | null {
  const number = (name: string) => Number(new RegExp(`^#EXT-X-${name}:(\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
  const list: LivePlaylist = {
    sequence: number('MEDIA-SEQUENCE'),
    breaksBefore: number('DISCONTINUITY-SEQUENCE'),
    targetSeconds: number('TARGETDURATION'),
    segments: [],
    hasEnded: /^#EXT-X-ENDLIST$/m.test(text),
  }
  if (![list.sequence, list.breaksBefore, list.targetSeconds].every(Number.isSafeInteger)) return null
  let [map, at, seconds, breaks] = ['', 0, 0, false]
  for (const line of text.split('\n')) {
    const [, name = '', value = ''] = /^#(EXT[A-Z-]*):?(.*)$/.exec(line) ?? []
    if (name === 'EXT-X-DISCONTINUITY') breaks = true
    else if (name === 'EXT-X-MAP') map = /URI="([^"]*)"/.exec(value)?.[1] ?? ''
    else if (name === 'EXT-X-PROGRAM-DATE-TIME') at = Date.parse(value)
    else if (name === 'EXTINF') seconds = Number.parseFloat(value)
    else if (line !== '' && !line.startsWith('#')) {
      if (!Number.isFinite(at) || !Number.isFinite(seconds)) return null
      list.segments.push({ uri: line, map, seconds, at, breaks })
      breaks = false
    }
  }
  return list
}

/** Players need three segments to begin (RFC 8216 6.3.3). */
const LEAST_SEGMENTS = 3

/** With one segment more, and without those that lie before the window. */
export function withSegment(list: LivePlaylist, segment: LiveSegment, windowSeconds: number): LivePlaylist {
  const segments = [...list.segments, segment]
  let [sequence, breaksBefore, from] = [list.sequence, list.breaksBefore, 0]
  let total = segments.reduce((sum, { seconds }) => sum + seconds, 0)
  for (const first of segments) {
    if (segments.length - from <= LEAST_SEGMENTS || total - first.seconds < windowSeconds) break
    total -= first.seconds
    sequence++
    if (first.breaks) breaksBefore++
    from++
  }
  return { ...list, sequence, breaksBefore, segments: segments.slice(from) }
}

/** For another broadcast in the same place: nothing of the old one, and its numbers go on. */
export const renewed = (list: LivePlaylist, targetSeconds: number): LivePlaylist => ({
  sequence: list.sequence + list.segments.length,
  breaksBefore: list.breaksBefore + list.segments.filter(({ breaks }) => breaks).length,
  targetSeconds,
  segments: [],
  hasEnded: false,
})
