import { GRACE_SECONDS } from './live.ts'

/** Why a playlist of somebody else's is not taken. */
export type OriginProblem = 'origin-playlist' | 'origin-encrypted' | 'origin-split' | 'origin-large'

type OriginVariant = { url: string; bandwidth: number; height: number | null }
export type OriginSegment = {
  url: string
  number: number
  seconds: number
  /** Of its initialization segment; null for MPEG-TS. */ mapUrl: string | null
  /** Its clock is not that of the one before. */ breaks: boolean
}
type OriginMedia = { targetSeconds: number; segments: OriginSegment[]; hasEnded: boolean }
type OriginPlaylist =
  | { kind: 'main'; variants: OriginVariant[] }
  | ({ kind: 'media' } & OriginMedia)
  | { kind: 'refused'; problem: OriginProblem }

/** A live window of hours with short segments fits; nothing that grows without end does. */
export const MOST_PLAYLIST_BYTES = 4 * 2 ** 20
const MOST_LINES = 60_000
const MOST_LINE = 4_096
const MOST_VARIANTS = 64
const MOST_SEGMENT_SECONDS = 60
const MOST_NUMBER = 2 ** 48

const refused = (problem: OriginProblem): OriginPlaylist => ({ kind: 'refused', problem })

/** Attributes of a tag (RFC 8216 4.2). */
function attributesOf(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', quoted, plain] of text.matchAll(/(?<![A-Z0-9-])([A-Z0-9-]{1,64})=(?:"([^"]*)"|([^",\s]*))/g))
    found.set(name, quoted ?? plain ?? '')
  return found
}

/** Another address of HTTP, without names and passwords in it; null for every other kind. */
export function originUrl(text: string, base?: string): string | null {
  const url = URL.parse(text, base)
  if (url === null || url.href.length > MOST_LINE || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return null
  if (url.username !== '' || url.password !== '' || url.hostname === '') return null
  url.hash = ''
  return url.href
}

/**
 * Reads a playlist from elsewhere (RFC 8216), fetched from `base`. Strict where a mistake would lead somewhere: every
 * address in it is one of HTTP. What asks for a key, for parts of files or for sound from another playlist is not taken.
 */
export function readOriginPlaylist(text: string, base: string): OriginPlaylist {
  if (text.length > MOST_PLAYLIST_BYTES) return refused('origin-large')
  const lines = text.replace(/^\u{feff}/u, '').split(/\r?\n/)
  if (lines.length > MOST_LINES) return refused('origin-large')
  if (lines[0]?.trimEnd() !== '#EXTM3U' || lines.some((line) => line.length > MOST_LINE))
    return refused('origin-playlist')
  const isMain = lines.some((line) => line.startsWith('#EXT-X-STREAM-INF:'))
  const isMedia = lines.some((line) => line.startsWith('#EXTINF:') || line.startsWith('#EXT-X-TARGETDURATION:'))
  if (isMain === isMedia) return refused('origin-playlist')
  return isMain ? mainOf(lines, base) : mediaOf(lines, base)
}

function mainOf(lines: readonly string[], base: string): OriginPlaylist {
  const apart = new Set<string>()
  const variants: OriginVariant[] = []
  let isSplit = false
  for (const line of lines) {
    if (!line.startsWith('#EXT-X-MEDIA:')) continue
    const facts = attributesOf(line)
    if (facts.get('TYPE') === 'AUDIO' && facts.has('URI')) apart.add(facts.get('GROUP-ID') ?? '')
  }
  let next: Map<string, string> | null = null
  for (const line of lines) {
    if (line.startsWith('#EXT-X-SESSION-KEY:') && attributesOf(line).get('METHOD') !== 'NONE')
      return refused('origin-encrypted')
    if (line.startsWith('#EXT-X-STREAM-INF:')) next = attributesOf(line)
    else if (line.trim() !== '' && !line.startsWith('#') && next !== null) {
      const [facts, url] = [next, originUrl(line.trim(), base)]
      next = null
      if (url === null || variants.length >= MOST_VARIANTS) return refused('origin-playlist')
      if (apart.has(facts.get('AUDIO') ?? '\n')) isSplit = true
      else {
        const height = Number(/^\d{1,5}x(\d{1,5})$/.exec(facts.get('RESOLUTION') ?? '')?.[1] ?? Number.NaN)
        const bandwidth = Number(/^\d{1,12}$/.exec(facts.get('BANDWIDTH') ?? '')?.[0] ?? 0)
        variants.push({ url, bandwidth, height: Number.isNaN(height) ? null : height })
      }
    }
  }
  if (variants.length === 0) return refused(isSplit ? 'origin-split' : 'origin-playlist')
  return { kind: 'main', variants }
}

function mediaOf(lines: readonly string[], base: string): OriginPlaylist {
  const list: OriginMedia = { targetSeconds: 0, segments: [], hasEnded: false }
  let number = 0
  let seconds: number | null = null
  let mapUrl: string | null = null
  let breaks = false
  for (const line of lines) {
    const [, name = '', value = ''] = /^#(EXT[A-Z0-9-]*)(?::(.*))?$/.exec(line) ?? []
    if (name === 'EXT-X-TARGETDURATION') list.targetSeconds = Number(/^\d{1,4}/.exec(value)?.[0] ?? 0)
    else if (name === 'EXT-X-MEDIA-SEQUENCE') number = Number(/^\d{1,15}/.exec(value)?.[0] ?? Number.NaN)
    else if (name === 'EXT-X-DISCONTINUITY') breaks = true
    else if (name === 'EXT-X-ENDLIST') list.hasEnded = true
    else if (name === 'EXT-X-KEY' && attributesOf(value).get('METHOD') !== 'NONE') return refused('origin-encrypted')
    else if (name === 'EXT-X-BYTERANGE') return refused('origin-split')
    else if (name === 'EXT-X-SKIP' || name === 'EXT-X-I-FRAMES-ONLY') return refused('origin-playlist')
    else if (name === 'EXT-X-MAP') {
      const facts = attributesOf(value)
      if (facts.has('BYTERANGE')) return refused('origin-split')
      mapUrl = originUrl(facts.get('URI') ?? '', base)
      if (mapUrl === null || !facts.has('URI')) return refused('origin-playlist')
    } else if (name === 'EXTINF') {
      seconds = Number(/^\d{1,5}(?:\.\d{1,12})?(?=,|$)/.exec(value)?.[0] ?? Number.NaN)
      if (!(seconds >= 0 && seconds <= MOST_SEGMENT_SECONDS)) return refused('origin-playlist')
    } else if (line.trim() !== '' && !line.startsWith('#')) {
      const url = originUrl(line.trim(), base)
      if (url === null || seconds === null || !(number <= MOST_NUMBER)) return refused('origin-playlist')
      list.segments.push({ url, number: number + list.segments.length, seconds, mapUrl, breaks })
      seconds = null
      breaks = false
    }
  }
  if (list.targetSeconds < 1 || list.targetSeconds > MOST_SEGMENT_SECONDS) return refused('origin-playlist')
  return { kind: 'media', ...list }
}

/** More than this is not made of it anyway. */
const MOST_HEIGHT = 1080

/** The best quality that is worth fetching: it is encoded anew into ours. */
export const bestVariant = (variants: readonly OriginVariant[]): OriginVariant | undefined => {
  const sorted = variants.toSorted((a, b) => (a.height ?? 0) - (b.height ?? 0) || a.bandwidth - b.bandwidth)
  return sorted.findLast(({ height }) => (height ?? 0) <= MOST_HEIGHT) ?? sorted[0]
}

/** Players begin so many segments before the end of what is live (RFC 8216 6.3.3), and so do we. */
const BEHIND = 3

/** Of the segments of a live origin, viewers are behind by so many at most, or by the grace where that is longer. */
const MOST_BEHIND = 4

/**
 * What is new of it, where `last` is the number of the segment that was taken last; null is none yet. An origin whose
 * numbers went back has begun anew. What is live and has got away, while it could not be fetched or encoded, is taken
 * up where it is now: read in real time, it would stay as late for ever.
 */
export function newSegments(list: OriginMedia, last: number | null): OriginSegment[] {
  const newest = list.segments.at(-1)?.number
  if (newest === undefined) return []
  if (last === null || newest < last) return list.hasEnded ? list.segments : list.segments.slice(-BEHIND)
  const fresh = list.segments.filter(({ number }) => number > last)
  const behind = fresh.reduce((sum, { seconds }) => sum + seconds, 0)
  const isLate = !list.hasEnded && behind > Math.max(GRACE_SECONDS, MOST_BEHIND * list.targetSeconds)
  return isLate ? fresh.slice(-BEHIND) : fresh
}
