import crypto from 'node:crypto'
import type { Config } from './config.ts'
import { nodeToken } from './secrets.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts what only nodes may read (keys of signed zones, secrets of transfers), with a key made of the secret that
 * they share with the API: what is published,
 * kept on a node's disk or in a backup of the database says nothing without it. `purpose` is bound into the text.
 * The same text is sealed the same way, so that a document that has not changed does not look as if it had.
 */
export function sealForNodes(config: Config, purpose: string, text: string): string {
  const key = keyOf(config)
  const nonce = crypto.createHmac('sha256', key).update(`${purpose}\n${text}`).digest().subarray(0, NONCE_BYTES)
  const cipher = crypto
    .createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(purpose))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `n1.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
}

/** @throws Error when it was sealed with another secret or for another purpose */
export function unsealForNodes(config: Config, purpose: string, sealed: string): string {
  const bytes = Buffer.from(sealed.replace(/^n1\./, ''), 'base64url')
  const decipher = crypto
    .createDecipheriv('aes-256-gcm', keyOf(config), bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(purpose))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}

/** A secret that all nodes know and nobody else, for one purpose. */
export function nodeSecret(config: Config, purpose: string, bytes: number): Buffer {
  return Buffer.from(crypto.hkdfSync('sha256', nodeToken(config), '', `fairway ${purpose}`, bytes))
}

function keyOf(config: Config): Buffer {
  return nodeSecret(config, 'sealing', 32)
}
