import { permissionsOf, roleOf } from '@fairway/domain'
import type { RoleId } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { hashPassword } from './features/auth/password.ts'
import { createOrganization, createOwner } from './installation.ts'

/** What somebody who looks around sees of the sandbox: all of it. */
const VIEWER: readonly RoleId[] = ['site-viewer', 'teammate-viewer', 'dem-viewer', 'auditLog-viewer', 'billing-viewer']

export type SandboxPlan = { organization: string; site: string; password: string }

/**
 * Makes the organisation that stands open to everybody, still to be filled by its owner, who signs in with the
 * password. Null when it is there and closed.
 */
export async function openSandbox(
  tx: Tx,
  { organization, site, password }: SandboxPlan,
): Promise<{ organizationId: string; email: string } | null> {
  const email = `visitor@${site}`
  const [known] = await tx.query<{ id: string; sandbox: boolean }>(
    'SELECT id, sandbox FROM organization WHERE public_sandbox',
  )
  if (known?.sandbox) return null
  if (known) {
    await tx.query('UPDATE app_user SET password_hash = $2 WHERE organization_id = $1', [
      known.id,
      await hashPassword(password),
    ])
    return { organizationId: known.id, email }
  }
  const organizationId = await createOrganization(tx, { name: organization, planId: 'enterprise' })
  await tx.query('UPDATE organization SET public_sandbox = true WHERE id = $1', [organizationId])
  await createOwner(tx, { organizationId, email, password, firstName: 'Guest', lastName: 'Visitor', isOperator: false })
  return { organizationId, email }
}

/** From here on nobody writes in it, and its one user views. */
export async function closeSandbox(tx: Tx, organizationId: string): Promise<void> {
  await tx.query('UPDATE organization SET sandbox = true WHERE id = $1', [organizationId])
  await tx.query(
    'UPDATE app_user SET password_hash = NULL, is_owner = false, api_tier = NULL, role_ids = $2, permissions = $3 WHERE organization_id = $1',
    [organizationId, VIEWER, [...permissionsOf(roleOf(VIEWER))]],
  )
  await tx.query('UPDATE session SET revoked_at = now() WHERE organization_id = $1 AND revoked_at IS NULL', [
    organizationId,
  ])
}
