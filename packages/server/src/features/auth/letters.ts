import type { Locale } from '@fairway/contract'
import type { Config, Tx } from '@fairway/platform'
import { consoleLink } from '../../http/console-link.ts'
import { enqueueMail, enqueueSealedMail } from '../../mail/enqueue-mail.ts'
import { notify } from '../notifications/notify.ts'
import { issueToken } from './app-tokens.ts'

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

/** What somebody typed at a sign-up, kept with the letter that it sent: several may sign up with one address. */
export type SignUpDetails = {
  partnerId: string
  firstName: string
  lastName: string
  organizationName: string
  product: 'web' | 'stream'
  phoneNumber: string | null
  locale: Locale
}

/**
 * The link that proves an address. Older ones go on to work, as with passwords; without `details` it is the last
 * letter again.
 */
export async function sendVerification(
  tx: Tx,
  config: Config,
  user: Addressee,
  locale: Locale,
  details?: SignUpDetails,
): Promise<void> {
  const signUp = details ?? (await lastSignUp(tx, user.id))
  const token = await issueToken(tx, {
    purpose: 'verify-email',
    seconds: VERIFY_HOURS * HOUR,
    user: ownerOf(user),
    data: signUp ? { signUp } : {},
  })
  const partnerId = signUp?.partnerId ?? user.partner_id
  const link = await consoleLink(tx, config, partnerId, `/verify-email?token=${token}`)
  await enqueueSealedMail(tx, config, {
    ...letterTo({ ...user, partner_id: partnerId }, locale),
    template: 'verify-email',
    fields: { firstName: signUp?.firstName ?? user.first_name, link, hours: VERIFY_HOURS },
  })
}

/** What the newest letter was sent for; letters of an older release do not say it. */
async function lastSignUp(tx: Tx, userId: string): Promise<SignUpDetails | undefined> {
  const [last] = await tx.query<{ details: SignUpDetails | null }>(
    `SELECT data->'signUp' AS details FROM app_token WHERE user_id = $1 AND purpose = 'verify-email' ORDER BY created_at DESC LIMIT 1`,
    [userId],
  )
  return last?.details ?? undefined
}

/**
 * Lets somebody set a new password. Older ones work on until one is used: anybody can ask for one, and would take the
 * link from under the owner's fingers.
 */
export const passwordTicket = (tx: Tx, user: Addressee): Promise<string> =>
  issueToken(tx, { purpose: 'reset-password', seconds: RESET_MINUTES * 60, user: ownerOf(user) })

/** The link for a new password. */
export async function sendPasswordLink(tx: Tx, config: Config, user: Addressee, locale: Locale): Promise<void> {
  const token = await passwordTicket(tx, user)
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

/** Tells a user that a passkey or an account elsewhere signs in as them from now on. */
export async function sendSignInAdded(
  tx: Tx,
  user: Addressee,
  locale: Locale,
  { way, name, ip, now }: { way: 'passkey' | 'google'; name: string; ip: string; now: Date },
): Promise<void> {
  await enqueueMail(tx, {
    ...letterTo(user, locale),
    template: 'sign-in-added',
    fields: { firstName: user.first_name, way, name, at: now.toISOString(), ip },
  })
  await notify(tx, { ...ownNews(user), event: 'sign-in-added', fields: { way, name, ip } })
}

/** Tells both addresses that the account has gone from one to the other. */
export async function sendAddressChanged(
  tx: Tx,
  user: Addressee,
  locale: Locale,
  { to, ip, now }: { to: string; ip: string; now: Date },
): Promise<void> {
  const from = user.email
  for (const email of [from, to])
    await enqueueMail(tx, {
      ...letterTo({ ...user, email }, locale),
      template: 'address-changed',
      fields: { firstName: user.first_name, from, to, at: now.toISOString(), ip },
    })
  await notify(tx, { ...ownNews(user), event: 'address-changed', fields: { from, to, ip } })
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
