import type { Captcha, CaptchaAnswer } from '@fairway/contract'

const KEY_BITS = 256

/**
 * Searches for the counter whose key begins with the prefix (PBKDF2-SHA-256 over nonce and counter). About half a
 * second; null when it was given up.
 */
export async function solveWork(
  { nonce, salt, cost, keyPrefix }: NonNullable<Captcha['work']>,
  signal: AbortSignal,
): Promise<CaptchaAnswer['proof'] | null> {
  const saltBytes = bytesOf(salt)
  const password = new Uint8Array([...bytesOf(nonce), 0, 0, 0, 0])
  const counterAt = new DataView(password.buffer, password.length - 4)
  for (let counter = 0; !signal.aborted; counter++) {
    counterAt.setUint32(0, counter)
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    const derivedKey = hexOf(
      await crypto.subtle.deriveBits(
        { name: 'PBKDF2', hash: 'SHA-256', salt: saltBytes, iterations: cost },
        key,
        KEY_BITS,
      ),
    )
    if (derivedKey.startsWith(keyPrefix)) return { counter, derivedKey }
  }
  return null
}

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array((hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)))
const hexOf = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
