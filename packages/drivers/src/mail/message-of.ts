import type Mail from 'nodemailer'
import type { OutgoingLetter } from './mail.ts'

/** The letter as nodemailer composes it, the same for every driver. */
export function messageOf({
  id,
  from,
  to,
  replyTo,
  subject,
  html,
  text,
  language,
  preferencesUrl,
  dkim,
}: OutgoingLetter): Parameters<ReturnType<typeof Mail.createTransport>['sendMail']>[0] {
  return {
    messageId: `<${id}@${from.address.split('@').at(-1) ?? 'localhost'}>`,
    from,
    to: { name: '', address: to },
    subject,
    html,
    text,
    ...(replyTo === null ? {} : { replyTo }),
    headers: {
      'Content-Language': language,
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(preferencesUrl === null ? {} : { 'List-Unsubscribe': `<${preferencesUrl}>` }),
    },
    ...(dkim === null ? {} : { dkim }),
    // Letters are made of texts only; nothing is read from disk or fetched on their behalf.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
