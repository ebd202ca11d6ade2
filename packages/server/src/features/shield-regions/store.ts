import type { EdgeShield, OriginTime, ShieldCount, ShieldRegion } from '@fairway/contract'
import { type ChosenRegion, chooseRegion, medianOf } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { IS_THERE } from '../nodes/away.ts'

/** A time older than this says nothing of where an origin is now. */
const FRESH_SECONDS = 3600

type RegionNodeRow = {
  id: string
  name: string
  region: string
  there: boolean
  shield_address: string | null
}

/** Edge nodes that are of a region. */
export async function regionNodes(tx: Tx): Promise<RegionNodeRow[]> {
  return tx.query(
    `SELECT id, name, coalesce(region_given, region_told) AS region, ${IS_THERE} AS there, shield_address FROM node
     WHERE role = 'edge' AND coalesce(region_given, region_told) IS NOT NULL ORDER BY 3, name`,
  )
}

type TimeRow = {
  domain_id: string
  node_id: string
  ms: number | null
  samples: number
  failed: number
  at: Date
  fresh: boolean
}

export async function originTimes(tx: Tx, domainIds: readonly string[]): Promise<TimeRow[]> {
  return tx.query(
    `SELECT domain_id, node_id, ms::float8 AS ms, samples, failed, at, at > now() - interval '${FRESH_SECONDS} seconds' AS fresh
     FROM origin_time WHERE domain_id = ANY($1::uuid[])`,
    [domainIds],
  )
}

/** The regions as their nodes see the origin of one domain. */
export function regionsOf(nodes: readonly RegionNodeRow[], times: readonly TimeRow[]): ShieldRegion[] {
  const timeOf = new Map(times.map((one) => [one.node_id, one]))
  return [...Map.groupBy(nodes, ({ region }) => region)].map(([region, members]) => ({
    region,
    usable: members.some(isUsable),
    ms: medianOf(
      members.flatMap((node) => {
        const time = timeOf.get(node.id)
        return isUsable(node) && time?.fresh === true && time.ms !== null ? [time.ms] : []
      }),
    ),
    nodes: members.map((node) => {
      const time = timeOf.get(node.id)
      return {
        node: node.name,
        away: !node.there,
        reachable: node.shield_address !== null,
        ms: time?.ms ?? null,
        samples: time?.samples ?? 0,
        failed: time?.failed ?? 0,
        measuredAt: time?.at.toISOString() ?? null,
      }
    }),
  }))
}

const isUsable = ({ there, shield_address }: RegionNodeRow): boolean => there && shield_address !== null

export type Route = Omit<ChosenRegion, 'order'> & { nodes: EdgeShield['nodes'] }

/**
 * Which nodes are asked for one domain, and in which order. A node that is away stays among them: the others notice
 * faster than anybody could tell them, and it is asked again as soon as it is back.
 */
export function routeOf(
  wanted: string | null,
  before: Pick<RouteRow, 'region' | 'nodes'> | null,
  nodes: readonly RegionNodeRow[],
  times: readonly TimeRow[],
): Route {
  const { region, why, order } = chooseRegion(wanted, before === null ? [] : orderOf(before), regionsOf(nodes, times))
  const asked = order.flatMap((name) =>
    nodes.flatMap((node) => {
      const at = node.region === name && node.shield_address !== null ? hostPortOf(node.shield_address) : null
      return at === null ? [] : [{ node: node.name, region: name, ...at }]
    }),
  )
  return { region, why, nodes: asked.slice(0, MOST_NODES) }
}

const orderOf = ({ region, nodes }: Pick<RouteRow, 'region' | 'nodes'>): string[] => [
  ...new Set([...(region === null ? [] : [region]), ...nodes.map((node) => node.region)]),
]

const MOST_NODES = 200

function hostPortOf(text: string): { host: string; port: number } | null {
  const [, six, four, port] = /^(?:\[([0-9a-fA-F:]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? []
  const host = six ?? four
  return host === undefined || Number(port) > 65_535 || Number(port) < 1 ? null : { host, port: Number(port) }
}

export type RouteRow = {
  domain_id: string
  region: string | null
  why: ChosenRegion['why']
  nodes: EdgeShield['nodes']
  since: Date
}

export async function keptRoute(tx: Tx, domainId: string): Promise<RouteRow | undefined> {
  return (await tx.query<RouteRow>('SELECT * FROM shield_route WHERE domain_id = $1', [domainId]))[0]
}

type Place = { organizationId: string; siteId: string; domainId: string }

export async function keepRoute(tx: Tx, { organizationId, siteId, domainId }: Place, route: Route): Promise<void> {
  await tx.query(
    `INSERT INTO shield_route (domain_id, organization_id, site_id, region, why, nodes) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (domain_id) DO UPDATE SET organization_id = $2, site_id = $3, region = $4, why = $5, nodes = $6,
       since = CASE WHEN shield_route.region IS DISTINCT FROM $4 THEN now() ELSE shield_route.since END`,
    [domainId, organizationId, siteId, route.region, route.why, JSON.stringify(route.nodes)],
  )
}

/** What the owner has chosen; null for auto. */
export async function wantedRegion(tx: Tx, domainId: string): Promise<string | null> {
  const [row] = await tx.query<{ region: string | null }>('SELECT region FROM shield_region WHERE id = $1', [domainId])
  return row?.region ?? null
}

export async function setWantedRegion(
  tx: Tx,
  { organizationId, siteId, domainId }: Place,
  region: string | null,
): Promise<void> {
  await tx.query(
    `INSERT INTO shield_region (id, organization_id, site_id, region) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id) DO UPDATE SET region = $4, modified_at = now()`,
    [domainId, organizationId, siteId, region],
  )
}

/** What a node says of domains that are there; days are UTC's. */
export async function noteShield(
  tx: Tx,
  node: string,
  { times, counts }: { times: OriginTime[]; counts: ShieldCount[] },
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO origin_time (domain_id, node_id, organization_id, ms, samples, failed, at)
     SELECT DISTINCT ON (d.id) d.id, n.id, d.organization_id, t.ms, t.samples, t.failed, to_timestamp(least(t.at, $3::float8) / 1000)
     FROM jsonb_to_recordset($2::jsonb) AS t("domainId" uuid, ms real, samples int, failed int, at float8)
     JOIN domain d ON d.id = t."domainId" JOIN node n ON n.id = $1 AND n.role = 'edge' ORDER BY d.id
     ON CONFLICT (domain_id, node_id) DO UPDATE SET organization_id = EXCLUDED.organization_id, ms = EXCLUDED.ms,
       samples = EXCLUDED.samples, failed = EXCLUDED.failed, at = EXCLUDED.at`,
    [node, JSON.stringify(times), now.getTime()],
  )
  await tx.query(
    `INSERT INTO shield_count (domain_id, node_id, organization_id, day, own, others)
     SELECT d.id, n.id, d.organization_id, ($3::timestamptz AT TIME ZONE 'UTC')::date, sum(c.own), sum(c.others)
     FROM jsonb_to_recordset($2::jsonb) AS c("domainId" uuid, own bigint, others bigint)
     JOIN domain d ON d.id = c."domainId" JOIN node n ON n.id = $1 AND n.role = 'edge' GROUP BY d.id, n.id ORDER BY d.id
     ON CONFLICT (domain_id, node_id, day) DO UPDATE SET own = shield_count.own + EXCLUDED.own, others = shield_count.others + EXCLUDED.others`,
    [node, JSON.stringify(counts), now],
  )
}
