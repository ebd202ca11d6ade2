import { type PlayerEvent, PlayerPost } from '@fairway/contract'
import type { ViewSubject } from '@fairway/platform'
import { type PlayerEventRow, storeTime } from '../store/tables.ts'
import type { ViewMemory } from './view-memory.ts'

export type ViewRefusal = 'not-json' | 'wrong-form' | 'repeated' | 'foreign-view' | 'too-many-views' | 'too-many-events'
export type Viewer = { viewer: number; country: string; network: string; device: string }

/**
 * Turns a player's post into rows of the store. Whose video it is stands in the address that was posted to; of the
 * viewer's own address only the place and a hash take part. `mayBegin` is asked of a view that was not heard of before,
 * with the post's number; `forget` is for a post whose rows could not be kept.
 */
export function readPlayerPost(
  body: string,
  { organizationId, kind, sourceId }: ViewSubject,
  sender: Viewer,
  {
    views,
    mayBegin,
    now,
    clock,
  }: { views: ViewMemory; mayBegin: (number: number) => boolean; now: number; clock: number },
): { refused: ViewRefusal } | { refused: null; lines: string; rows: number; batch: string; forget: () => void } {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return { refused: 'not-json' }
  }
  const post = PlayerPost.safeParse(value)
  if (!post.success) return { refused: 'wrong-form' }
  const { i: view, n: number, p: player, e: events } = post.data
  if (!views.has(view) && !mayBegin(number)) return { refused: 'too-many-views' }
  const said = { subject: `${kind} ${sourceId}`, viewer: sender.viewer, number, watched: events.map(({ w }) => w ?? 0) }
  const taken = views.take(view, said, clock)
  if ('refused' in taken) return taken
  const rows = events.map((event, at): PlayerEventRow => ({
    at: storeTime(now - event.a),
    organization: organizationId,
    source: sourceId,
    kind,
    view,
    ...sender,
    viewer: taken.viewer,
    post: number,
    player,
    watched_ms: taken.watched[at] ?? 0,
    ...columnsOf(event),
  }))
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const batch = `${kind} ${sourceId} ${view} ${number}`
  return { refused: null, lines, rows: rows.length, batch, forget: taken.forget }
}

type Given = 'at' | 'organization' | 'source' | 'kind' | 'view' | 'watched_ms' | 'post' | 'player' | keyof Viewer

const columnsOf = ({
  k,
  m,
  p,
  r,
  b,
  h,
  c,
  l,
  t,
  g,
  x,
  f,
  s,
  o,
  u,
  d,
  z,
}: PlayerEvent): Omit<PlayerEventRow, Given> => ({
  event: k,
  position_ms: p ?? -1,
  ms: m ?? -1,
  reached: r ?? -1,
  bitrate: b ?? -1,
  height: h ?? -1,
  cdn: c ?? '',
  buffer_ms: l ?? -1,
  throughput: t ?? -1,
  segment_age_ms: g ?? -1,
  error: x ?? '',
  fatal: f ?? 0,
  session: s ?? '',
  peer_group: o ?? '',
  peer_bytes: u ?? 0,
  cdn_bytes: d ?? 0,
  refused_pieces: z ?? 0,
})
