import type { PeerStop } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'

export type PeersRow = {
  source_id: string
  kind: 'asset' | 'live'
  organization_id: string
  name: string
  is_on: boolean
  with_signed: boolean
  on_since: Date | null
  stopped: PeerStop | null
}

const ROW = `SELECT s.id AS source_id, s.kind, s.organization_id, s.name, coalesce(p.is_on, false) AS is_on, coalesce(p.with_signed, false) AS with_signed, p.on_since, p.stopped
  FROM (SELECT id, 'asset' AS kind, organization_id, name FROM stream_asset WHERE deleted_at IS NULL UNION ALL SELECT id, 'live', organization_id, name FROM stream_live WHERE deleted_at IS NULL) s
  LEFT JOIN stream_peers p ON p.asset_id = s.id OR p.live_id = s.id`

/** Of a video or live stream that is there, set or not; undefined for any other. */
export async function peersOf(tx: Tx, sourceId: string): Promise<PeersRow | undefined> {
  return (await tx.query<PeersRow>(`${ROW} WHERE s.id = $1`, [sourceId]))[0]
}

/** Those of which the guard may hear something. */
/** Whether any stream or video has them on. */
export const arePeersOn = async (tx: Tx): Promise<boolean> =>
  (await tx.query('SELECT FROM stream_peers WHERE is_on LIMIT 1')).length > 0

export const peersThatAreOn = (tx: Tx, sourceIds: readonly string[]): Promise<PeersRow[]> =>
  tx.query(`${ROW} WHERE p.is_on AND s.id = ANY($1::uuid[])`, [sourceIds])

/** One change at a time, the guard's among them. */
export const holdPeers = (tx: Tx, sourceId: string): Promise<unknown> =>
  tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 150))', [sourceId])

export async function savePeers(
  tx: Tx,
  { source_id: id, kind, organization_id: organizationId }: PeersRow,
  { isOn, withSigned, onSince }: { isOn: boolean; withSigned: boolean; onSince: Date | null },
): Promise<void> {
  const column = kind === 'asset' ? 'asset_id' : 'live_id'
  await tx.query(
    `INSERT INTO stream_peers (organization_id, ${column}, is_on, with_signed, on_since) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (${column}) DO UPDATE SET is_on = $3, with_signed = $4, on_since = $5, stopped = CASE WHEN $3 THEN NULL ELSE stream_peers.stopped END`,
    [organizationId, id, isOn, withSigned, onSince],
  )
}

/** Switched off by the guard. */
export const stopPeers = (tx: Tx, sourceId: string, stop: PeerStop): Promise<unknown> =>
  tx.query('UPDATE stream_peers SET is_on = false, stopped = $2 WHERE asset_id = $1 OR live_id = $1', [
    sourceId,
    JSON.stringify(stop),
  ])

/** Has what is said of peers written anew: of one source, or of all of the organisation that have them. */
export async function republishPeers(tx: Tx, organizationId: string, sourceId?: string): Promise<void> {
  const rows = await tx.query<{ id: string }>(
    'SELECT coalesce(asset_id, live_id)::text AS id FROM stream_peers WHERE organization_id = $1 AND is_on AND ($2::uuid IS NULL OR $2 IN (asset_id, live_id))',
    [organizationId, sourceId ?? null],
  )
  for (const { id } of rows) await enqueue(tx, organizationId, ['stream-peers'], id)
}
