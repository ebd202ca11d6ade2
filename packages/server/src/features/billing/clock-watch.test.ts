import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Tx } from '@fairway/platform'
import { type ApiUnderTest, startApiUnderTest } from '../../testing/api-under-test.ts'
import { confirmHold, holdKinds, listHolds, noteClock } from '../operator/holds-store.ts'
import { ClockWatch } from './clock-watch.ts'
import { monthKey } from './payment-store.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApiUnderTest()
})
after(() => api[Symbol.asyncDispose]())

const DAY_MS = 86_400_000

/** The worker of this installation sees nothing of it. */
async function undone(work: (tx: Tx) => Promise<void>): Promise<void> {
  const end = new Error('to be undone')
  await api.database
    .system(async (tx) => {
      await work(tx)
      throw end
    })
    .catch((error: unknown) => {
      if (error !== end) throw error
    })
}

test('a clock that is set, differs from the database or runs far ahead of what was counted is told, until confirmed', async () => {
  const operator = await api.newClient({ isOperator: true })
  await undone(async (tx) => {
    const at = { wall: Date.now(), steady: 1_000 }
    const watch = new ClockWatch({ wall: () => at.wall, steady: () => at.steady })
    const counted = (ms: number) =>
      tx.query('UPDATE installation SET usage_counted_at = $1', [new Date(Date.now() - ms)])
    await counted(0)
    assert.equal(await watch.trouble(tx), null)
    // It sleeps and wakes, as machines do: both clocks have gone on.
    at.steady += 30_000
    at.wall += 30_000
    assert.equal(await watch.trouble(tx), null)
    at.wall += 40 * DAY_MS
    // Until it is written down, it is said again.
    assert.equal(await watch.trouble(tx), (40 * DAY_MS) / 1000)
    assert.equal(await watch.trouble(tx), (40 * DAY_MS) / 1000)
    watch.noted()
    // What is off stays off: the database says so.
    assert.ok(Math.abs(((await watch.trouble(tx)) ?? 0) - (40 * DAY_MS) / 1000) < 300)
    at.wall -= 40 * DAY_MS
    assert.equal(await watch.trouble(tx), (-40 * DAY_MS) / 1000)
    watch.noted()
    assert.equal(await watch.trouble(tx), null)
    await counted(11 * DAY_MS)
    assert.ok(((await watch.trouble(tx)) ?? 0) > 10 * 86_400)
    await noteClock(tx, 11 * 86_400)
    await noteClock(tx, 11 * 86_400)
    const told = () =>
      tx.query(
        `SELECT (fields->>'hours')::int AS hours, ended_at IS NOT NULL AS over FROM notification WHERE organization_id = $1 AND event = 'charges-held'`,
        [operator.organizationId],
      )
    assert.deepEqual(await told(), [{ hours: 264, over: false }])
    const [hold, ...more] = await listHolds(tx)
    assert.deepEqual([hold?.kind, hold?.seconds, more], ['clock', 11 * 86_400, []])
    assert.ok((await holdKinds(tx)).has('clock'))
    assert.equal(await confirmHold(tx, { id: hold?.id ?? '', letters: 'send', by: 'operator' }), 'clock')
    assert.equal(await confirmHold(tx, { id: hold?.id ?? '', letters: 'send', by: 'operator' }), null)
    assert.equal(await watch.trouble(tx), null)
    assert.deepEqual(await told(), [{ hours: 264, over: true }])
  })
})

test('a clock that was set is not trusted with removals until it has gone evenly for an hour, or while it is held', async () => {
  await undone(async (tx) => {
    await tx.query('UPDATE installation SET usage_counted_at = now()')
    const at = { wall: Date.now() - 3_600_000 - DAY_MS, steady: 1_000 }
    const watch = new ClockWatch({ wall: () => at.wall, steady: () => at.steady })
    at.wall += DAY_MS
    assert.equal(await watch.isTrusted(tx), false)
    at.wall += 3_590_000
    at.steady += 3_590_000
    assert.equal(await watch.isTrusted(tx), false)
    at.wall += 10_000
    at.steady += 10_000
    assert.equal(await watch.isTrusted(tx), true)
    await noteClock(tx, 3_600)
    assert.equal(await watch.isTrusted(tx), false)
  })
})

test('months that nobody has billed for long are not billed at once', async () => {
  const [client, other] = [await api.newClient(), await api.newClient()]
  await undone(async (tx) => {
    const watch = new ClockWatch()
    const trouble = async (months: number) => {
      await tx.query(
        `UPDATE billing_account SET billed = true, billed_until = date_trunc('month', now(), 'UTC') - make_interval(months => $2) WHERE organization_id = $1`,
        [client.organizationId, months],
      )
      return watch.trouble(tx)
    }
    await tx.query('UPDATE installation SET usage_counted_at = now()')
    assert.equal(await trouble(1), null)
    assert.ok(((await trouble(2)) ?? 0) > 28 * 86_400)
    // Who has closed is billed for nothing more: no number of them is a clock, nor a month that waits.
    await tx.query(
      "UPDATE organization SET closed_at = date_trunc('month', now(), 'UTC') - interval '2 months 1 day' WHERE id = $1",
      [client.organizationId],
    )
    await noteClock(tx, 1)
    const waits = async () => (await listHolds(tx))[0]?.waiting.months
    const closedAlone = 'UPDATE billing_account SET billed = organization_id = $1'
    await tx.query(closedAlone, [client.organizationId])
    assert.deepEqual([await trouble(2), await waits()], [null, 0])
    assert.ok(((await trouble(3)) ?? 0) > 28 * 86_400)
    assert.equal(await waits(), 1)
    await tx.query('UPDATE organization SET closed_at = NULL WHERE id = $1', [client.organizationId])
    // One of two that cannot be billed is no clock.
    await tx.query(
      `UPDATE billing_account SET billed = organization_id = ANY($1::uuid[]), billed_until = date_trunc('month', now(), 'UTC')`,
      [[client.organizationId, other.organizationId]],
    )
    assert.equal(await trouble(2), null)
  })
})

test('the charge of a month has the same key again, and every other one another', () => {
  const asked = {
    organization_id: '6f1b2c44-0a52-4d57-9d0e-0d2b1f3c4a5b',
    invoice_id: null,
    gateway: 'sandbox',
    customer_ref: 'c',
    payment_method_ref: 'p',
    amount_minor: 100,
    currency: 'USD',
  }
  const month = new Date('2026-03-01T00:00:00Z')
  const key = monthKey(asked, month, 0)
  assert.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(monthKey({ ...asked, invoice_id: 'another' }, month, 0), key)
  const others = [
    monthKey(asked, month, 1),
    monthKey(asked, new Date('2026-04-01T00:00:00Z'), 0),
    monthKey({ ...asked, amount_minor: 101 }, month, 0),
  ]
  assert.equal(new Set([key, ...others]).size, 4)
})
