import { type RouteOutput, type RouteParsed, type SignedIn, auth } from '@fairway/contract'
import type { Actor } from '../../http/actor.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { CEREMONY_SECONDS, asAssertion, jsonOf, originOf, relyingPartyOf, webauthn } from '../passkeys/ceremony.ts'
import { type PasskeyRow, passkeyByCredential, passkeysOf } from '../passkeys/store.ts'
import { issueToken, peekToken, redeemToken } from './app-tokens.ts'
import { ceremonyLimit, forgiveAttempts, signInLimits, takeAttempts } from './attempts.ts'
import { tellFailedAttempt } from './failed-attempts.ts'
import { isKnownPlace } from './known-places.ts'
import { ticketHolder } from './login.ts'
import { completeSignIn, userById } from './sign-in.ts'

/** Options for any passkey of this host name; in the second step only for those of its user. */
export async function passkeyOptions(
  context: Context<Actor>,
  { stepTicket }: RouteParsed<typeof auth.routes.passkeyOptions>,
): Promise<RouteOutput<typeof auth.routes.passkeyOptions>> {
  const { tx, actor, services, reply } = context
  await takeAttempts(services.database, [ceremonyLimit(actor.ip)])
  const holder =
    stepTicket === undefined ? null : await ticketHolder(context, await peekToken(tx, 'second-step', stepTicket))
  const own = holder ? await passkeysOf(tx, holder.user.id) : []
  const rpID = relyingPartyOf(reply.request)
  const allow = own
    .filter((key) => key.relying_party === rpID)
    .map((key) => ({ id: key.credential_id, transports: key.transports }))
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID,
    userVerification: holder ? 'preferred' : 'required',
    ...(holder ? { allowCredentials: allow } : {}),
  })
  const ceremony = await issueToken(tx, {
    purpose: 'passkey',
    seconds: CEREMONY_SECONDS,
    data: { challenge: options.challenge, stepTicket: stepTicket ?? null },
  })
  return { ceremony, options: jsonOf(options) }
}

/** A passkey signs in alone when the person was verified by it, or is the second step after a password. */
export async function passkeySignIn(
  context: Context<Actor>,
  { ceremony: token, response, remember }: RouteParsed<typeof auth.routes.passkey>,
): Promise<SignedIn> {
  const { tx, services, actor } = context
  // Used up whatever comes of it: a challenge is answered once.
  const ceremony = await services.database.aside((own) => redeemToken(own, 'passkey', token))
  if (ceremony.state !== 'ok') throw new Failure(1575)
  const { challenge, stepTicket } = ceremony.data
  const assertion = asAssertion(response)
  const key = await passkeyByCredential(tx, assertion.id)
  const isKnown = await isKnownPlace(tx, services.config, key?.user_id, actor.ip)
  const limits = signInLimits(`passkey:${key?.user_id ?? assertion.id}`, actor.ip, isKnown)
  await takeAttempts(services.database, limits)
  if (!key || typeof challenge !== 'string') throw new Failure(1575)
  if (!(await proves(context, key, assertion, challenge, stepTicket === null))) {
    tellFailedAttempt(context, key.user_id, 'auth.passkey-failed')
    throw new Failure(1575)
  }
  await forgiveAttempts(tx, limits)
  if (typeof stepTicket === 'string') {
    const { user, remember: wanted } = await ticketHolder(context, await redeemToken(tx, 'second-step', stepTicket))
    if (user.id !== key.user_id) throw new Failure(1575)
    return completeSignIn(context, user, { remember: wanted, proven: true })
  }
  const user = await userById(tx, key.user_id)
  if (!user) throw new Failure(1575)
  return completeSignIn(context, user, { remember, proven: true })
}

async function proves(
  { tx, reply, services }: Context<Actor>,
  key: PasskeyRow,
  response: ReturnType<typeof asAssertion>,
  challenge: string,
  verified: boolean,
): Promise<boolean> {
  // A page of another name below the key's own can ask for the key; what it hands on is not from our console.
  if (relyingPartyOf(reply.request) !== key.relying_party) return false
  try {
    const { verifyAuthenticationResponse } = await webauthn()
    const { verified: right, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: originOf(reply.request),
      expectedRPID: key.relying_party,
      requireUserVerification: verified,
      credential: {
        id: key.credential_id,
        publicKey: new Uint8Array(key.public_key),
        counter: key.counter,
        transports: key.transports,
      },
    })
    if (right)
      await tx.query('UPDATE passkey SET counter = $2, last_used_at = now(), backed_up = $3 WHERE id = $1', [
        key.id,
        authenticationInfo.newCounter,
        authenticationInfo.credentialBackedUp,
      ])
    return right
  } catch (error) {
    services.log.info({ event: 'passkey.refused', why: error instanceof Error ? error.message : String(error) })
    return false
  }
}
