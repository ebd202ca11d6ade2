import { READY_ROLES, permissionsOf } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { notify } from '../notifications/notify.ts'
import { writeRoles } from './store.ts'

type Candidate = { email: string; is_owner: boolean; suspended: boolean; verified: boolean }

/**
 * Makes a person the owner of their organisation; whoever was it before administers it from then on. Expects the lock
 * of the people.
 * @throws Failure 404 when the organisation has no such person, 1484 when they are the owner, or cannot sign in
 */
export async function makeOwner(tx: Tx, organizationId: string, id: string): Promise<{ from: string; to: string }> {
  const [person] = await tx.query<Candidate>(
    'SELECT email, is_owner, suspended, email_verified_at IS NOT NULL AS verified FROM app_user WHERE id = $1 AND organization_id = $2 FOR UPDATE',
    [id, organizationId],
  )
  if (!person) throw new Failure(404)
  if (person.is_owner || person.suspended || !person.verified) throw new Failure(1484)
  const before = await tx.query<{ id: string; email: string }>(
    'UPDATE app_user SET is_owner = false WHERE organization_id = $1 AND is_owner RETURNING id, email',
    [organizationId],
  )
  for (const one of before) await writeRoles(tx, one.id, READY_ROLES.administrator)
  await tx.query(`UPDATE app_user SET is_owner = true, role_ids = '{}', permissions = $2, api_tier = 4 WHERE id = $1`, [
    id,
    [...permissionsOf({ owner: true })],
  ])
  const names = { from: before.map(({ email }) => email).join(', '), to: person.email }
  await notify(tx, { organizationId, event: 'owner-changed', fields: names })
  return names
}
