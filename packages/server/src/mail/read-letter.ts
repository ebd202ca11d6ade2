import type { Config, Tx } from '@fairway/platform'
import { isSealed } from './sealed-letters.ts'
import { LETTER_PARTNER, renderLetter, type LetterPartner, type MailRow } from './render-letter.ts'

/**
 * A stored letter as its receiver sees it. Needs a system transaction: letters hold links that are the receiver's
 * alone.
 */
export async function readLetter(
  tx: Tx,
  config: Config,
  id: string,
): Promise<{
  from: string
  subject: string
  html: string
  text: string
  /** It shows a link or code that lets its reader into an account. */ opensAccount: boolean
}> {
  const row = (
    await tx.query<MailRow & { state: string; partner: LetterPartner }>(
      `SELECT m.id, m.to_address, m.template, m.locale, m.fields, m.state, ${LETTER_PARTNER} AS partner FROM mail_message m JOIN partner p ON p.id = m.partner_id WHERE m.id = $1`,
      [id],
    )
  )[0]
  if (!row) throw new Error('the letter is gone')
  // Where mail goes out, the receiver has it, and nobody else needs what it opens.
  const { from, subject, html, text } = renderLetter(config, row, row.partner, { hidesSecret: row.state === 'sent' })
  return {
    from: `${from.name} <${from.address}>`,
    subject,
    html,
    text,
    opensAccount: isSealed(row.template) && row.state !== 'sent',
  }
}
