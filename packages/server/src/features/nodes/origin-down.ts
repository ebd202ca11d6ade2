import type { OriginReport } from '@fairway/contract'
import type { Database, Tx } from '@fairway/platform'
import { notifyConsole } from '../../http/commit-change.ts'
import { continueIncident, endIncident, endQuietly, notify } from '../notifications/notify.ts'

// The nodes tell what they saw of an origin in their last two minutes. What the origin itself answers, an error too,
// speaks for it: a path that is broken, however often a stranger asks for it, is no outage.

/** Fewer requests than these say nothing. */
const LEAST_ASKED = 20
const DOWN_SHARE = 0.9
const UP_SHARE = 0.5
/** From so many failures on, all nodes are asked for what they see of it. */
const ASKED_FROM = 10
/** Several rounds of the nodes: one that tells no more has died, or sees nothing of it. */
const HEARD_SECONDS = 45
/** Of the asking: two rounds, that of being asked and that of telling, and some more. */
const SETTLED_SECONDS = 45
/** What fails again so soon is one incident. */
const AGAIN_SECONDS = 600
/** Calm before its end is told; after it has come and gone once, as long as it may begin again. */
const CALM_SECONDS = 60
const FORGOTTEN_MINUTES = 10
const MOST = 500
const MOST_ASKED = 2_000

const incidentOf = (domainId: string): string => `origin-down:${domainId}`

/**
 * Keeps what an edge node says of origins; answers with the domains of which every node is asked. `since` is the report
 * with which that began: those before it were answered to one node alone.
 */
export async function noteOrigins(tx: Tx, node: string, reports: readonly OriginReport[]): Promise<string[]> {
  if (reports.length > 0)
    await tx.query(
      `INSERT INTO origin_report AS o (domain_id, node_id, answered, unconnected, silent)
       SELECT DISTINCT ON (d.id) d.id, n.id, r.answered, r.unconnected, r.silent
       FROM jsonb_to_recordset($2::jsonb) AS r("domainId" uuid, answered int, unconnected int, silent int)
       JOIN domain d ON d.id = r."domainId" AND d.removed_at IS NULL JOIN node n ON n.id = $1 AND n.role = 'edge' ORDER BY d.id
       ON CONFLICT (domain_id, node_id) DO UPDATE SET answered = EXCLUDED.answered, unconnected = EXCLUDED.unconnected, silent = EXCLUDED.silent,
         since = CASE WHEN o.told_at > now() - make_interval(secs => ${HEARD_SECONDS}) AND
             (SELECT sum(p.unconnected + p.silent) FROM origin_report p WHERE p.domain_id = o.domain_id AND p.told_at > now() - make_interval(secs => ${HEARD_SECONDS})) >= ${ASKED_FROM}
           THEN o.since ELSE now() END, told_at = now()`,
      [node, JSON.stringify(reports)],
    )
  const asked = await tx.query<{ id: string }>(
    `(SELECT domain_id AS id FROM health_event WHERE kind = 'origin-down' AND ended_at IS NULL AND domain_id IS NOT NULL
      UNION SELECT domain_id FROM origin_report WHERE told_at > now() - make_interval(secs => ${HEARD_SECONDS}) GROUP BY domain_id HAVING sum(unconnected + silent) >= ${ASKED_FROM})
     LIMIT ${MOST_ASKED}`,
  )
  return asked.map(({ id }) => id)
}

/**
 * Shares are of what all nodes saw. Whether it is enough to say anything goes by the node that saw most silence: each
 * counts networks for itself, and a stranger may ask all of them.
 */
const SEEN = `WITH seen AS (
  SELECT domain_id, sum(unconnected + silent)::int AS failed, sum(answered + unconnected + silent)::int AS asked, sum(unconnected) + max(silent) AS surely_failed, sum(answered) AS answered, sum(silent) > sum(unconnected) AS is_silent, min(since) AS since
  FROM origin_report WHERE told_at > now() - make_interval(secs => ${HEARD_SECONDS}) GROUP BY domain_id)`

/** Somebody asks its origin: a CDN on our edge that is in use. */
const SERVED = `d.removed_at IS NULL AND EXISTS (SELECT FROM domain_cdn c JOIN cdn k ON k.organization_id = c.organization_id AND k.id = c.cdn_id
  WHERE c.domain_id = d.id AND c.enabled AND c.state <> 'deleting' AND k.driver IN ('fairway-edge', 'simulated'))`

type Down = {
  organizationId: string
  siteId: string
  domainId: string
  host: string
  origin: string
  failed: number
  asked: number
  isSilent: boolean
}

/** Nodes tell of an origin; an outage lasts, or people were told of one and not yet of its end. */
export const ORIGINS_DUE = `SELECT FROM origin_report UNION ALL SELECT FROM health_event WHERE kind = 'origin-down' AND domain_id IS NOT NULL AND ended_at IS NULL
  UNION ALL SELECT FROM notification WHERE event = 'origin-down' AND incident IS NOT NULL AND ended_at IS NULL`

/** Opens and closes the outages of origins, and tells people. One question finds all that begin, and one all that end. */
export async function watchOrigins(database: Database): Promise<void> {
  const begun = await database.system((tx) =>
    tx.query<Down>(
      `${SEEN} SELECT d.organization_id AS "organizationId", d.site_id AS "siteId", d.id AS "domainId", d.name AS host, d.origin_address AS origin, s.failed, s.asked, s.is_silent AS "isSilent"
       FROM seen s JOIN domain d ON d.id = s.domain_id
       WHERE s.surely_failed + s.answered >= ${LEAST_ASKED} AND s.surely_failed >= ${DOWN_SHARE * LEAST_ASKED} AND s.failed >= ${DOWN_SHARE} * s.asked AND s.since < now() - make_interval(secs => ${SETTLED_SECONDS}) AND ${SERVED}
         AND NOT EXISTS (SELECT FROM health_event e WHERE e.domain_id = d.id AND e.kind = 'origin-down' AND e.ended_at IS NULL) LIMIT ${MOST}`,
    ),
  )
  for (const down of begun) await database.system((tx) => begin(tx, down))
  await database.system(end)
  for (const told of await database.system(calm)) await database.system((tx) => tellEnd(tx, told))
  await database.system((tx) =>
    tx.query(`DELETE FROM origin_report WHERE told_at < now() - make_interval(mins => ${FORGOTTEN_MINUTES})`),
  )
}

async function begin(tx: Tx, { organizationId, siteId, domainId, ...fields }: Down): Promise<void> {
  const detail = JSON.stringify({ domain: fields.host, ...fields })
  const again = await tx.query(
    `UPDATE health_event SET ended_at = NULL, detail = (detail - 'gone') || $2 || jsonb_build_object('flaps', coalesce((detail->>'flaps')::int, 0) + 1)
     WHERE id = (SELECT id FROM health_event WHERE domain_id = $1 AND kind = 'origin-down' ORDER BY started_at DESC LIMIT 1) AND ended_at > now() - make_interval(secs => ${AGAIN_SECONDS}) RETURNING id`,
    [domainId, detail],
  )
  if (again.length === 0) {
    const opened = await tx.query(
      `INSERT INTO health_event (organization_id, kind, domain_id, title, detail) VALUES ($1, 'origin-down', $2, $3, $4) ON CONFLICT DO NOTHING RETURNING id`,
      [organizationId, domainId, fields.host, detail],
    )
    if (opened.length === 0) return
  }
  const news = { organizationId, siteId, event: 'origin-down', fields, incident: incidentOf(domainId) } as const
  await (again.length === 0 ? notify(tx, news) : continueIncident(tx, news))
  await notifyConsole(tx, { organizationId, kind: 'health', siteId })
}

/** It answers again; or it is gone: nobody's any more, or no CDN asks it. */
async function end(tx: Tx): Promise<void> {
  const ended = await tx.query<{ organizationId: string; siteId: string }>(
    `${SEEN} UPDATE health_event e SET ended_at = now(), detail = CASE WHEN ${SERVED} THEN e.detail ELSE e.detail || '{"gone": true}' END FROM domain d LEFT JOIN seen s ON s.domain_id = d.id
     WHERE e.kind = 'origin-down' AND e.ended_at IS NULL AND d.id = e.domain_id
       AND (s.asked > 0 AND s.failed <= ${UP_SHARE} * s.asked OR NOT (${SERVED}))
     RETURNING e.organization_id AS "organizationId", d.site_id AS "siteId"`,
  )
  for (const { organizationId, siteId } of ended) await notifyConsole(tx, { organizationId, kind: 'health', siteId })
}

type Told = { organizationId: string; incident: string; endedAt: Date | null }

/** People were told of these, and they have been over for long enough; without an end where the origin is gone. */
function calm(tx: Tx): Promise<Told[]> {
  return tx.query<Told>(
    `SELECT n.organization_id AS "organizationId", n.incident, CASE WHEN e.detail ? 'gone' THEN NULL ELSE e.ended_at END AS "endedAt" FROM notification n
     LEFT JOIN LATERAL (SELECT ended_at, detail FROM health_event WHERE domain_id = substr(n.incident, length('origin-down:') + 1)::uuid AND kind = 'origin-down' ORDER BY started_at DESC LIMIT 1) e ON true
     WHERE n.incident LIKE 'origin-down:%' AND n.ended_at IS NULL
       AND (e.detail IS NULL OR e.ended_at < now() - make_interval(secs => CASE WHEN e.detail ? 'flaps' THEN ${AGAIN_SECONDS} ELSE ${CALM_SECONDS} END)) LIMIT ${MOST}`,
  )
}

/** Of one that is gone, that it answers again would not be true. */
async function tellEnd(tx: Tx, { organizationId, incident, endedAt }: Told): Promise<void> {
  if (endedAt !== null) await endIncident(tx, organizationId, incident, { at: endedAt })
  else await endQuietly(tx, organizationId, incident)
}
