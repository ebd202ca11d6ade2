import type { NodeDisk } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { uuidIn } from '../../http/tenant.ts'
import { IS_THERE } from '../nodes/away.ts'

export type NodeListRow = {
  id: string
  name: string
  role: string
  software: string
  last_seen_at: Date
  created_at: Date
  up: boolean
  served: number
  waiting: number
  refused: number
  disk_free: number | null
  disk_size: number | null
  disk_level: NodeDisk['level'] | null
  region_told: string | null
  region_given: string | null
  shield_address: string | null
  addresses: string[] | null
  listed_addresses: string[] | null
}

/** Kinds of documents that each role follows. */
const KINDS = `(CASE n.role WHEN 'dns' THEN ARRAY['dns-zone'] WHEN 'edge' THEN ARRAY['edge-site', 'simulated-cdn'] WHEN 'collector' THEN ARRAY['stream-balance', 'stream-peers'] ELSE ARRAY[]::text[] END)`

/**
 * A node that says how far it has come is counted by what was published since; of one that does not, every document is
 * looked at.
 */
export async function listNodes(tx: Tx): Promise<NodeListRow[]> {
  return tx.query(
    `WITH live AS MATERIALIZED (SELECT kind, count(*)::int AS n FROM publication WHERE body IS NOT NULL GROUP BY kind),
     counted AS (
       SELECT n.*, (SELECT count(*)::int FROM node_version v WHERE v.node_id = n.id AND NOT v.ok) AS refused,
         CASE WHEN n.taken_revision IS NOT NULL THEN (SELECT count(*)::int FROM publication p WHERE p.revision > n.taken_revision AND p.kind = ANY(${KINDS}) AND p.body IS NOT NULL)
           ELSE (SELECT count(*)::int FROM publication p LEFT JOIN node_version v ON v.node_id = n.id AND v.kind = p.kind AND v.key = p.key WHERE p.kind = ANY(${KINDS}) AND p.body IS NOT NULL AND coalesce(v.version, -1) < p.version) END AS waiting
       FROM node n)
     SELECT n.id, n.name, n.role, n.software, n.last_seen_at, n.created_at, n.${IS_THERE} AS up, n.disk_free_bytes::float8 AS disk_free, n.disk_size_bytes::float8 AS disk_size, n.disk_level, n.region_told, n.region_given, n.shield_address, n.addresses, n.listed_addresses,
       CASE WHEN n.taken_revision IS NOT NULL THEN greatest(0, (SELECT coalesce(sum(l.n), 0)::int FROM live l WHERE l.kind = ANY(${KINDS})) - n.waiting - n.refused)
         ELSE (SELECT count(*)::int FROM node_version v WHERE v.node_id = n.id AND v.ok) END AS served, n.refused, n.waiting
     FROM counted n ORDER BY n.role, n.name`,
  )
}

/** How many nodes are there, are missed, and refuse something. */
export async function countNodes(tx: Tx): Promise<{ up: number; away: number; refusing: number }> {
  const rows = await tx.query<{ up: number; away: number; refusing: number }>(
    `SELECT count(*) FILTER (WHERE up)::int AS up, count(*) FILTER (WHERE NOT up)::int AS away, count(*) FILTER (WHERE refusing)::int AS refusing
     FROM (SELECT n.${IS_THERE} AS up, EXISTS (SELECT FROM node_version v WHERE v.node_id = n.id AND NOT v.ok) AS refusing FROM node n) x`,
  )
  return rows[0] ?? { up: 0, away: 0, refusing: 0 }
}

export type DocumentRow = {
  kind: string
  key: string
  label: string | null
  version: number
  published: number | null
  ok: boolean
  reason: string | null
  at: Date
  total: number
}

/** Of longer lists nobody reads the end; counting them would take longer than reading a page. */
const MOST_COUNTED = 10_000

/**
 * What a node has said of each document: refused ones first, newest first, then as they were published. Counted up to
 * ten thousand. `only`: `refused`, or `waiting` for what it has yet to take.
 */
export async function nodeDocuments(
  tx: Tx,
  nodeId: string,
  { only, search, limit, offset }: { only: string | null; search: string | null; limit: number | null; offset: number },
): Promise<DocumentRow[]> {
  const columns = `v.kind, v.key, coalesce(s.domain_name, c.name) AS label, v.version, p.version AS published, v.ok, v.reason, v.at`
  const named = `LEFT JOIN site s ON s.id = ${uuidIn('v.key')} LEFT JOIN simulated_cdn c ON c.slug = v.key AND v.kind = 'simulated-cdn'`
  const found = `($3::text IS NULL OR s.domain_name ILIKE '%' || $3 || '%' OR v.key ILIKE '%' || $3 || '%')`
  return tx.query(
    `WITH refused AS (
       SELECT ${columns} FROM node_version v LEFT JOIN publication p ON p.kind = v.kind AND p.key = v.key ${named}
       WHERE v.node_id = $1 AND NOT v.ok AND ($2::text IS NULL OR $2 = 'refused' OR v.version < p.version) AND ${found} ORDER BY v.at DESC, v.kind, v.key LIMIT ${MOST_COUNTED}),
     taken AS (
       SELECT ${columns}, p.revision FROM publication p JOIN node_version v ON v.node_id = $1 AND v.kind = p.kind AND v.key = p.key AND v.ok ${named}
       WHERE ($2::text IS NULL OR $2 = 'waiting' AND v.version < p.version AND p.revision > coalesce((SELECT taken_revision FROM node WHERE id = $1), 0)) AND ${found}
       ORDER BY p.revision DESC LIMIT $4::bigint + $5::bigint),
     counted AS (SELECT count(*)::int AS total FROM (
       SELECT FROM publication p JOIN node_version v ON v.node_id = $1 AND v.kind = p.kind AND v.key = p.key AND v.ok ${named}
       WHERE ($2::text IS NULL OR $2 = 'waiting' AND v.version < p.version AND p.revision > coalesce((SELECT taken_revision FROM node WHERE id = $1), 0)) AND ${found} LIMIT ${MOST_COUNTED}) n)
     SELECT a.kind, a.key, a.label, a.version, a.published, a.ok, a.reason, a.at, ((SELECT total FROM counted) + (SELECT count(*) FROM refused))::int AS total
     FROM (SELECT *, NULL::bigint AS revision FROM refused UNION ALL SELECT * FROM taken) a
     ORDER BY a.ok, a.revision DESC, a.at DESC, a.kind, a.key LIMIT $4 OFFSET $5`,
    [nodeId, only, search, limit, offset],
  )
}

export type NodeEventRow = { id: number; node_id: string; name: string; role: string; kind: 'away' | 'back'; at: Date }

export async function latestNodeEvents(tx: Tx, limit: number): Promise<NodeEventRow[]> {
  return tx.query(
    'SELECT e.id, e.node_id, n.name, n.role, e.kind, e.at FROM node_event e JOIN node n ON n.id = e.node_id ORDER BY e.id DESC LIMIT $1',
    [limit],
  )
}

/** Writes an event for every node that is missed, or is back, since its last event. Answers those it wrote. */
export async function noteNodeEvents(tx: Tx): Promise<{ node_id: string; kind: 'away' | 'back' }[]> {
  return tx.query(
    `INSERT INTO node_event (node_id, kind, at)
     SELECT n.id, CASE WHEN n.${IS_THERE} THEN 'back' ELSE 'away' END, CASE WHEN n.${IS_THERE} THEN now() ELSE n.last_seen_at END
     FROM node n LEFT JOIN LATERAL (SELECT kind FROM node_event e WHERE e.node_id = n.id ORDER BY id DESC LIMIT 1) last ON true
     WHERE (n.${IS_THERE}) = (coalesce(last.kind, 'back') = 'away') RETURNING node_id, kind`,
  )
}
