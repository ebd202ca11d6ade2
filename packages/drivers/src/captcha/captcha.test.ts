import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { test } from 'node:test'
import { captchaConformance } from './captcha.conformance.ts'
import { pictureCaptcha } from './picture.ts'
import { type WorkAnswer, type WorkShown, workCaptcha } from './work.ts'

/** The search as the console's own code does it, with nothing of the library that judges it. */
function search({ nonce, salt, cost, keyPrefix }: WorkShown): WorkAnswer {
  for (let counter = 0; ; counter++) {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(counter)
    const derivedKey = crypto
      .pbkdf2Sync(Buffer.concat([Buffer.from(nonce, 'hex'), number]), Buffer.from(salt, 'hex'), cost, 32, 'sha256')
      .toString('hex')
    if (derivedKey.startsWith(keyPrefix)) return { counter, derivedKey }
  }
}

captchaConformance(
  'picture',
  pictureCaptcha,
  (_, kept) => String(kept['text']).toUpperCase(),
  (text) => `${text.slice(0, 3)}${text.endsWith('0') ? '1' : '0'}`,
)
captchaConformance('work', workCaptcha, search, (answer) => ({
  ...answer,
  derivedKey: answer.derivedKey.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
}))

test('a picture has exactly four characters', async () => {
  for (let made = 0; made < 20; made++)
    assert.match(String((await pictureCaptcha.make()).kept['text']), /^[^01ijlo]{4}$/)
})

test('no character is cut off by the edge of its picture', async () => {
  for (let made = 0; made < 40; made++) {
    const { svg } = (await pictureCaptcha.make()).shown
    const glyphs = [...svg.matchAll(/<path fill="[^"]+" d="([^"]+)"/g)].map(([, path = '']) => path)
    assert.equal(glyphs.length, 4)
    const heights = glyphs.flatMap((path) => [...path.matchAll(/-?[\d.]+[ ,](-?[\d.]+)/g)].map(([, y]) => Number(y)))
    assert.ok(
      Math.min(...heights) >= 0 && Math.max(...heights) <= 48,
      `${Math.min(...heights)} to ${Math.max(...heights)}`,
    )
  }
})

test('work cannot be skipped by naming the prefix as the key', async () => {
  const { shown, kept } = await workCaptcha.make()
  assert.equal(await workCaptcha.judge(kept, { counter: 500, derivedKey: shown.keyPrefix.padEnd(64, '0') }), false)
})
