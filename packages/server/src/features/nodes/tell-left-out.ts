import type { ScoresSnapshot } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { endIncident, notify } from '../notifications/notify.ts'

const PREFIX = 'feed-left-out:'
export const leftOutIncident = (feed: string): string => `${PREFIX}${feed}`

/**
 * Opens an incident for each outside feed that is left out, once, and ends those of which the newest scores tell no
 * more.
 */
export async function tellLeftOut(tx: Tx, { organizationId, leftOut = [], builtAt }: ScoresSnapshot): Promise<void> {
  const open = new Set(
    (
      await tx.query<{ incident: string }>(
        `SELECT incident FROM notification WHERE organization_id = $1 AND incident LIKE '${PREFIX}%' AND ended_at IS NULL`,
        [organizationId],
      )
    ).map((row) => row.incident),
  )
  for (const one of leftOut) {
    if (open.delete(leftOutIncident(one.feed))) continue
    const [row] = await tx.query<{ name: string; cdn: string | null }>(
      'SELECT f.name, c.name AS cdn FROM outside_feed f LEFT JOIN cdn c ON c.organization_id = f.organization_id AND c.id = $3 WHERE f.organization_id = $1 AND f.id::text = $2 AND f.enabled',
      [organizationId, one.feed, one.cdnId],
    )
    if (row)
      await notify(tx, {
        organizationId,
        event: 'feed-left-out',
        fields: { feed: row.name, state: one.state, cdn: row.cdn ?? '', place: one.place ?? '' },
        incident: leftOutIncident(one.feed),
        at: new Date(one.since),
      })
  }
  for (const incident of open) await endIncident(tx, organizationId, incident, { at: new Date(builtAt) })
}
