import type { Tx } from '@fairway/platform'

/** Names of videos and live streams, removed ones too while they are kept as marks. */
export async function sourceNames(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query<{ id: string; name: string }>(
    'SELECT id, name FROM stream_asset WHERE id = ANY($1::uuid[]) UNION ALL SELECT id, name FROM stream_live WHERE id = ANY($1::uuid[])',
    [ids],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** What an id is of; undefined when the organisation has nothing of that id. */
export async function sourceKind(tx: Tx, id: string): Promise<'asset' | 'live' | undefined> {
  const rows = await tx.query<{ kind: 'asset' | 'live' }>(
    `SELECT 'asset' AS kind FROM stream_asset WHERE id = $1 AND deleted_at IS NULL AND replaces IS NULL UNION ALL SELECT 'live' FROM stream_live WHERE id = $1 AND deleted_at IS NULL`,
    [id],
  )
  return rows[0]?.kind
}

/** Videos kept now: the files as they were sent, and the length of those that play. */
export async function storedVideos(tx: Tx): Promise<{ videos: number; bytes: number; seconds: number }> {
  const [row] = await tx.query<{ videos: number; bytes: number; seconds: number }>(
    `SELECT count(*)::int AS videos, coalesce(sum(size), 0)::float8 AS bytes, coalesce(sum((source->>'seconds')::float8) FILTER (WHERE is_playable), 0)::float8 AS seconds
     FROM stream_asset WHERE deleted_at IS NULL AND replaces IS NULL AND state <> 'uploading'`,
  )
  return row ?? { videos: 0, bytes: 0, seconds: 0 }
}

/** Videos whose encoding ended in a range, and their length times the qualities that were made of them. */
export async function encodedVideos(tx: Tx, from: Date, until: Date): Promise<{ videos: number; seconds: number }> {
  const [row] = await tx.query<{ videos: number; seconds: number }>(
    `SELECT count(DISTINCT a.id)::int AS videos, coalesce(sum((a.source->>'seconds')::float8), 0)::float8 AS seconds
     FROM stream_asset a JOIN stream_job j ON j.asset_id = a.id AND j.kind = 'video' AND j.state = 'done' WHERE a.ready_at >= $1 AND a.ready_at < $2`,
    [from, until],
  )
  return row ?? { videos: 0, seconds: 0 }
}
