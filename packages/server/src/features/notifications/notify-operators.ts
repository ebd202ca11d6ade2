import type { NotificationEvent } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { endIncident, notify, type News } from './notify.ts'

/** Tells those who run the installation, in each organisation that has one of them. For the system's transactions. */
export async function notifyOperators<E extends NotificationEvent>(
  tx: Tx,
  news: Omit<News<E>, 'organizationId' | 'siteId' | 'userId'>,
): Promise<void> {
  for (const organizationId of await operatorOrganizations(tx)) await notify(tx, { ...news, organizationId })
}

/** Ends what `notifyOperators` told. */
export async function endForOperators(tx: Tx, incident: string): Promise<void> {
  const open = await tx.query<{ organization_id: string }>(
    'SELECT organization_id FROM notification WHERE incident = $1 AND ended_at IS NULL ORDER BY organization_id',
    [incident],
  )
  for (const { organization_id: organizationId } of open) await endIncident(tx, organizationId, incident)
}

async function operatorOrganizations(tx: Tx): Promise<string[]> {
  return (
    await tx.query<{ id: string }>(
      'SELECT DISTINCT organization_id AS id FROM app_user WHERE is_operator AND NOT suspended ORDER BY 1',
    )
  ).map(({ id }) => id)
}
