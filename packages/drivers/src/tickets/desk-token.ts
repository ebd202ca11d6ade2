import crypto from 'node:crypto'

export type DeskPerson = { id: string; email: string; name: string; organization: string }

const SECONDS = 300

/** A JSON Web Token (RFC 7519, HS256) that tells an outside help desk who comes; for one visit soon. */
export function deskToken(secret: string, issuer: string, person: DeskPerson, now: Date): string {
  const iat = Math.floor(now.getTime() / 1000)
  const claims = {
    iss: issuer,
    sub: person.id,
    email: person.email,
    name: person.name,
    organization: person.organization,
    iat,
    exp: iat + SECONDS,
    jti: crypto.randomUUID(),
  }
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${crypto.createHmac('sha256', secret).update(text).digest('base64url')}`
}
