import crypto from 'node:crypto'
import { promisify } from 'node:util'

// OWASP's argon2id minimum: 19 MiB, two passes, one lane.
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
const derive = promisify(crypto.argon2) as (
  algorithm: 'argon2id',
  parameters: { message: Buffer; nonce: Buffer } & typeof COST,
) => Promise<Buffer>

/** argon2id with a fresh salt; `argon2id$<salt>$<hash>`, base64url. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = crypto.randomBytes(16)
  return `argon2id$${nonce.toString('base64url')}$${(await tag(password, nonce)).toString('base64url')}`
}

/** Whether the password is the one hashed. An unknown user is checked against a dummy, so that time tells nothing. */
export async function passwordMatches(password: string, stored: string | null): Promise<boolean> {
  const [, salt, hash] = (stored ?? DUMMY).split('$')
  const wanted = Buffer.from(hash ?? '', 'base64url')
  const found = await tag(password, Buffer.from(salt ?? '', 'base64url'))
  return found.length === wanted.length && crypto.timingSafeEqual(found, wanted) && stored !== null
}

const DUMMY = `argon2id$${Buffer.alloc(16).toString('base64url')}$${Buffer.alloc(32).toString('base64url')}`

function tag(password: string, nonce: Buffer): Promise<Buffer> {
  return derive('argon2id', { message: Buffer.from(password.normalize('NFKC')), nonce, ...COST })
}
