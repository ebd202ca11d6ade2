import type { Locale } from '@fairway/contract'
import type { Config, Tx } from '@fairway/platform'
import { sealFields, type SealedTemplate } from './sealed-letters.ts'
import type { MailTemplates } from './templates.ts'

export type Letter<T extends keyof MailTemplates> = {
  to: string
  template: T
  fields: MailTemplates[T]
  locale: Locale
  organizationId: string | null
  partnerId: string
}

/** Somebody sits before a screen until they come: they are sent before all others of the last day. */
const AWAITED: ReadonlySet<keyof MailTemplates> = new Set([
  'verify-email',
  'account-exists',
  'reset-password',
  'email-change',
])

/**
 * Writes a letter in the transaction of what it tells; the worker sends it after the commit, under the partner's brand.
 */
export async function enqueueMail<T extends Exclude<keyof MailTemplates, SealedTemplate>>(
  tx: Tx,
  letter: Letter<T>,
): Promise<void> {
  await insert(tx, letter, letter.fields)
}

/** The same for letters that let their reader into an account. */
export async function enqueueSealedMail<T extends SealedTemplate>(
  tx: Tx,
  config: Pick<Config, 'home'>,
  letter: Letter<T>,
): Promise<void> {
  await insert(tx, letter, sealFields(config, letter.template, letter.fields))
}

async function insert(
  tx: Tx,
  { organizationId, partnerId, to, template, locale }: Omit<Letter<keyof MailTemplates>, 'fields'>,
  fields: object,
): Promise<void> {
  await tx.query(
    `INSERT INTO mail_message (organization_id, partner_id, to_address, template, locale, fields, turn_at) VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $7 THEN now() - interval '1 day' ELSE next_mail_turn($1) END)`,
    [organizationId, partnerId, to, template, locale, JSON.stringify(fields), AWAITED.has(template)],
  )
  await tx.query(`SELECT pg_notify('mail', '')`)
}
