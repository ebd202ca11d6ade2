import type { Acknowledged } from '@fairway/drivers'
import type { Tx } from '@fairway/platform'
import { IS_THERE } from '../features/nodes/away.ts'

/** Whether every live node of a role serves a document at a version or a later one, as they have acknowledged it. */
export async function acknowledged(
  tx: Tx,
  role: 'dns' | 'edge',
  kind: string,
  key: string,
  version: number,
): Promise<Acknowledged> {
  const nodes = await tx.query<{ name: string; version: number | null; ok: boolean | null; reason: string | null }>(
    `SELECT n.name, v.version, v.ok, v.reason FROM node n LEFT JOIN node_version v ON v.node_id = n.id AND v.kind = $2 AND v.key = $3
     WHERE n.role = $1 AND n.${IS_THERE} ORDER BY n.name`,
    [role, kind, key],
  )
  if (!nodes.length) return { state: 'waiting', why: `no ${role} node is there` }
  const late = nodes.find((node) => node.version === null || node.version < version)
  const against = nodes.find(
    (node) => node !== late && node.ok === false && node.version !== null && node.version >= version,
  )
  if (against) return { state: 'refused', why: `${against.name}: ${against.reason ?? 'refused'}` }
  return late ? { state: 'waiting', why: `${late.name} has not confirmed version ${version}` } : { state: 'confirmed' }
}

/** Whether the site's newest published edge document holds the domain. */
export async function edgeHolds(tx: Tx, siteId: string, domainId: string): Promise<boolean> {
  return (
    (
      await tx.query(
        `SELECT FROM publication WHERE kind = 'edge-site' AND key = $1 AND body->'domains' @> jsonb_build_array(jsonb_build_object('domainId', $2::text))`,
        [siteId, domainId],
      )
    ).length > 0
  )
}

export async function simulatedVersion(tx: Tx, slug: string): Promise<number> {
  return (
    (await tx.query<{ version: number }>('SELECT version FROM simulated_cdn WHERE slug = $1', [slug]))[0]?.version ?? 1
  )
}
