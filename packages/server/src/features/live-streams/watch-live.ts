import type { NotificationEvents } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { endIncident, notify } from '../notifications/notify.ts'

/** A short break that the encoder mends by itself need not be told. */
const TOLD_SECONDS = 8
const IDLE_HOURS = 3
const UNWATCHED_MINUTES = 30

type Told = 'live-input-lost' | 'live-problem' | 'live-idle' | 'live-unwatched'
type Found = { id: string; organization_id: string; name: string; at: Date; problem: string }

/**
 * What is told of streams that are on, once for as long as it lasts: while `is` holds, from `at` on, until `isOver`. A
 * lost signal is told before what it leads to.
 */
const WATCHED: { event: Told; at: string; is: string; isOver: string }[] = [
  {
    event: 'live-input-lost',
    at: `(l.input->>'since')::timestamptz`,
    is: `l.input->>'state' = 'lost' AND (l.input->>'since')::timestamptz < now() - interval '${TOLD_SECONDS} seconds'`,
    isOver: `l.input->>'state' = 'live'`,
  },
  {
    event: 'live-problem',
    at: 'now()',
    is: `l.input->>'problem' <> '' AND l.input->>'state' <> 'lost' AND NOT EXISTS
      (SELECT FROM notification n WHERE n.incident = 'live-input-lost:' || l.id AND n.ended_at IS NULL)`,
    // Who comes back and is refused again is the same incident.
    isOver: `l.input->>'problem' = '' AND l.input->>'state' = 'live' AND (l.input->>'since')::timestamptz < now() - interval '${TOLD_SECONDS} seconds'`,
  },
  {
    event: 'live-idle',
    at: 'now()',
    is: `l.running_since < now() - interval '${IDLE_HOURS} hours' AND l.input->>'state' IS DISTINCT FROM 'live'
      AND coalesce((l.input->>'since')::timestamptz < now() - interval '${IDLE_HOURS} hours', true)`,
    isOver: `l.input->>'state' = 'live'`,
  },
  {
    event: 'live-unwatched',
    at: 'now()',
    is: `l.input->>'state' = 'live' AND l.input->>'isTest' IS DISTINCT FROM 'true'
      AND greatest(l.asked_at, (l.input->>'since')::timestamptz) < now() - interval '${UNWATCHED_MINUTES} minutes'`,
    isOver: `l.input->>'state' IS DISTINCT FROM 'live' OR l.asked_at > n.created_at`,
  },
]

/** A stream is on, or people were told of one. */
export const LIVE_DUE = `SELECT FROM stream_live WHERE is_on AND deleted_at IS NULL
  UNION ALL SELECT FROM notification WHERE event IN (${WATCHED.map(({ event }) => `'${event}'`).join(', ')}) AND incident IS NOT NULL AND ended_at IS NULL`

const FIELDS: { [E in Told]: (found: Found) => NotificationEvents[E] } = {
  'live-input-lost': ({ name }) => ({ stream: name }),
  'live-problem': ({ name, problem }) => ({ stream: name, problem }),
  'live-idle': ({ name }) => ({ stream: name, hours: IDLE_HOURS }),
  'live-unwatched': ({ name }) => ({ stream: name, minutes: UNWATCHED_MINUTES }),
}

/** Tells of streams that are on and lack a signal, an encoding or viewers, and when that is over or they are off. */
export async function watchLive(tx: Tx): Promise<void> {
  // One worker at a time, so that nobody tells twice.
  await tx.query('SELECT pg_advisory_xact_lock(4717)')
  for (const { event, at, is, isOver } of WATCHED) {
    const found = await tx.query<Found>(
      `SELECT l.id, l.organization_id, l.name, ${at} AS at, coalesce(l.input->>'problem', '') AS problem FROM stream_live l
       WHERE l.is_on AND l.deleted_at IS NULL AND ${is}
         AND NOT EXISTS (SELECT FROM notification n WHERE n.incident = $1 || ':' || l.id AND n.ended_at IS NULL)`,
      [event],
    )
    for (const one of found) await tell(tx, event, one)
    const over = await tx.query<{ organization_id: string; incident: string }>(
      `SELECT n.organization_id, n.incident FROM notification n JOIN stream_live l ON n.incident = $1 || ':' || l.id
       WHERE n.ended_at IS NULL AND (${isOver} OR NOT l.is_on OR l.deleted_at IS NOT NULL)`,
      [event],
    )
    for (const { organization_id: organizationId, incident } of over) await endIncident(tx, organizationId, incident)
  }
}

const tell = <E extends Told>(tx: Tx, event: E, found: Found): Promise<boolean> =>
  notify(tx, {
    organizationId: found.organization_id,
    event,
    fields: FIELDS[event](found),
    incident: `${event}:${found.id}`,
    at: found.at,
  })
