import { ERASED_PERSON } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import { endAccess } from './store.ts'

/** Columns that tell in words who did something. The audit log is none of them: its entries are chained by hashes. */
const LABELS: readonly (readonly [table: string, column: string])[] = [
  ['bulk_job', 'impostor'],
  ['bulk_job', 'requested_by'],
  ['cdn_review', 'requested_by'],
  ['invitation', 'inviter'],
  ['purge', 'requested_by'],
  ['session', 'impostor'],
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
/** What those who looked on as somebody, or answered a ticket, have left with other organisations. */
const HELPED = "action IN ('user.loginAs', 'ticket.answer')"

type Person = { id: string; email: string; organizationId: string }

/**
 * Ends somebody's account. Their row goes, with what belongs to it (passkeys, second step, sessions, places, Google,
 * notifications), and their letters; elsewhere a word stands in the place of their address.
 */
export async function erasePerson(tx: Tx, person: Person): Promise<void> {
  const { id, email, organizationId } = person
  await endAccess(tx, id)
  await beyondTenant(tx, async () => {
    await tx.query('DELETE FROM mail_message WHERE organization_id = $1 AND to_address = $2', [organizationId, email])
    await relabel(tx, person, ERASED_PERSON)
    // Of one that is closed already, the last invoices go there.
    await tx.query(
      'UPDATE organization SET closing_by = NULL WHERE id = $1 AND closing_by = $2 AND closed_at IS NULL',
      [organizationId, email],
    )
    await tx.query('DELETE FROM app_user WHERE id = $1', [id])
  })
}

/** Somebody has another address: the one before stands nowhere any more, so that deleting the account finds all. */
export const renamePerson = (tx: Tx, person: Person, to: string): Promise<void> =>
  beyondTenant(tx, async () => {
    await relabel(tx, person, to)
    await tx.query('UPDATE organization SET closing_by = $3 WHERE id = $1 AND closing_by = $2', [
      person.organizationId,
      person.email,
      to,
    ])
  })

/** Needs the system's rights. */
async function relabel(tx: Tx, { id, email, organizationId }: Person, to: string): Promise<void> {
  const helped = await tx.query(
    `SELECT FROM audit_log WHERE organization_id = $1 AND user_id = $2 AND ${HELPED} LIMIT 1`,
    [organizationId, id],
  )
  const where = helped.length > 0 ? '$1::uuid IS NOT NULL' : 'organization_id = $1'
  // The whole address: alone, before the name of a key, or on either side of ` for `.
  const pattern = `(?<![\\w.!#$%&'*+/=?^\`{|}~-])${email.replace(/[^\w@\u0080-\uffff]/g, '\\$&')}(?![\\w-]|\\.\\w)`
  const values = [organizationId, email, pattern, to]
  for (const [table, column] of LABELS)
    await tx.query(
      `UPDATE ${table} SET ${column} = regexp_replace(${column}, $3, $4, 'g') WHERE ${where} AND strpos(${column}, $2) > 0`,
      values,
    )
  // What tells somebody of their own address goes with them.
  await tx.query(
    `UPDATE notification SET fields = regexp_replace(fields::text, $3, $4, 'g')::jsonb WHERE ${where} AND event <> 'address-changed' AND strpos(fields::text, $2) > 0`,
    values,
  )
}
