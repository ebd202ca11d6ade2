import { type LivePlaylist, segmentLines } from './live-playlist.ts'

/** A piece of a segment that viewers get before the segment is whole (RFC 8216bis 4.4.4.9). */
export type LivePart = { uri: string; seconds: number; isIndependent: boolean }

/** What stands at the end of a live playlist, finer and newer than its whole segments. */
export type LiveEdge = {
  /** Longest that a part may be. */ partSeconds: number
  /** In a whole segment; 0 where there are none. */ partCount: number
  /** Parts of the youngest whole segments, the newest last. */ finished: readonly (readonly LivePart[])[]
  /** The segment that is being made. */
  open: { map: string; at: number; breaks: boolean; parts: readonly LivePart[] }
  /** The part to come; null while nobody sends, and a playlist that is waited for would not come. */ hint:
    | string
    | null
}

/**
 * Of a stream without parts: only its next segment is waited for, so that a player has it once it is there, instead of
 * up to a segment later, when its own store has run out.
 */
export const wholeEdge = (map: string, next: string): LiveEdge => ({
  partSeconds: 0,
  partCount: 0,
  finished: [],
  open: { map, at: 0, breaks: false, parts: [] },
  hint: next,
})

/** hls.js takes ten seconds without an answer for a failure. */
const LONGEST_WAITED_SECONDS = 4
/** Whether a segment of so many seconds can be waited for. */
export const isWaitedFor = (targetSeconds: number): boolean => targetSeconds <= LONGEST_WAITED_SECONDS

/** How long parts are: about a third of a second, in whole frames, so that all of a segment but its last are as long. */
export function partFrames(fps: number, segmentSeconds: number): { perPart: number; perSegment: number } {
  const perSegment = Math.max(1, Math.round(fps * segmentSeconds))
  const parts = Math.max(1, Math.round(segmentSeconds * PARTS_PER_SECOND))
  return { perPart: Math.ceil(perSegment / parts), perSegment }
}
const PARTS_PER_SECOND = 3

/** Parts are named so long (RFC 8216bis 4.4.4.9), in target durations. */
const PARTS_KEPT = 3
/** What lies further back may be left out of an update (RFC 8216bis 4.4.3.8), in target durations. */
const SKIP_UNTIL = 6
/** A player stays so many parts behind, and one that knows no parts so many segments (RFC 8216bis 4.4.3.8). */
const HOLD_BACK = 3
/** A playlist is waited for so many target durations at most (RFC 8216bis 6.2.5.2). */
export const RELOAD_WAIT = 3
/** Numbers that lie further ahead are refused (RFC 8216bis 6.2.5.2). */
const MOST_AHEAD = 2
/** Who asks for a playlist that is older by more segments has been away, and gets the one of now. */
const MOST_BEHIND = 3

/** Of the parts of whole segments, those that are still named. */
export function trimmedParts(
  finished: readonly (readonly LivePart[])[],
  list: LivePlaylist,
): readonly (readonly LivePart[])[] {
  // Together with a whole segment that is being made, none reaches back further than it may.
  let left = list.targetSeconds * (PARTS_KEPT - 1)
  let kept = 0
  for (const { seconds } of list.segments.toReversed()) {
    if (kept >= finished.length || (left -= seconds) < -1e-6) break
    kept++
  }
  return kept === 0 ? [] : finished.slice(-kept)
}

/** Number of the last whole segment; one less than the first when there is none. */
const lastNumber = (list: LivePlaylist): number => list.sequence + list.segments.length - 1

/** A playlist in three pieces, each of whole lines. */
export type PlaylistPieces = {
  head: string
  /** Most of a long one: the same object for all who ask until another segment comes. */
  whole: { readonly text: string }
  end: string
}

type RenditionReport = { uri: string; list: LivePlaylist; edge: LiveEdge }

/**
 * A media playlist that is waited for, with its parts where it has any. `skips`: the old part of it is left out, for who
 * has it already. `others` are the other qualities, so that a player may change to one without asking where it is.
 */
export function lowLatencyPlaylist(
  list: LivePlaylist,
  edge: LiveEdge,
  { skips, others }: { skips: boolean; others: readonly RenditionReport[] },
): PlaylistPieces {
  const { segments, targetSeconds } = list
  const skipped = skips ? skippable(list, edge) : 0
  const isRunning = edge.hint !== null && !list.hasEnded
  const hasParts = edge.partCount > 0
  const head = [
    '#EXTM3U',
    `#EXT-X-VERSION:${skipped > 0 ? 9 : 7}`,
    `#EXT-X-TARGETDURATION:${targetSeconds}`,
    `#EXT-X-SERVER-CONTROL:${isRunning ? 'CAN-BLOCK-RELOAD=YES,' : ''}CAN-SKIP-UNTIL=${targetSeconds * SKIP_UNTIL}.0,HOLD-BACK=${targetSeconds * HOLD_BACK}.0${hasParts ? `,PART-HOLD-BACK=${(Math.ceil(edge.partSeconds * HOLD_BACK * 1000) / 1000).toFixed(3)}` : ''}`,
    ...(hasParts ? [`#EXT-X-PART-INF:PART-TARGET=${edge.partSeconds.toFixed(5)}`] : []),
    `#EXT-X-MEDIA-SEQUENCE:${list.sequence}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${list.breaksBefore}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ]
  const lines: string[] = []
  if (skipped > 0) head.push(`#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}`)
  const inParts = Math.max(skipped, segments.length - edge.finished.length)
  const before = wholeOnes(list, skipped, inParts)
  let { map } = before
  const begin = (of: { map: string; at: number; breaks: boolean }) => {
    if (of.breaks) lines.push('#EXT-X-DISCONTINUITY')
    if (of.map !== map) lines.push(`#EXT-X-MAP:URI="${(map = of.map)}"`)
  }
  for (let index = inParts; index < segments.length; index++) {
    const segment = segments[index]
    if (!segment) break
    begin(segment)
    lines.push(
      timeOf(segment),
      ...(edge.finished.at(index - segments.length) ?? []).map(partOf),
      `#EXTINF:${segment.seconds.toFixed(5)},`,
      segment.uri,
    )
  }
  if (list.hasEnded) lines.push('#EXT-X-ENDLIST')
  else {
    if (edge.open.parts.length > 0) {
      begin(edge.open)
      lines.push(timeOf(edge.open), ...edge.open.parts.map(partOf))
    }
    if (hasParts && edge.hint !== null) lines.push(`#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${edge.hint}"`)
    for (const other of others) lines.push(reportOf(other))
  }
  return { head: linesOf(head), whole: before, end: linesOf(lines) }
}

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

type WholeOnes = { to: number; text: string; map: string }
// What all who ask for the whole of it get alike, until another segment comes.
const wholeLists = new WeakMap<LivePlaylist, WholeOnes>()

/** Segments whose parts are named no more. */
function wholeOnes(list: LivePlaylist, from: number, to: number): WholeOnes {
  const known = wholeLists.get(list)
  if (from === 0 && known?.to === to) return known
  const made = { to, ...segmentLines(list, from, to) }
  if (from === 0) wholeLists.set(list, made)
  return made
}

const timeOf = ({ at }: { at: number }): string => `#EXT-X-PROGRAM-DATE-TIME:${new Date(at).toISOString()}`
const partOf = ({ uri, seconds, isIndependent }: LivePart): string =>
  `#EXT-X-PART:DURATION=${seconds.toFixed(5)},URI="${uri}"${isIndependent ? ',INDEPENDENT=YES' : ''}`

function reportOf({ uri, list, edge }: RenditionReport): string {
  const isOpen = edge.open.parts.length > 0
  const parts = isOpen ? edge.open.parts : (edge.finished.at(-1) ?? [])
  const number = lastNumber(list) + (isOpen ? 1 : 0)
  return `#EXT-X-RENDITION-REPORT:URI="${uri}",LAST-MSN=${Math.max(0, number)}${parts.length > 0 ? `,LAST-PART=${parts.length - 1}` : ''}`
}

/** How many segments at the beginning lie before the skip boundary. */
function skippable({ segments, targetSeconds }: LivePlaylist, { open }: LiveEdge): number {
  let left = targetSeconds * SKIP_UNTIL - open.parts.reduce((sum, { seconds }) => sum + seconds, 0)
  let from = segments.length
  while (from > 0 && left > 0) left -= segments[--from]?.seconds ?? 0
  return from
}

/** What a player asks of a playlist that it waits for (RFC 8216bis 6.2.5). */
type Directives = { msn: number | null; part: number | null; skips: boolean }

const NUMBER = /^\d{1,15}$/

/** Of the query of a request; null for what no player writes. Other parameters are others' business. */
export function readDirectives(query: string): Directives | null {
  const said = new Map<string, string>()
  for (const pair of query.split('&')) {
    const [name = '', value = ''] = pair.split('=')
    if (!name.startsWith('_HLS_')) continue
    if (said.has(name)) return null
    said.set(name, value)
  }
  const [msn, part, skip] = ['_HLS_msn', '_HLS_part', '_HLS_skip'].map((name) => said.get(name))
  if ([msn, part].some((value) => value !== undefined && !NUMBER.test(value))) return null
  if (part !== undefined && msn === undefined) return null
  if (skip !== undefined && skip !== 'YES' && skip !== 'v2') return null
  return {
    msn: msn === undefined ? null : Number(msn),
    part: part === undefined ? null : Number(part),
    skips: skip !== undefined,
  }
}

/** `now`: the playlist of now is the answer; `later`: it is waited for; `away`: who asks starts from the plain one. */
type Reload = 'now' | 'later' | 'refused' | 'away'

/** RFC 8216bis 6.2.5.2. */
export function reloadOf({ msn, part }: Directives, list: LivePlaylist, edge: LiveEdge): Reload {
  if (msn === null) return 'now'
  const last = lastNumber(list)
  const isResting = list.hasEnded || edge.hint === null
  if (msn > last + MOST_AHEAD) return isResting ? 'away' : 'refused'
  if (msn < last - MOST_BEHIND) return 'away'
  // Numbers that no part has would be so many addresses of one playlist.
  if (part !== null && part > partsOf(msn, list, edge)) return 'away'
  if (isResting) return 'now'
  if (part === null) return msn <= last ? 'now' : 'later'
  if (msn > last) {
    // Counted in parts, from the last that there is.
    const ahead = (msn - last - 1) * edge.partCount + part - (edge.open.parts.length - 1)
    if (ahead > advanceLimit(edge)) return 'refused'
    return msn === last + 1 && part < edge.open.parts.length ? 'now' : 'later'
  }
  // Behind the last part of a segment stands the first of the next one.
  const isNext = msn === last && part >= (edge.finished.at(-1)?.length ?? 0)
  return isNext && edge.open.parts.length === 0 ? 'later' : 'now'
}

/** Of a segment that is there as many as it has; of others as many as one may have. */
const partsOf = (msn: number, list: LivePlaylist, { finished, partCount }: LiveEdge): number =>
  (msn <= lastNumber(list) ? finished.at(msn - lastNumber(list) - 1)?.length : undefined) ?? partCount

const advanceLimit = ({ partSeconds }: LiveEdge): number => (partSeconds < 1 ? Math.floor(3 / partSeconds) : 3)
