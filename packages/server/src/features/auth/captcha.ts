import type { Captcha, CaptchaAnswer } from '@fairway/contract'
import { pictureCaptcha, workCaptcha } from '@fairway/drivers'
import type { Database, Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { issueToken, redeemToken } from './app-tokens.ts'

const LIFE_SECONDS = 300

export async function newCaptcha(tx: Tx, kind: 'picture' | 'work'): Promise<Captcha> {
  const { shown, kept } = kind === 'picture' ? await pictureCaptcha.make() : await workCaptcha.make()
  const id = await issueToken(tx, { purpose: 'captcha', seconds: LIFE_SECONDS, data: { kind, ...kept } })
  return {
    id,
    picture: 'svg' in shown ? shown.svg : null,
    work: 'nonce' in shown ? shown : null,
    expiresInSeconds: LIFE_SECONDS,
  }
}

/** Judges an answer, once: right or wrong, the captcha is used up, in a transaction of its own. @throws Failure 1601 */
export async function checkCaptcha(database: Database, answer: CaptchaAnswer | undefined): Promise<void> {
  const found = answer ? await database.aside((tx) => redeemToken(tx, 'captcha', answer.id)) : null
  if (!answer || found?.state !== 'ok') throw new Failure(1601)
  const { kind, ...kept } = found.data
  const right =
    kind === 'picture'
      ? answer.text !== undefined && (await pictureCaptcha.judge(kept, answer.text))
      : answer.proof !== undefined && (await workCaptcha.judge(kept, answer.proof))
  if (!right) throw new Failure(1601)
}
