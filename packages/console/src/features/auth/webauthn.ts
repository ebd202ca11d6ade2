import type { WebAuthnJson } from '@fairway/contract'
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import type { z } from 'zod'

type Json = z.infer<typeof WebAuthnJson>

/** Passkeys belong to a host name: an address made of numbers has none. */
export const passkeysWorkHere = (): boolean =>
  typeof window.PublicKeyCredential === 'function' && !/^[\d.]+$|:/.test(window.location.hostname)

/** The browser asks its user for a passkey. @throws Error when they decline or none fits */
export async function askForPasskey(options: Json): Promise<Json> {
  return asJson(await startAuthentication({ optionsJSON: asRequest(options) }))
}

/** The browser makes a passkey. @throws Error when its user declines */
export async function makePasskey(options: Json): Promise<Json> {
  return asJson(await startRegistration({ optionsJSON: asCreation(options) }))
}

/** The user pressed Cancel, or waited too long: nothing to complain of. */
export const isDeclined = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')

/**
 * These hold because the API makes the options with the same library's other half; the browser itself checks what is in
 * them.
 */
const asRequest = (options: Json) => options as unknown as PublicKeyCredentialRequestOptionsJSON
const asCreation = (options: Json) => options as unknown as PublicKeyCredentialCreationOptionsJSON
const asJson = (answer: object): Json => JSON.parse(JSON.stringify(answer)) as Json
