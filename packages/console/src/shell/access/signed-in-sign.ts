import { signedInCookie } from '@fairway/contract'

const name = () => signedInCookie(location.port)

/**
 * Whether this browser has a session here, as far as the console may see: the session's own cookie is closed to
 * scripts.
 */
export function hasSignedIn(): boolean {
  return document.cookie.split('; ').some((cookie) => cookie.startsWith(`${name()}=`))
}

/**
 * The server has said that there is no session: the guards believe the sign, so it goes. What is on the screen stays
 * until they have decided.
 */
export function noteSignedOut(): void {
  document.cookie = `${name()}=; path=/; max-age=0; samesite=strict`
}
