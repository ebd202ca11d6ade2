import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CertificateDetails } from '@fairway/contract'
import { AuthorityAway, AuthorityRefusal, type CertificateAuthority } from '@fairway/drivers'
import { certificateStatus, noticeDue } from '@fairway/domain'
import { orderStep } from './order-step.ts'
import type { CertificateRow } from './store.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const BEGAN = Date.parse('2026-01-01T00:00:00Z')
const DAYS = 400

/**
 * How the authority of a year behaves: how long its certificates live, when it would like them renewed, and what it
 * does with an order at a time.
 */
type Year = {
  lifeDays: number
  window?: (issuedAt: number) => { start: number; end: number } | 'away'
  trouble?: (at: number) => 'away' | 'limit' | 'refused' | null
}

/**
 * What happened in it: the least that was ever left of the served certificate, how many there were, and what people
 * were told.
 */
type Course = { leastLeftDays: number; issued: number; notices: number[]; statuses: Set<string> }

/**
 * The worker's own steps over a row as the database would hold it, with a clock that jumps from one due time to the
 * next.
 */
async function liveThrough({ lifeDays, window, trouble = () => null }: Year): Promise<Course> {
  let now = BEGAN
  const course: Course = { leastLeftDays: Infinity, issued: 0, notices: [], statuses: new Set() }
  const row = {
    id: 'c',
    organization_id: 'o',
    site_id: 's',
    names: ['www.a.test'],
    type: 'lets-encrypt',
    chain_pem: null,
    not_after: null,
    step: 'order',
    order_url: null,
    order_key: 'key',
    order_began_at: new Date(now),
    wanted_version: 1,
    attempts: 0,
    hindrance: null,
    problem: null,
    next_attempt_at: new Date(now),
    told_days: null,
    removed_at: null,
  } as unknown as CertificateRow
  const meets = () => {
    const what = trouble(now)
    if (what === 'away') throw new AuthorityAway('no answer')
    if (what)
      throw new AuthorityRefusal(what, { isLimit: what === 'limit', retryAt: what === 'limit' ? now + 7 * HOUR : null })
  }
  const authority: CertificateAuthority = {
    account: async (keyPem) => ({ url: 'account', keyPem }),
    order: async () => (meets(), { url: 'order', challenges: [] }),
    challengesAreMet: async () => meets(),
    state: async () => (meets(), { state: 'valid', problem: null }),
    finalize: async () => {},
    chain: async () => `chain ${now}`,
    renewalWindow: async () => {
      const suggested = window?.(now) ?? null
      if (suggested === 'away') throw new AuthorityAway('no answer')
      return suggested && { ...suggested, askAgainAt: null }
    },
  }
  const detailsOf = (): CertificateDetails =>
    ({
      notBefore: new Date(now - HOUR).toISOString(),
      notAfter: new Date(now - HOUR + lifeDays * DAY).toISOString(),
    }) as CertificateDetails
  while (now < BEGAN + DAYS * DAY) {
    // The rounds between: nothing is due, but a certificate grows old.
    const dueAt = row.next_attempt_at?.getTime() ?? Infinity
    now = Math.min(Math.max(now + 1_000, dueAt), now + 6 * HOUR)
    if (row.not_after) course.leastLeftDays = Math.min(course.leastLeftDays, (row.not_after.getTime() - now) / DAY)
    course.statuses.add(
      certificateStatus(
        {
          notAfter: row.not_after?.getTime() ?? null,
          step: row.step,
          hindrance: row.hindrance,
          isRemoved: false,
          renewsItself: true,
          isServed: row.not_after !== null,
        },
        now,
      ),
    )
    const told = row.not_after
      ? noticeDue(
          { notAfter: row.not_after.getTime(), hindrance: row.hindrance, renewsItself: true },
          row.told_days,
          now,
        )
      : null
    if (told !== null) course.notices.push((row.told_days = told))
    if (dueAt > now) continue
    if (row.order_key === null)
      Object.assign(row, {
        step: 'order',
        order_key: 'key',
        order_url: null,
        order_began_at: new Date(now),
        attempts: 0,
      })
    row.order_began_at ??= new Date(now)
    const step = await orderStep({
      row,
      proof: { next: 'dns-01', current: 'dns-01' },
      authority,
      account: () => authority.account('key'),
      keyPem: 'key',
      isPublished: async () => true,
      detailsOf,
      now: new Date(now),
    })
    if (step.to === 'publish')
      Object.assign(row, { step: 'publish', order_url: step.orderUrl, hindrance: null, next_attempt_at: new Date(now) })
    if (step.to === 'validate') Object.assign(row, { step: 'validate', next_attempt_at: new Date(now) })
    if (step.to === 'stay') row.next_attempt_at = new Date(now + step.again)
    if (step.to === 'later')
      Object.assign(row, {
        step: step.at ? 'order' : null,
        order_url: null,
        hindrance: step.hindrance,
        attempts: row.attempts + 1,
        next_attempt_at: step.at,
        order_began_at: null,
      })
    if (step.to === 'deploy') {
      course.issued += 1
      Object.assign(row, {
        step: null,
        chain_pem: step.chainPem,
        order_key: null,
        not_after: new Date(step.details.notAfter),
        next_attempt_at: step.renewAt,
        attempts: 0,
        hindrance: null,
        told_days: null,
      })
    }
  }
  return course
}

test('400 days with an authority that says when to renew: in its window, never near the end', async () => {
  const course = await liveThrough({ lifeDays: 90, window: (at) => ({ start: at + 55 * DAY, end: at + 57 * DAY }) })
  assert.deepEqual([course.issued, course.notices], [8, []])
  assert.ok(course.leastLeftDays > 33 && course.leastLeftDays < 35, `${course.leastLeftDays}`)
})

test('400 days with one that does not say, or is asked in vain: at two thirds of the life', async () => {
  for (const window of [undefined, () => 'away' as const]) {
    const course = await liveThrough({ lifeDays: 90, ...(window ? { window } : {}) })
    assert.deepEqual([course.issued, [...course.statuses].sort(), course.notices], [7, ['active', 'issuing'], []])
    assert.ok(course.leastLeftDays > 29 && course.leastLeftDays < 31, `${course.leastLeftDays}`)
  }
})

test('400 days of six-day certificates: 100 and more of them, the served one never ends', async () => {
  const course = await liveThrough({ lifeDays: 6 })
  assert.ok(course.issued >= 99 && course.leastLeftDays > 1.5, JSON.stringify([course.issued, course.leastLeftDays]))
  assert.deepEqual(course.notices, [])
})

test('400 days with an authority that is away for 20 days at a time, limits and refuses: people are told in time, and what is served never ends', async () => {
  const trouble: Year['trouble'] = (at) => {
    const day = Math.floor((at - BEGAN) / DAY)
    if (day > 5 && day % 50 < 20) return 'away'
    if (day % 50 === 21) return 'limit'
    return day % 50 === 22 ? 'refused' : null
  }
  const course = await liveThrough({ lifeDays: 90, trouble })
  assert.ok(course.leastLeftDays > 5, `${course.leastLeftDays} days left`)
  assert.ok(!course.statuses.has('expired'))
  assert.ok(course.issued >= 5)
})

test('a limit of the account that does not say how long holds everybody for minutes, however often one has failed', async () => {
  const now = new Date(BEGAN)
  const held = async (retryAt: number | null) => {
    const step = await orderStep({
      row: { names: ['a'], step: 'order', order_url: null, order_began_at: now, attempts: 5, chain_pem: null },
      proof: { next: 'dns-01', current: 'dns-01' },
      authority: {
        order: async () => {
          throw new AuthorityRefusal('too many new orders', { isLimit: true, retryAt, isOfAccount: true })
        },
      } as unknown as CertificateAuthority,
      account: async () => ({ url: 'account', keyPem: 'key' }),
      keyPem: 'key',
      isPublished: async () => true,
      detailsOf: () => assert.fail(),
      now,
    })
    assert.equal(step.to, 'later')
    return [step.at, step.heldUntil].map((at) => (Number(at) - BEGAN) / 60_000)
  }
  assert.deepEqual(await held(null), [360, 5])
  assert.deepEqual(await held(BEGAN + HOUR), [60, 60])
})

test('an authority that has gone for good: 30, 14, 7 and 1 days before the end and at it, people are told once each', async () => {
  const course = await liveThrough({ lifeDays: 90, trouble: (at) => (at > BEGAN + DAY ? 'refused' : null) })
  assert.deepEqual([course.issued, course.notices], [1, [30, 14, 7, 1, 0]])
  assert.ok(course.statuses.has('expiring') && course.statuses.has('expired'))
})
