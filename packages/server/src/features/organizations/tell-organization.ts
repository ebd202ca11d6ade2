import type { EntityChange } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import type { UserActor } from '../../http/actor.ts'
import { writeAudit } from '../../http/write-audit.ts'

/**
 * Writes into the audit log of the organisation that something was done to from outside; the caller's own organisation
 * has its entry from the wrapper.
 */
export async function tellOrganization(
  tx: Tx,
  actor: UserActor,
  organizationId: string,
  action: string,
  changes: EntityChange[] = [],
): Promise<void> {
  if (organizationId === actor.organizationId) return
  await writeAudit(tx, {
    organizationId,
    action,
    userId: actor.userId,
    userLabel: actor.label,
    impostor: actor.impostor,
    ip: actor.ip,
    source: actor.source,
    siteId: null,
    domain: null,
    version: null,
    changes,
  })
}
