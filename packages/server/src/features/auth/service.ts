import { auth } from '@fairway/contract'
import type { OpenIdProvider } from '@fairway/drivers'
import { Failure } from '../../http/failure.ts'
import { partnerOfHost } from '../../http/partner-of.ts'
import { slice } from '../../http/register.ts'
import { clearSessionCookies } from '../../http/session-cookies.ts'
import { redeemLoginAs } from '../organizations/redeem-login-as.ts'
import { sendEmail, verifyEmail } from './addresses.ts'
import { ceremonyLimit, takeAttempts } from './attempts.ts'
import { newCaptcha } from './captcha.ts'
import { googleCallback, googleStart } from './google.ts'
import { enterSandbox, sandboxVisitor } from './enter-sandbox.ts'
import { login, secondStep } from './login.ts'
import { passkeyOptions, passkeySignIn } from './passkey-sign-in.ts'
import { acceptInvite, declineInvite, forgotPassword, resetPassword, tokenInfo } from './password-reset.ts'
import { hasNoUser, register } from './sign-up.ts'

/** `google` is null while the installation has no client id there. */
export const authSlice = (google: OpenIdProvider | null) =>
  slice(auth, {
    async captcha({ tx, actor, services, reply }, { kind }) {
      reply.header('cache-control', 'no-store')
      // A GET that writes: what it is for would be refused as well.
      if (services.disk.level() === 'full') throw new Failure(920903, { retryAfterSeconds: 60 })
      await takeAttempts(services.database, [ceremonyLimit(actor.ip)])
      return newCaptcha(tx, kind)
    },
    login,
    secondStep,
    passkeyOptions,
    passkey: passkeySignIn,
    loginAs: redeemLoginAs,
    async logout({ tx, actor, reply, services }) {
      if (actor.sessionId) await tx.query('UPDATE session SET revoked_at = now() WHERE id = $1', [actor.sessionId])
      clearSessionCookies(reply, services.config)
      return {}
    },
    async firstRun({ tx, services, reply }) {
      const needed = await hasNoUser(tx)
      return {
        needed,
        code: needed && services.config.setupCode === 'on',
        google: google !== null && (await partnerOfHost(tx, reply.request)).google_sign_in,
        sandbox: (await sandboxVisitor(tx)) !== null,
      }
    },
    enterSandbox,
    register,
    sendEmail,
    verifyEmail,
    forgotPassword,
    resetPassword,
    tokenInfo,
    acceptInvite,
    declineInvite,
    googleStart: (context, input) => googleStart(google, context, input),
    googleCallback: (context, input) => googleCallback(google, context, input),
  })
