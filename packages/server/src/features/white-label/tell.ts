import type { WhiteLabelUse } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { endForOperators, notifyOperators } from '../notifications/notify-operators.ts'
import { notify } from '../notifications/notify.ts'

export type Told =
  | { event: 'white-label-leaks'; fields: { partner: string; names: string } }
  | { event: 'white-label-lost'; fields: { partner: string; name: string; seen: string } }

export const leakIncident = (partnerId: string): string => `white-label-leaks:${partnerId}`
export const lostIncident = (partnerId: string, use: WhiteLabelUse): string => `white-label-lost:${partnerId}:${use}`

/** Tells those who run the installation, and those who look after the partner, once for each incident. */
export async function tellOfPartner(tx: Tx, partnerId: string, incident: string, told: Told): Promise<void> {
  await notifyOperators(tx, { ...told, incident })
  const people = await tx.query<{ id: string; organization_id: string }>(
    'SELECT id, organization_id FROM app_user WHERE administers_partner_id = $1 AND NOT is_operator AND NOT suspended ORDER BY id',
    [partnerId],
  )
  for (const { id: userId, organization_id: organizationId } of people)
    await notify(tx, { ...told, organizationId, userId, incident: `${incident}:${userId}` })
}

/** What was told is over. */
export async function endOfPartner(tx: Tx, incident: string): Promise<void> {
  const open = await tx.query<{ incident: string }>(
    `SELECT DISTINCT incident FROM notification WHERE ended_at IS NULL AND (incident = $1 OR starts_with(incident, $1 || ':')) ORDER BY 1`,
    [incident],
  )
  for (const one of open) await endForOperators(tx, one.incident)
}
