import type { Log, Tx } from '@fairway/platform'
import { notifyConsole } from '../../http/commit-change.ts'
import { IS_THERE } from '../nodes/away.ts'
import { noteNodeEvents } from '../operator/nodes-store.ts'
import { endForOperators, notifyOperators } from './notify-operators.ts'

/** Away and some more: what a restart takes need not be told. */
export const TOLD_SECONDS = 30

/** One is missed, or was when last written down; or people have been told so. */
export const NODES_DUE = `SELECT FROM node n WHERE NOT (n.${IS_THERE}) OR (SELECT kind FROM node_event e WHERE e.node_id = n.id ORDER BY id DESC LIMIT 1) = 'away'
  UNION ALL SELECT FROM notification WHERE event = 'node-away' AND incident IS NOT NULL AND ended_at IS NULL`

type NodeRow = { id: string; name: string; role: string; seconds: number }

/**
 * Writes down which nodes are missed and which are back. One that stays away opens an event in every organisation it
 * serves and tells the operators; being heard of again ends both.
 */
export async function watchNodes(tx: Tx, log: Log): Promise<void> {
  // One worker at a time, so that nobody tells twice.
  await tx.query('SELECT pg_advisory_xact_lock(4716)')
  for (const { node_id: node, kind } of await noteNodeEvents(tx)) log.info({ event: `node.${kind}`, node })
  for (const node of await goneAway(tx)) {
    const told = await tx.query<{ organization_id: string }>(
      `INSERT INTO health_event (organization_id, kind, title, detail, started_at) SELECT DISTINCT s.organization_id, 'node-away', $2, jsonb_build_object('node', $1::text, 'role', $3::text), (SELECT last_seen_at FROM node WHERE id = $1::uuid)
       FROM site s WHERE s.zone_status <> 0 AND NOT EXISTS (SELECT FROM health_event e WHERE e.organization_id = s.organization_id AND e.kind = 'node-away' AND e.ended_at IS NULL AND e.detail->>'node' = $1::text)
       RETURNING organization_id`,
      [node.id, node.name, node.role],
    )
    for (const { organization_id: organizationId } of told)
      await notifyConsole(tx, { organizationId, kind: 'health', siteId: null })
    await notifyOperators(tx, {
      event: 'node-away',
      fields: { node: node.name, role: node.role, seconds: Math.round(node.seconds) },
      incident: incidentOf(node.id),
    })
  }
  const back = await tx.query<{ node: string; organization_id: string }>(
    `UPDATE health_event e SET ended_at = now() FROM node n WHERE e.kind = 'node-away' AND e.ended_at IS NULL AND n.id::text = e.detail->>'node' AND n.last_seen_at > now() - make_interval(secs => ${TOLD_SECONDS}) RETURNING e.detail->>'node' AS node, e.organization_id`,
  )
  for (const { organization_id: organizationId } of back)
    await notifyConsole(tx, { organizationId, kind: 'health', siteId: null })
  const returned = await tx.query<{ incident: string }>(
    `SELECT DISTINCT x.incident FROM notification x JOIN node n ON x.incident = 'node-away:' || n.id WHERE x.ended_at IS NULL AND n.last_seen_at > now() - make_interval(secs => ${TOLD_SECONDS})`,
  )
  for (const { incident } of returned) await endForOperators(tx, incident)
}

/** Away for less than a day: one that nobody has missed since is not told of any more. */
function goneAway(tx: Tx): Promise<NodeRow[]> {
  return tx.query<NodeRow>(
    `SELECT id, name, role, extract(epoch FROM now() - last_seen_at)::float8 AS seconds FROM node WHERE last_seen_at < now() - make_interval(secs => ${TOLD_SECONDS}) AND last_seen_at > now() - interval '1 day' ORDER BY name, role`,
  )
}

const incidentOf = (nodeId: string): string => `node-away:${nodeId}`
