import { Gauge } from 'prom-client'
import { type Database, makeMetrics } from '@fairway/platform'
import { REST_MS } from './publish/large-zones.ts'
import { IS_THERE } from './features/nodes/away.ts'

type Figures = {
  outbox: number
  outbox_seconds: number
  outbox_failing: number
  letters_waiting: number
  letters_failed: number
  earliest: number | null
  unrenewed: number
  held: number
}

/** Figures of the whole installation, which its database knows; of no organisation by name. */
export function workerMetrics(database: Database): () => Promise<string> {
  const registry = makeMetrics('worker')
  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const outbox = gauge('fairway_worker_outbox_rows', 'Changes that wait to be published')
  const age = gauge('fairway_worker_outbox_oldest_seconds', 'Age of the change that has waited longest')
  const failing = gauge('fairway_worker_outbox_failing', 'Documents that could not be built and are tried again')
  const letters = gauge('fairway_worker_letters', 'Letters by state; failed are those of the last day', ['state'])
  const earliest = gauge(
    'fairway_worker_certificate_earliest_expiry_timestamp_seconds',
    'When the first of the certificates expires that renew themselves and are good now',
  )
  const unrenewed = gauge(
    'fairway_worker_certificate_renewals_failing',
    'Certificates that are to renew themselves and have expired, or whose renewal has failed and is tried again or is refused by a node',
  )
  const held = gauge(
    'fairway_worker_charges_held',
    '1 while charges wait for an operator to confirm that they are right',
  )
  const nodes = gauge('fairway_worker_nodes', 'Nodes by role and whether they are heard', ['role', 'state'])
  return async () => {
    // Unknown is left out: a figure of before, or none, would be taken for the one of now.
    for (const one of [outbox, age, failing, earliest, unrenewed, held]) one.remove()
    for (const one of [letters, nodes]) one.reset()
    const read = await database
      .system(async (tx) => ({ figures: await tx.query<Figures>(FIGURES), nodes: await tx.query<NodeCount>(NODES) }))
      .catch(() => null)
    const figures = read?.figures[0]
    if (read && figures) {
      outbox.set(figures.outbox)
      age.set(figures.outbox_seconds)
      failing.set(figures.outbox_failing)
      letters.set({ state: 'waiting' }, figures.letters_waiting)
      letters.set({ state: 'failed' }, figures.letters_failed)
      unrenewed.set(figures.unrenewed)
      held.set(figures.held)
      if (figures.earliest !== null) earliest.set(figures.earliest)
      for (const { role, there, away } of read.nodes) {
        nodes.set({ role, state: 'there' }, there)
        nodes.set({ role, state: 'away' }, away)
      }
    }
    return registry.metrics()
  }
}

/** Parts of an import rest on purpose: they are late from then on. */
const FIGURES = `SELECT
  (SELECT count(*)::int FROM outbox) AS outbox,
  (SELECT coalesce(greatest(0, extract(epoch FROM now() - min(created_at + CASE WHEN has_more THEN make_interval(secs => ${REST_MS / 1000}) ELSE interval '0' END))), 0)::float8 FROM outbox) AS outbox_seconds,
  (SELECT count(DISTINCT (kind, key))::int FROM outbox WHERE attempts > 0) AS outbox_failing,
  (SELECT count(*)::int FROM mail_message WHERE state = 'waiting') AS letters_waiting,
  (SELECT count(*)::int FROM mail_message WHERE state = 'failed' AND created_at > now() - interval '1 day') AS letters_failed,
  (SELECT count(*)::int FROM (SELECT FROM operator_hold WHERE confirmed_at IS NULL LIMIT 1) one) AS held,
  own.earliest, own.unrenewed
  FROM (SELECT extract(epoch FROM min(not_after) FILTER (WHERE not_after > now()))::float8 AS earliest,
      (count(*) FILTER (WHERE attempts > 0 OR not_after <= now() OR (step = 'deploy' AND hindrance = 'failed')))::int AS unrenewed
    FROM (SELECT not_after, attempts, step, hindrance FROM certificate WHERE chain_pem IS NOT NULL AND imported_at IS NULL AND removed_at IS NULL
      UNION ALL SELECT not_after, attempts, step, hindrance FROM stream_certificate WHERE chain_pem IS NOT NULL) each_one) own`

type NodeCount = { role: string; there: number; away: number }
const NODES = `SELECT role, (count(*) FILTER (WHERE ${IS_THERE}))::int AS there, (count(*) FILTER (WHERE NOT ${IS_THERE}))::int AS away FROM node GROUP BY role`
