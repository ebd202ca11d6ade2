import crypto from 'node:crypto'
import { type CaptchaAnswer, auth } from '@fairway/contract'
import { type ApiUnderTest, clientOf } from './api-under-test.ts'

/** Does the work of a captcha as a browser does. */
export async function solveCaptcha(api: ApiUnderTest): Promise<CaptchaAnswer> {
  const { id, work } = await clientOf(api.url, '').call(auth.routes.captcha, { kind: 'work' })
  if (!work) throw new Error('no work')
  const [nonce, salt] = [Buffer.from(work.nonce, 'hex'), Buffer.from(work.salt, 'hex')]
  for (let counter = 0; ; counter++) {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(counter)
    const derivedKey = crypto.pbkdf2Sync(Buffer.concat([nonce, number]), salt, work.cost, 32, 'sha256').toString('hex')
    if (derivedKey.startsWith(work.keyPrefix)) return { id, proof: { counter, derivedKey } }
  }
}

/** The answer to a picture, as only who made it can know it. */
export async function readPicture(api: ApiUnderTest): Promise<{ id: string; text: string }> {
  const { id, picture } = await clientOf(api.url, '').call(auth.routes.captcha, {})
  if (!picture?.startsWith('<svg')) throw new Error('no picture')
  const rows = await api.database.system((tx) =>
    tx.query<{ text: string }>(
      `SELECT data->>'text' AS text FROM app_token WHERE purpose = 'captcha' ORDER BY created_at DESC LIMIT 1`,
    ),
  )
  return { id, text: rows[0]?.text ?? '' }
}
