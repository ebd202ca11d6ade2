import { type AnyRoute, FEATURES, type Feature } from '@fairway/contract'
import { ERASED_PERSON } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import { endAccess } from './store.ts'

/** Columns that tell in words who did something, but for what is kept as it is: the audit log and granted credit. */
const LABELS: readonly (readonly [table: string, column: string, ofOrganization?: string])[] = [
  ['bulk_job', 'impostor'],
  ['bulk_job', 'requested_by'],
  ['cdn_review', 'decided_by'],
  ['cdn_review', 'requested_by'],
  ['invitation', 'inviter'],
  // Of no organisation, and few.
  ['operator_hold', 'confirmed_by', '$1::uuid IS NOT NULL'],
  ['purge', 'requested_by', ofIts('site')],
  ['session', 'impostor'],
  ['stream_asset', 'created_by'],
  ['stream_caption', 'created_by', ofIts('stream_asset', 'asset_id')],
  ['stream_download', 'created_by', ofIts('stream_asset', 'asset_id')],
  ['stream_live', 'created_by'],
  ['stream_signing_key', 'created_by'],
  ['stream_thumbnail', 'created_by', ofIts('stream_asset', 'asset_id')],
  ['support_message', 'author', ofIts('support_ticket', 'ticket_id')],
  ['support_ticket', 'user_label'],
  ['version', 'author', ofIts('site')],
]
/** Tables of many rows without an index by organisation are asked by what their rows belong to. */
function ofIts(table: string, column = `${table}_id`): string {
  return `${column} IN (SELECT id FROM ${table} WHERE organization_id = $1)`
}

const ROUTES = (Object.values(FEATURES) as unknown as Feature<Record<string, AnyRoute>>[]).flatMap(({ routes }) =>
  Object.values(routes),
)
/** What nobody does but in or for other organisations: looking on as somebody, answering a ticket, granting credit. */
const HELPING = ROUTES.flatMap(({ scope, audit }) => (scope && audit ? [audit] : [])).filter(
  (action) => !ROUTES.some(({ scope, audit }) => !scope && audit === action),
)

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
    `SELECT FROM app_user WHERE id = $2 AND (is_operator OR administers_partner_id IS NOT NULL OR EXISTS (
       SELECT FROM audit_log WHERE organization_id = $1 AND user_id = $2 AND action = ANY ($3)))`,
    [organizationId, id, HELPING],
  )
  const where = (ofOrganization = 'organization_id = $1') =>
    helped.length > 0 ? '$1::uuid IS NOT NULL' : ofOrganization
  // The whole address: alone, before the name of a key, or on either side of ` for `.
  const pattern = `(?<![\\w.!#$%&'*+/=?^\`{|}~-])${email.replace(/[^\w@\u0080-\uffff]/g, '\\$&')}(?![\\w-]|\\.\\w)`
  const values = [organizationId, email, pattern, to]
  for (const [table, column, ofOrganization] of LABELS)
    await tx.query(
      `UPDATE ${table} SET ${column} = regexp_replace(${column}, $3, $4, 'g') WHERE ${where(ofOrganization)} AND strpos(${column}, $2) > 0`,
      values,
    )
  // What tells somebody of their own address goes with them.
  await tx.query(
    `UPDATE notification SET fields = regexp_replace(fields::text, $3, $4, 'g')::jsonb WHERE ${where()} AND event <> 'address-changed' AND strpos(fields::text, $2) > 0`,
    values,
  )
}
