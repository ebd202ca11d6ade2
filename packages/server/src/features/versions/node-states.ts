import type { NodeState, SiteVersion } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { AWAY_SECONDS } from '../nodes/away.ts'

/** Which node roles serve a kind of document. */
const ROLE_OF: Record<string, string> = {
  'dns-zone': 'dns',
  'edge-site': 'edge',
  'edge-certificates': 'edge',
  'edge-challenges': 'edge',
  'edge-pages': 'edge',
  'edge-security': 'edge',
}

export type NodeRow = {
  id: string
  name: string
  role: string
  last_seen_at: Date
  kind: string | null
  version: number | null
  ok: boolean | null
  reason: string | null
  at: Date | null
}

/** What each serving node has confirmed of a site; one query. */
export async function nodeRows(tx: Tx, siteId: string): Promise<NodeRow[]> {
  return tx.query<NodeRow>(
    `SELECT n.id, n.name, n.role, n.last_seen_at, v.kind, v.version, v.ok, v.reason, v.at FROM node n
     LEFT JOIN node_version v ON v.node_id = n.id AND v.key = $1 AND v.kind IN ('dns-zone', 'edge-site', 'edge-certificates', 'edge-challenges', 'edge-pages', 'edge-security') WHERE n.role IN ('dns', 'edge') ORDER BY n.role, n.name`,
    [siteId],
  )
}

/**
 * The state of one version: live only when every node that serves what it changed has confirmed it or a later one. A
 * node that is away does not hold others up, but it shows.
 */
export function deployState(
  rows: NodeRow[],
  kinds: string[],
  number: number,
  now: Date,
): Pick<SiteVersion, 'state' | 'nodes'> {
  const roles = new Set(kinds.map((kind) => ROLE_OF[kind]).filter((role) => role !== undefined))
  const nodes = [
    ...Map.groupBy(
      rows.filter((row) => roles.has(row.role)),
      (row) => row.id,
    ).values(),
  ].flatMap((own) => worstOf(own, kinds, number, now) ?? [])
  const there = nodes.filter((node) => node.state !== 'away')
  const missing = [...roles].some((role) => !there.some((node) => node.role === role))
  if (there.some((node) => node.state === 'failed')) return { state: 'failed', nodes }
  return { state: !missing && there.every((node) => node.state === 'live') ? 'live' : 'deploying', nodes }
}

/** Of the documents that a version touched and the node serves: the one that it is furthest behind with. */
function worstOf(own: NodeRow[], kinds: string[], number: number, now: Date): NodeState | null {
  const [node] = own
  if (!node) return null
  const unknown = { ...node, version: null, ok: null, reason: null, at: null }
  const states = kinds
    .filter((kind) => ROLE_OF[kind] === node.role)
    .map((kind) => stateOf(own.find((row) => row.kind === kind) ?? { ...unknown, kind }, number, now))
  const order = ['failed', 'waiting', 'away', 'live']
  return states.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state))[0] ?? null
}

function stateOf(row: NodeRow, number: number, now: Date): NodeState {
  const state = wordOf(row, row, number, now)
  const isConfirmed = state === 'live' || state === 'failed'
  return {
    nodeId: row.id,
    name: row.name,
    role: row.role,
    state,
    version: row.version,
    reason: row.reason,
    confirmedAt: isConfirmed ? (row.at?.toISOString() ?? null) : null,
  }
}

/** What a node's last word on a document says of a version. */
function wordOf(
  node: Pick<NodeRow, 'last_seen_at'>,
  last: Pick<NodeRow, 'version' | 'ok'> | undefined,
  number: number,
  now: Date,
): NodeState['state'] {
  if (last !== undefined && last.version !== null && last.version >= number) return last.ok ? 'live' : 'failed'
  return now.getTime() - node.last_seen_at.getTime() > AWAY_SECONDS * 1000 ? 'away' : 'waiting'
}

type Wanted = { siteId: string; wanted: Record<string, number | null> }

/**
 * The state of each site: for every kind of document, whether the newest version that touched it is live. Two queries
 * whatever the number of sites.
 */
export async function siteStates(tx: Tx, sites: Wanted[], now: Date): Promise<Map<string, SiteVersion['state']>> {
  const nodes = await tx.query<Pick<NodeRow, 'id' | 'role' | 'last_seen_at'>>(
    `SELECT id, role, last_seen_at FROM node WHERE role IN ('dns', 'edge')`,
  )
  const confirmed = await tx.query<{ node_id: string; key: string; kind: string; version: number; ok: boolean }>(
    // Joined: each row of the table would be held against each of thousands of keys.
    `SELECT node_id, key, kind, version, ok FROM unnest($1::text[]) AS wanted(key) JOIN node_version USING (key) WHERE kind IN ('dns-zone', 'edge-site', 'edge-certificates', 'edge-challenges', 'edge-pages', 'edge-security')`,
    [sites.map((site) => site.siteId)],
  )
  const byPlace = new Map(confirmed.map((row) => [`${row.key} ${row.kind} ${row.node_id}`, row]))
  const ofKind = (siteId: string, kind: string, number: number): SiteVersion['state'] => {
    const words = nodes
      .flatMap((node) =>
        node.role === ROLE_OF[kind] ? wordOf(node, byPlace.get(`${siteId} ${kind} ${node.id}`), number, now) : [],
      )
      .filter((word) => word !== 'away')
    if (words.includes('failed')) return 'failed'
    return words.length > 0 && words.every((word) => word === 'live') ? 'live' : 'deploying'
  }
  return new Map(
    sites.map(({ siteId, wanted }) => {
      const states = new Set(
        Object.entries(wanted).flatMap(([kind, number]) => (number === null ? [] : [ofKind(siteId, kind, number)])),
      )
      return [siteId, states.has('failed') ? 'failed' : states.has('deploying') ? 'deploying' : 'live']
    }),
  )
}
