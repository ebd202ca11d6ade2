import crypto from 'node:crypto'
import { type Challenge, createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { CaptchaDriver } from './captcha.ts'

// About half a second of one core in a browser; judging costs the server one HMAC.
const COST = 5_000
const COUNTER = { min: 400, max: 800 }

export type WorkShown = { nonce: string; salt: string; cost: number; keyPrefix: string }
export type WorkAnswer = { counter: number; derivedKey: string }

/**
 * Work instead of a picture, for those who cannot see one: the counter of a key has to be searched for. The form is
 * ALTCHA's (version 2).
 */
export const workCaptcha: CaptchaDriver<WorkShown, WorkAnswer> = {
  async make() {
    const [hmacSignatureSecret, hmacKeySignatureSecret] = [
      crypto.randomBytes(32).toString('hex'),
      crypto.randomBytes(32).toString('hex'),
    ]
    const challenge = await createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: COST,
      counter: crypto.randomInt(COUNTER.min, COUNTER.max),
      deriveKey,
      hmacSignatureSecret,
      hmacKeySignatureSecret,
    })
    const { nonce, salt, cost, keyPrefix } = challenge.parameters
    return { shown: { nonce, salt, cost, keyPrefix }, kept: { challenge, hmacSignatureSecret, hmacKeySignatureSecret } }
  },
  async judge(kept, solution) {
    if (!isKept(kept)) return false
    const { verified } = await verifySolution({ ...kept, solution: { ...solution, time: 0 }, deriveKey })
    return verified
  },
}

type Kept = { challenge: Challenge; hmacSignatureSecret: string; hmacKeySignatureSecret: string }

/** Holds for everything that `make` kept: only this driver keeps a challenge. */
function isKept(kept: Record<string, unknown>): kept is Kept {
  return (
    typeof kept['challenge'] === 'object' &&
    kept['challenge'] !== null &&
    typeof kept['hmacSignatureSecret'] === 'string' &&
    typeof kept['hmacKeySignatureSecret'] === 'string'
  )
}
