import type { Locale } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import type { MailTemplates } from './templates.ts'

export type Letter<T extends keyof MailTemplates> = {
  to: string
  template: T
  fields: MailTemplates[T]
  locale: Locale
  organizationId: string | null
  partnerId: string
}

/**
 * Writes a letter in the transaction of what it tells; the worker sends it after the commit, under the partner's brand.
 */
export async function enqueueMail<T extends keyof MailTemplates>(tx: Tx, letter: Letter<T>): Promise<void> {
  await tx.query(
    'INSERT INTO mail_message (organization_id, partner_id, to_address, template, locale, fields) VALUES ($1, $2, $3, $4, $5, $6)',
    [letter.organizationId, letter.partnerId, letter.to, letter.template, letter.locale, JSON.stringify(letter.fields)],
  )
  await tx.query(`SELECT pg_notify('mail', '')`)
}
