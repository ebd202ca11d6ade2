import crypto from 'node:crypto'
import { secret } from './secrets.ts'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts what has to be read again (keys of others, TOTP secrets) with the installation's own key in
 * `<home>/secrets/`.
 * `purpose` is bound into the text: what was sealed for one thing does not open for another.
 */
export function seal(config: { home: string }, purpose: string, text: string): string {
  const nonce = crypto.randomBytes(NONCE_BYTES)
  const cipher = crypto
    .createCipheriv(ALGORITHM, keyOf(config), nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(purpose))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
}

/** @throws Error when the text was not sealed by this installation for this purpose. */
export function unseal(config: { home: string }, purpose: string, sealed: string): string {
  const bytes = Buffer.from(sealed.replace(/^v1\./, ''), 'base64url')
  const decipher = crypto
    .createDecipheriv(ALGORITHM, keyOf(config), bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(purpose))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}

/** Tells whether two machines have the same key, and nothing of it. */
export function sealingMark(config: { home: string }): string {
  return crypto.createHmac('sha256', keyOf(config)).update('the key of this installation').digest('base64url')
}

function keyOf(config: { home: string }): Buffer {
  return Buffer.from(secret(config, 'sealing-key'), 'base64url')
}
