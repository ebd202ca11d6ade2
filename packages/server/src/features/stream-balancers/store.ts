import type { BalancerEntryInput, BalancerMode, CdnDriverName } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { IS_THERE } from '../nodes/away.ts'

export type BalancerRow = {
  id: string
  organization_id: string
  live_id: string | null
  is_on: boolean
  mode: BalancerMode
  entries: BalancerEntryInput[]
}

const COLUMNS = 'b.id, b.organization_id, b.live_id, b.is_on, b.mode, b.entries'

/** `liveId` null: of the organisation's assets. */
export async function balancerOf(
  tx: Tx,
  organizationId: string,
  liveId: string | null,
): Promise<BalancerRow | undefined> {
  const rows = await tx.query<BalancerRow>(
    `SELECT ${COLUMNS} FROM stream_balancer b WHERE b.organization_id = $1 AND b.live_id IS NOT DISTINCT FROM $2::uuid`,
    [organizationId, liveId],
  )
  return rows[0]
}

/** For the builders, which see every organisation; undefined when its live stream is gone. */
export async function balancerById(tx: Tx, id: string): Promise<BalancerRow | undefined> {
  const rows = await tx.query<BalancerRow>(
    `SELECT ${COLUMNS} FROM stream_balancer b LEFT JOIN stream_live l ON l.id = b.live_id WHERE b.id = $1 AND (b.live_id IS NULL OR l.deleted_at IS NULL)`,
    [id],
  )
  return rows[0]
}

export const balancersInUse = (tx: Tx, organizationId: string): Promise<BalancerRow[]> =>
  tx.query(
    `SELECT ${COLUMNS} FROM stream_balancer b LEFT JOIN stream_live l ON l.id = b.live_id WHERE b.organization_id = $1 AND b.is_on AND (b.live_id IS NULL OR l.deleted_at IS NULL) ORDER BY b.created_at, b.id`,
    [organizationId],
  )

/** Whether a balancer of the organisation names a CDN. */
export async function isSteeredTo(tx: Tx, cdnId: string): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM stream_balancer b LEFT JOIN stream_live l ON l.id = b.live_id WHERE (b.live_id IS NULL OR l.deleted_at IS NULL)
       AND b.entries @> jsonb_build_array(jsonb_build_object('cdnId', $1::text)) LIMIT 1`,
    [cdnId],
  )
  return rows.length > 0
}

export async function saveBalancer(
  tx: Tx,
  balancer: Pick<BalancerRow, 'organization_id' | 'live_id' | 'is_on' | 'mode' | 'entries'>,
): Promise<string> {
  const values = [
    balancer.organization_id,
    balancer.live_id,
    balancer.is_on,
    balancer.mode,
    JSON.stringify(balancer.entries),
  ]
  const conflict = balancer.live_id === null ? '(organization_id) WHERE live_id IS NULL' : '(live_id)'
  const rows = await tx.query<{ id: string }>(
    `INSERT INTO stream_balancer (organization_id, live_id, is_on, mode, entries) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ${conflict} DO UPDATE SET is_on = $3, mode = $4, entries = $5, modified_at = now() RETURNING id`,
    values,
  )
  return rows[0]?.id ?? ''
}

/** One change at a time: two would each leave out what the other has added. */
export async function holdBalancers(tx: Tx, organizationId: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 84))`, [organizationId])
}

export async function isLiveThere(tx: Tx, id: string): Promise<boolean> {
  return (await tx.query('SELECT FROM stream_live WHERE id = $1 AND deleted_at IS NULL', [id])).length > 0
}

/** Whether there is anything for the edge to fetch: else a CDN would be set up before its origin. */
export async function hasVideos(tx: Tx, organizationId: string): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM stream_asset WHERE organization_id = $1 AND deleted_at IS NULL UNION ALL SELECT FROM stream_live WHERE organization_id = $1 AND deleted_at IS NULL LIMIT 1`,
    [organizationId],
  )
  return rows.length > 0
}

export type OwnCdn = { id: string; name: string; slug: string; driver: CdnDriverName; cname: string | null }

export const ownCdns = (tx: Tx, organizationId: string): Promise<OwnCdn[]> =>
  tx.query('SELECT id, name, slug, driver, cname FROM cdn WHERE organization_id = $1 ORDER BY series, name', [
    organizationId,
  ])

export async function siteNames(tx: Tx): Promise<string[]> {
  return (await tx.query<{ domain_name: string }>('SELECT domain_name FROM site')).map((site) => site.domain_name)
}

/** What nodes that are there say of documents. Null: no version is published, or nobody is there to take it. */
export async function deliveries(
  tx: Tx,
  documents: { kind: string; key: string; role: 'collector' | 'edge' }[],
): Promise<Map<string, 'in-progress' | 'completed' | 'failed' | null>> {
  const rows = await tx.query<{ kind: string; key: string; nodes: number; taken: number; refused: number }>(
    `SELECT w.kind, w.key, count(n.id)::int AS nodes, count(*) FILTER (WHERE v.ok AND v.version >= p.version)::int AS taken, count(*) FILTER (WHERE NOT v.ok AND v.version >= p.version)::int AS refused
     FROM jsonb_to_recordset($1::jsonb) AS w(kind text, key text, role text) JOIN publication p ON p.kind = w.kind AND p.key = w.key AND p.body IS NOT NULL
     LEFT JOIN node n ON n.role = w.role AND n.${IS_THERE} LEFT JOIN node_version v ON v.node_id = n.id AND v.kind = w.kind AND v.key = w.key GROUP BY w.kind, w.key`,
    [JSON.stringify(documents)],
  )
  return new Map(
    rows.map(({ kind, key, nodes, taken, refused }) => [
      `${kind} ${key}`,
      refused > 0 ? 'failed' : nodes > 0 && taken === nodes ? 'completed' : 'in-progress',
    ]),
  )
}

export const collectors = (tx: Tx): Promise<{ name: string; control_url: string }[]> =>
  tx.query(
    `SELECT name, control_url FROM node WHERE role = 'collector' AND control_url IS NOT NULL AND ${IS_THERE} ORDER BY last_seen_at DESC`,
  )
