import { type RouteOutput, type RouteParsed, account } from '@fairway/contract'
import QRCode from 'qrcode'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { partnerOfHost } from '../../http/partner-of.ts'
import { enqueueMail } from '../../mail/enqueue-mail.ts'
import { codeLimit, takeAttempts } from '../auth/attempts.ts'
import { notify } from '../notifications/notify.ts'
import { type OwnRow, confirmIdentity, forgiveAttemptsAfter, ownRow } from './confirm-identity.ts'
import { beginTotp, endTotp, codeRefused, judgeTotp, newRecoveryCodes } from './second-factor.ts'

type Routes = typeof account.routes

/** A secret for an authenticator app; nothing changes before its first code was right. */
export async function enableTotp(
  context: Context,
  proof: RouteParsed<Routes['enableTotp']>,
): Promise<RouteOutput<Routes['enableTotp']>> {
  const user = await confirmIdentity(context, proof)
  if (user.mfa_enabled) throw new Failure(7409)
  const partner = await partnerOfHost(context.tx, context.reply.request)
  const { secret, uri } = await beginTotp(context.tx, context.services.config, {
    id: user.id,
    organizationId: user.organization_id,
    email: user.email,
    issuer: partner.company_name,
  })
  return { secret, uri, qr: await QRCode.toString(uri, { type: 'svg', margin: 2 }) }
}

export async function verifyTotp(
  context: Context,
  { code }: RouteParsed<Routes['verifyTotp']>,
): Promise<RouteOutput<Routes['verifyTotp']>> {
  const { tx, services, now } = context
  const user = await ownRow(context)
  if (user.mfa_enabled) throw new Failure(7409)
  const limits = [codeLimit(user.id)]
  await takeAttempts(services.database, limits)
  const answer = await judgeTotp(tx, services.config, user.id, code, now, { confirmed: false })
  if (answer !== 'right') throw codeRefused(answer)
  await forgiveAttemptsAfter(context, limits)
  await tx.query('UPDATE app_user SET mfa_enabled = true WHERE id = $1', [user.id])
  await tell(context, user, true)
  return {
    recoveryCodes: await newRecoveryCodes(tx, services.config, { id: user.id, organizationId: user.organization_id }),
  }
}

export async function disableTotp(
  context: Context,
  proof: RouteParsed<Routes['disableTotp']>,
): Promise<Record<string, never>> {
  const user = await confirmIdentity(context, proof)
  await endTotp(context.tx, user.id)
  if (user.mfa_enabled) await tell(context, user, false)
  return {}
}

export async function renewRecoveryCodes(
  context: Context,
  proof: RouteParsed<Routes['renewRecoveryCodes']>,
): Promise<RouteOutput<Routes['renewRecoveryCodes']>> {
  const user = await confirmIdentity(context, proof)
  if (!user.mfa_enabled) throw new Failure(7409)
  return {
    recoveryCodes: await newRecoveryCodes(context.tx, context.services.config, {
      id: user.id,
      organizationId: user.organization_id,
    }),
  }
}

async function tell({ tx, actor, now }: Context, user: OwnRow, on: boolean): Promise<void> {
  await enqueueMail(tx, {
    to: user.email,
    template: 'mfa-changed',
    locale: user.locale,
    organizationId: user.organization_id,
    partnerId: user.partner_id,
    fields: { firstName: user.first_name, on, at: now.toISOString(), ip: actor.ip },
  })
  await notify(tx, {
    organizationId: user.organization_id,
    userId: user.id,
    event: 'mfa-changed',
    fields: { on, ip: actor.ip },
  })
}
