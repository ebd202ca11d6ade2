import crypto from 'node:crypto'
import { promisify } from 'node:util'

/** What a guess costs: memory in KiB, passes over it. */
export type PasswordCost = { memory: number; passes: number }

// OWASP's argon2id minimum: 19 MiB, two passes, one lane.
const COST: PasswordCost = { memory: 19_456, passes: 2 }
const MOST: PasswordCost = { memory: 1 << 20, passes: 16 }
const TAG_BYTES = 32
const derive = promisify(crypto.argon2) as (
  algorithm: 'argon2id',
  parameters: { message: Buffer; nonce: Buffer; parallelism: 1; tagLength: number } & PasswordCost,
) => Promise<Buffer>

/** argon2id with a fresh salt, as `$argon2id$v=19$m=<KiB>,t=<passes>,p=1$<salt>$<hash>` (PHC string, base64). */
export async function hashPassword(password: string, cost: PasswordCost = COST): Promise<string> {
  const nonce = crypto.randomBytes(16)
  return written(cost, nonce, await tag(password, nonce, cost))
}

/** Whether the password is the one hashed. An unknown user is checked against a dummy, so that time tells nothing. */
export async function passwordMatches(password: string, stored: string | null): Promise<boolean> {
  const { cost, salt, hash } = read(stored ?? DUMMY)
  const found = await tag(password, salt, cost)
  return found.length === hash.length && crypto.timingSafeEqual(found, hash) && stored !== null
}

function written({ memory, passes }: PasswordCost, salt: Buffer, hash: Buffer): string {
  const [saltText, hashText] = [salt, hash].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  return `$argon2id$v=19$m=${memory},t=${passes},p=1$${saltText}$${hashText}`
}

const DUMMY = written(COST, Buffer.alloc(16), Buffer.alloc(TAG_BYTES))

/** Every hash says what it cost, so that the cost can rise while older ones stay good; the oldest did not say it. */
function read(stored: string): { cost: PasswordCost; salt: Buffer; hash: Buffer } {
  const [, memory, passes, salt, hash] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w+/]+)\$([\w+/]+)$/.exec(stored) ??
    /^argon2id()()\$([\w-]+)\$([\w-]+)$/.exec(stored) ??
    []
  const cost = memory ? { memory: Number(memory), passes: Number(passes) } : COST
  const isReadable = cost.memory <= MOST.memory && cost.passes <= MOST.passes && hash
  if (!isReadable) throw new Error('A stored password hash cannot be read.')
  return { cost, salt: Buffer.from(salt ?? '', 'base64'), hash: Buffer.from(hash, 'base64') }
}

function tag(password: string, nonce: Buffer, cost: PasswordCost): Promise<Buffer> {
  return derive('argon2id', {
    message: Buffer.from(password.normalize('NFKC')),
    nonce,
    ...cost,
    parallelism: 1,
    tagLength: TAG_BYTES,
  })
}
