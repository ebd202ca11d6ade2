import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CaptchaDriver } from './captcha.ts'

/** What every captcha promises. `solve` does what a visitor does; `spoil` makes a right answer wrong. */
export function captchaConformance<Shown, Answer>(
  name: string,
  driver: CaptchaDriver<Shown, Answer>,
  solve: (shown: Shown, kept: Record<string, unknown>) => Answer | Promise<Answer>,
  spoil: (answer: Answer) => Answer,
): void {
  test(`${name}: the right answer is accepted, a wrong one and another task's are not`, async () => {
    const [one, other] = [await driver.make(), await driver.make()]
    const answer = await solve(one.shown, one.kept)
    assert.equal(await driver.judge(one.kept, answer), true)
    assert.equal(await driver.judge(one.kept, spoil(answer)), false)
    assert.equal(await driver.judge(other.kept, answer), false)
    assert.equal(await driver.judge({}, answer), false)
  })
  test(`${name}: what is shown holds nothing of what is kept`, async () => {
    const { shown, kept } = await driver.make()
    for (const secret of Object.values(kept))
      if (typeof secret === 'string') assert.ok(!JSON.stringify(shown).includes(secret))
  })
  test(`${name}: what is kept survives the database`, async () => {
    const { shown, kept } = await driver.make()
    assert.equal(
      await driver.judge(JSON.parse(JSON.stringify(kept)) as Record<string, unknown>, await solve(shown, kept)),
      true,
    )
  })
}
