import type { Locale } from '@fairway/contract'
import type { Config, Tx } from '@fairway/platform'
import { consoleLink } from '../../http/console-link.ts'
import { enqueueMail, enqueueSealedMail } from '../../mail/enqueue-mail.ts'
import { notify } from '../notifications/notify.ts'
import { issueToken, withdrawTokens } from './app-tokens.ts'

export type Addressee = { id: string; organization_id: string; email: string; first_name: string; partner_id: string }

const HOUR = 3_600
const VERIFY_HOURS = 48
const RESET_MINUTES = 60

const letterTo = ({ email, organization_id, partner_id }: Addressee, locale: Locale) => ({
  to: email,
  locale,
  organizationId: organization_id,
  partnerId: partner_id,
})
const ownNews = ({ id, organization_id }: Addressee) => ({ organizationId: organization_id, userId: id })
const ownerOf = ({ id, organization_id }: Addressee) => ({ id, organizationId: organization_id })

/** The link that proves an address; an older one stops to work. */
export async function sendVerification(tx: Tx, config: Config, user: Addressee, locale: Locale): Promise<void> {
  await withdrawTokens(tx, 'verify-email', user.id)
  const token = await issueToken(tx, { purpose: 'verify-email', seconds: VERIFY_HOURS * HOUR, user: ownerOf(user) })
  const link = await consoleLink(tx, config, user.partner_id, `/verify-email?token=${token}`)
  await enqueueSealedMail(tx, config, {
    ...letterTo(user, locale),
    template: 'verify-email',
    fields: { firstName: user.first_name, link, hours: VERIFY_HOURS },
  })
}

/** The link for a new password; an older one stops to work. */
export async function sendPasswordLink(tx: Tx, config: Config, user: Addressee, locale: Locale): Promise<void> {
  await withdrawTokens(tx, 'reset-password', user.id)
  const token = await issueToken(tx, { purpose: 'reset-password', seconds: RESET_MINUTES * 60, user: ownerOf(user) })
  const link = await consoleLink(tx, config, user.partner_id, `/reset-password?token=${token}`)
  await enqueueSealedMail(tx, config, {
    ...letterTo(user, locale),
    template: 'reset-password',
    fields: { firstName: user.first_name, link, minutes: RESET_MINUTES },
  })
}

/** To the owner of an address with which somebody signs up again. */
export async function sendAccountExists(tx: Tx, config: Config, user: Addressee, locale: Locale): Promise<void> {
  const [link, resetLink] = [
    await consoleLink(tx, config, user.partner_id, '/login'),
    await consoleLink(tx, config, user.partner_id, '/forgot-password'),
  ]
  await enqueueMail(tx, {
    ...letterTo(user, locale),
    template: 'account-exists',
    fields: { firstName: user.first_name, link, resetLink },
  })
}

/** Tells a user that the password is another one. */
export async function sendPasswordChanged(
  tx: Tx,
  user: Addressee,
  locale: Locale,
  ip: string,
  now: Date,
): Promise<void> {
  await enqueueMail(tx, {
    ...letterTo(user, locale),
    template: 'password-changed',
    fields: { firstName: user.first_name, at: now.toISOString(), ip },
  })
  await notify(tx, { ...ownNews(user), event: 'password-changed', fields: { ip } })
}
