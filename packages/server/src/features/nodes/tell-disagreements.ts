import type { Disagreement, ScoresSnapshot } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { endIncident, notify } from '../notifications/notify.ts'

const PREFIX = 'beacons-disagree:'
const incidentOf = ({ cdnId, place }: Disagreement): string => `${PREFIX}${cdnId}:${place}`

// An incident wakes people, so it is opened for a clear lie and not for a few bad lines: whoever wants traffic moved
// has to claim a CDN is (nearly) dead. What is left out without an incident is still shown by the data feeds.
const TOLD_PERCENT = 50
const TOLD_SAMPLES = 20

/**
 * Opens an incident for each place whose beacons clearly contradict the probes and all other visitors, and ends those
 * of which the newest scores tell no more. So it is right however often, or by whom, scores are published.
 */
export async function tellDisagreements(
  tx: Tx,
  { organizationId, disagreements = [], builtAt }: ScoresSnapshot,
): Promise<void> {
  const open = new Set(
    (
      await tx.query<{ incident: string }>(
        `SELECT incident FROM notification WHERE organization_id = $1 AND incident LIKE '${PREFIX}%' AND ended_at IS NULL`,
        [organizationId],
      )
    ).map((row) => row.incident),
  )
  for (const one of disagreements) {
    if (open.delete(incidentOf(one))) continue
    if (one.availability > TOLD_PERCENT || one.heard < TOLD_SAMPLES) continue
    const [cdn] = await tx.query<{ name: string }>('SELECT name FROM cdn WHERE organization_id = $1 AND id = $2', [
      organizationId,
      one.cdnId,
    ])
    if (cdn)
      await notify(tx, {
        organizationId,
        event: 'beacons-disagree',
        cdnId: one.cdnId,
        fields: {
          cdn: cdn.name,
          place: one.place,
          heard: one.heard,
          subnets: one.subnets,
          said: tenths(one.availability),
          others: tenths(one.others),
        },
        incident: incidentOf(one),
        at: new Date(one.since),
      })
  }
  for (const incident of open) await endIncident(tx, organizationId, incident, { at: new Date(builtAt) })
}

const tenths = (percent: number): number => Math.round(percent * 10) / 10
