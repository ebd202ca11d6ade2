import { ERASED_PERSON } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import { endAccess } from './store.ts'

/** Columns that tell in words who did something. The audit log is none of them: its entries are chained by hashes. */
const LABELS: readonly (readonly [table: string, column: string])[] = [
  ['bulk_job', 'requested_by'],
  ['cdn_review', 'requested_by'],
  ['invitation', 'inviter'],
  ['purge', 'requested_by'],
  ['stream_asset', 'created_by'],
  ['stream_caption', 'created_by'],
  ['stream_download', 'created_by'],
  ['stream_live', 'created_by'],
  ['stream_signing_key', 'created_by'],
  ['stream_thumbnail', 'created_by'],
  ['support_message', 'author'],
  ['support_ticket', 'user_label'],
  ['version', 'author'],
]

/**
 * Ends somebody's account. Their row goes, with what belongs to it (passkeys, second step, sessions, places, Google,
 * notifications), and their letters; elsewhere a word stands in the place of their address.
 */
export async function erasePerson(
  tx: Tx,
  { id, email, organizationId }: { id: string; email: string; organizationId: string },
): Promise<void> {
  await endAccess(tx, id)
  await beyondTenant(tx, async () => {
    await tx.query('DELETE FROM mail_message WHERE organization_id = $1 AND to_address = $2', [organizationId, email])
    // A label is the address, that of a key of theirs, or of somebody who looked on as them.
    for (const [table, column] of LABELS)
      await tx.query(
        `UPDATE ${table} SET ${column} = replace(${column}, $2::text, $3) WHERE organization_id = $1
           AND (${column} = $2::text OR starts_with(${column}, $2::text || ' ') OR right(${column}, length($2::text) + 5) = ' for ' || $2::text)`,
        [organizationId, email, ERASED_PERSON],
      )
    await tx.query('DELETE FROM app_user WHERE id = $1', [id])
  })
}
