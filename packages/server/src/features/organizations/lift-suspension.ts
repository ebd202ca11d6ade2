import type { Config, Database } from '@fairway/platform'
import { writeAudit } from '../../http/write-audit.ts'
import { accountOf } from '../billing/account-store.ts'
import { findFactsOf } from '../billing/usage-meter.ts'
import { suspendOrganization, suspendPerson } from './suspend.ts'

type Held = { id: string; organization_id: string; name: string; suspended: boolean; org_suspended: boolean }

/**
 * Lets somebody in again who was suspended, and their organisation: by the hand of whoever has the machine, for when
 * nobody who runs the installation can sign in any more.
 * @returns what was lifted; empty for nothing, null when nobody has the address
 */
export async function liftSuspension(config: Config, database: Database, email: string): Promise<string[] | null> {
  const address = email.toLowerCase()
  return database.system(async (tx) => {
    const [held] = await tx.query<Held>(
      'SELECT u.id, u.organization_id, o.name, u.suspended, o.suspended AND o.closed_at IS NULL AS org_suspended FROM app_user u JOIN organization o ON o.id = u.organization_id WHERE u.email = $1',
      [address],
    )
    if (!held) return null
    const { id, organization_id: organization, name } = held
    const lifted: { entity: 'organization' | 'user'; id: string; label: string }[] = []
    if (held.org_suspended) {
      await accountOf(tx, organization, { lock: true })
      await suspendOrganization(tx, { organization, suspended: false, by: 'house' })
      await findFactsOf(tx, config, await accountOf(tx, organization), new Date())
      lifted.push({ entity: 'organization', id: organization, label: name })
    }
    if (held.suspended) {
      await suspendPerson(tx, { user: id, suspended: false, by: 'house' })
      lifted.push({ entity: 'user', id, label: address })
    }
    for (const what of lifted)
      await writeAudit(tx, {
        organizationId: organization,
        action: what.entity === 'user' ? 'user.suspend' : 'organization.update',
        userId: null,
        userLabel: 'operator',
        source: 'system',
        changes: [{ ...what, before: { suspended: true }, after: { suspended: false } }],
      })
    return lifted.map(({ label }) => label)
  })
}
