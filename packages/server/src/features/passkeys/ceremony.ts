import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FastifyRequest } from 'fastify'
import { Failure } from '../../http/failure.ts'

type Json = Record<string, unknown>

/** The library that checks them, loaded when somebody has a passkey: it is large. */
export const webauthn = () => import('@simplewebauthn/server')

/** How long a browser may take to ask its user. */
export const CEREMONY_SECONDS = 300

/**
 * The origin that was asked, as the request claims. A passkey is taken only where its relying party is the very name
 * that was asked: browsers would let every name below it have one.
 */
export const originOf = (request: FastifyRequest): string => `${request.protocol}://${request.host}`
export const relyingPartyOf = (request: FastifyRequest): string => request.hostname

/** Options as plain JSON; holds because the library makes them for exactly that. */
export const jsonOf = (options: object): Json => JSON.parse(JSON.stringify(options)) as Json

/** What a browser answered, as far as the library reads it unasked. @throws Failure 400 */
export function asAssertion(response: Json): AuthenticationResponseJSON {
  if (!isAnswer(response, ['clientDataJSON', 'authenticatorData', 'signature']))
    throw new Failure(400, { fields: [{ path: 'response', message: 'validation.invalid' }] })
  return response as unknown as AuthenticationResponseJSON
}

/** @throws Failure 400 */
export function asAttestation(response: Json): RegistrationResponseJSON {
  if (!isAnswer(response, ['clientDataJSON', 'attestationObject']))
    throw new Failure(400, { fields: [{ path: 'response', message: 'validation.invalid' }] })
  return response as unknown as RegistrationResponseJSON
}

function isAnswer(response: Json, needed: string[]): boolean {
  const inner = response['response']
  if (typeof response['id'] !== 'string' || typeof inner !== 'object' || inner === null || Array.isArray(inner))
    return false
  const fields = inner as Json
  return needed.every((name) => typeof fields[name] === 'string')
}
