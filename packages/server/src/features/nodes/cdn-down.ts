import type { HealthTransition } from '@fairway/contract'
import type { Database, Tx } from '@fairway/platform'
import { notifyConsole } from '../../http/commit-change.ts'
import { continueIncident, endIncident, notify } from '../notifications/notify.ts'

/** What dies again so soon is one incident. */
const AGAIN_SECONDS = 600
/** Calm before its end is told; after it has come and gone once, as long as it may begin again. */
const CALM_SECONDS = 60

/** Of one event, newest; all of them are in `downMs`. */
const SPANS_KEPT = 100

/** From and to, epoch ms: when it was down, without the calm between. */
type Span = [number, number]
type DownRow = {
  id: string
  name: string
  started_at: Date
  ended_at: Date | null
  flaps: number
  since: number | null
  down_ms: number | null
  spans: Span[] | null
}

const incidentOf = (cdnId: string): string => `cdn-down:${cdnId}`

/**
 * A CDN that probes see dead opens an event; seeing it alive again closes it. Telling the same thing twice changes
 * nothing. People are told of the end when it has lasted, by `tellCalm`.
 */
export async function recordTransition(
  tx: Tx,
  { organizationId, cdnId, hardDown, at, evidence }: HealthTransition,
): Promise<void> {
  const when = new Date(at)
  const [last] = await tx.query<DownRow>(
    `SELECT id, title AS name, started_at, ended_at, coalesce((detail->>'flaps')::int, 0) AS flaps, (detail->>'since')::float8 AS since, (detail->>'downMs')::float8 AS down_ms, detail->'spans' AS spans FROM health_event
     WHERE organization_id = $1 AND cdn_id = $2 AND kind = 'cdn-down' AND (ended_at IS NULL OR ended_at > $3::timestamptz - make_interval(secs => ${AGAIN_SECONDS}) AND NOT detail ? 'past') ORDER BY ended_at IS NULL DESC, started_at DESC LIMIT 1`,
    [organizationId, cdnId, when],
  )
  if (hardDown === (last?.ended_at === null)) return
  if (hardDown)
    await (last
      ? flap(tx, organizationId, cdnId, last, evidence, when)
      : open(tx, organizationId, cdnId, evidence, when))
  else if (last) await end(tx, last, evidence, when)
  await notifyConsole(tx, { organizationId, kind: 'health', siteId: null })
}

async function open(tx: Tx, organizationId: string, cdnId: string, evidence: string, when: Date): Promise<void> {
  const [opened] = await tx.query<{ name: string }>(
    `INSERT INTO health_event (organization_id, kind, cdn_id, title, detail, started_at) SELECT $1, 'cdn-down', $2, name, $3, $4 FROM cdn WHERE organization_id = $1 AND id = $2 RETURNING title AS name`,
    [organizationId, cdnId, JSON.stringify({ evidence }), when],
  )
  if (!opened) return
  const fields = { cdn: opened.name, evidence }
  await notify(tx, { organizationId, event: 'cdn-down', cdnId, fields, incident: incidentOf(cdnId), at: when })
}

async function end(tx: Tx, last: DownRow, evidence: string, when: Date): Promise<void> {
  const span: Span = [last.since ?? last.started_at.getTime(), when.getTime()]
  const detail = {
    recovery: evidence,
    downMs: (last.down_ms ?? 0) + Math.max(0, span[1] - span[0]),
    spans: [...(last.spans ?? []), span].slice(-SPANS_KEPT),
  }
  await tx.query(`UPDATE health_event SET ended_at = $2, detail = detail || $3 WHERE id = $1`, [
    last.id,
    when,
    JSON.stringify(detail),
  ])
}

/** People are told again only when they have been told that it was over. */
async function flap(
  tx: Tx,
  organizationId: string,
  cdnId: string,
  last: DownRow,
  evidence: string,
  when: Date,
): Promise<void> {
  const flaps = last.flaps + 1
  // One that has ended before spans were kept was down all the while.
  const before: Span = [last.started_at.getTime(), (last.ended_at ?? when).getTime()]
  const spans = last.spans ?? [before]
  const downMs = last.down_ms ?? before[1] - before[0]
  await tx.query(`UPDATE health_event SET ended_at = NULL, detail = detail || $2 WHERE id = $1`, [
    last.id,
    JSON.stringify({ evidence, flaps, since: when.getTime(), spans, downMs }),
  ])
  const fields = { cdn: last.name, evidence: `${evidence}; flaps, ${flaps} ${flaps === 1 ? 'time' : 'times'}` }
  await continueIncident(tx, { organizationId, event: 'cdn-down', cdnId, fields, incident: incidentOf(cdnId) })
}

/** People were told of one, and not yet of its end. */
export const CALM_DUE = `SELECT FROM notification WHERE event = 'cdn-down' AND incident IS NOT NULL AND ended_at IS NULL`

/** Tells those who were told of a CDN that it is alive, once it has been so for long enough. */
export async function tellCalm(database: Database): Promise<void> {
  const calm = await database.system((tx) =>
    tx.query<{ organizationId: string; incident: string; id: string; endedAt: Date }>(
      `SELECT n.organization_id AS "organizationId", n.incident, e.id, e.ended_at AS "endedAt" FROM notification n
     CROSS JOIN LATERAL (SELECT id, ended_at, detail FROM health_event WHERE organization_id = n.organization_id AND kind = 'cdn-down' AND cdn_id = substr(n.incident, length('cdn-down:') + 1) ORDER BY started_at DESC LIMIT 1) e
     WHERE n.incident LIKE 'cdn-down:%' AND n.ended_at IS NULL AND e.ended_at < now() - make_interval(secs => CASE WHEN e.detail ? 'flaps' THEN ${AGAIN_SECONDS} ELSE ${CALM_SECONDS} END) LIMIT 500`,
    ),
  )
  for (const { organizationId, incident, id, endedAt } of calm)
    await database.system(async (tx) => {
      // It may have died again since, or be dying at this moment.
      const [still] = await tx.query(
        `SELECT FROM health_event WHERE id = $1 AND date_trunc('milliseconds', ended_at) = $2 FOR UPDATE SKIP LOCKED`,
        [id, endedAt],
      )
      if (still) await endIncident(tx, organizationId, incident, { at: endedAt })
    })
}
