import crypto from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { signedInCookie } from '@fairway/contract'
import { secret } from '@fairway/platform'

/**
 * Cookies do not know ports (RFC 6265, section 8.5): each installation has a name of its own, so that several on one
 * machine do not sign each other out.
 */
export function sessionCookie(config: { home: string }): string {
  return `fairway_session_${crypto.createHash('sha256').update(secret(config, 'installation')).digest('hex').slice(0, 8)}`
}

/**
 * Signs the browser in: the token where no script reads it, and the sign for the console that there is one. Without a
 * `maxAge` both end with the browser.
 */
export function setSessionCookies(reply: FastifyReply, config: { home: string }, token: string, maxAge?: number): void {
  const cookie = {
    path: '/',
    sameSite: 'strict' as const,
    secure: reply.request.protocol === 'https',
    ...(maxAge === undefined ? {} : { maxAge }),
  }
  reply.setCookie(sessionCookie(config), token, { ...cookie, httpOnly: true }).setCookie(signOf(reply), '1', cookie)
}

export function clearSessionCookies(reply: FastifyReply, config: { home: string }): void {
  reply.clearCookie(sessionCookie(config), { path: '/' }).clearCookie(signOf(reply), { path: '/' })
}

/**
 * Named by the port that the browser sees, which is what the console knows of itself; a proxy may tell another one in
 * `Host`.
 */
function signOf(reply: FastifyReply): string {
  const { headers, protocol, host } = reply.request
  const seen = URL.parse(headers.origin ?? '') ?? URL.parse(`${protocol}://${host}`)
  return signedInCookie(seen?.port ?? '')
}
