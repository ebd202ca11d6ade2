import crypto from 'node:crypto'
import { TOKEN_FORMS, type TokenKind } from '@fairway/contract/lean'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/**
 * Makes a secret of a known form: `secret` is its random part, of which only a hash is kept; `text` is what its holder
 * gets. The one place where secrets that leave the installation are made, so that reports and tickets know them all.
 */
export function mint(kind: TokenKind, id = ''): { text: string; secret: string } {
  const { bytes, letters, text } = TOKEN_FORMS[kind]
  const secret = letters === 'base32' ? base32(bytes) : crypto.randomBytes(bytes).toString(letters)
  return { text: text(secret, id), secret }
}

/** With a digit in it, which tells it from a word in capitals; one in a dozen draws is thrown away for it. */
function base32(length: number): string {
  const drawn = Array.from(crypto.randomBytes(length), (byte) => BASE32[byte % BASE32.length]).join('')
  return /[2-7]/.test(drawn) ? drawn : base32(length)
}
