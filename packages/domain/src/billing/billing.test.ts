import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { creditBalance, useCredit } from './credit.ts'
import { expectedAt, forecastUsage } from './forecast.ts'
import { type ChargeLine, type Discount, invoiceTotals, spread } from './invoice.ts'
import { decimalText, formatMoney, parseMoney, share } from './money.ts'
import { addMonths, monthOf } from './months.ts'
import { MOST_ATTEMPTS, codeOfDecline, nextAttemptAt } from './payment-steps.ts'
import { prorate } from './prorate.ts'
import { spendingProblem } from './spending.ts'
import { trialState } from './trial.ts'
import { quotaReached, usageItems } from './usage-items.ts'
import { totalAllowances, usageAmount, usageLines } from './usage-lines.ts'

const month = monthOf(Date.UTC(2026, 10, 21))
const DAY = 86_400_000

test('parts of a month add up to the whole fee, however it is cut', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1e9 }),
      fc.array(fc.integer({ min: 0, max: month.until - month.from }), { maxLength: 12 }),
      (fee, cuts) => {
        const points = [0, ...cuts.toSorted((a, b) => a - b), month.until - month.from].map((at) => month.from + at)
        const parts = points.slice(1).map((until, index) => prorate(fee, { from: points[index] ?? 0, until }, month))
        assert.ok(parts.every((part) => part >= 0))
        assert.equal(
          parts.reduce((total, part) => total + part, 0),
          fee,
        )
      },
    ),
  )
})

test('half a month costs half, and what lies outside costs nothing', () => {
  assert.equal(prorate(30_000, { from: month.from + 15 * DAY, until: month.until }, month), 15_000)
  assert.equal(prorate(30_000, { from: month.from - DAY, until: month.until + DAY }, month), 30_000)
  assert.equal(prorate(30_000, { from: month.until, until: month.until + DAY }, month), 0)
})

test("months are the calendar's, in UTC, and a date that a month lacks becomes its last", () => {
  assert.deepEqual(monthOf(Date.UTC(2026, 0, 31, 23, 59), -1), {
    from: Date.UTC(2025, 11, 1),
    until: Date.UTC(2026, 0, 1),
  })
  assert.equal(addMonths(Date.UTC(2026, 0, 31, 8), 1), Date.UTC(2026, 1, 28, 8))
  assert.equal(addMonths(Date.UTC(2026, 11, 5), 3), Date.UTC(2027, 2, 5))
})

test('usage costs what is above the allowance, to the nearest cent, at any size', () => {
  const rate = { units: 1_000_000, minor: 40 }
  assert.equal(usageAmount(1_000_000, 1_000_000, rate), 0)
  assert.equal(usageAmount(1_012_499, 1_000_000, rate), 0)
  assert.equal(usageAmount(1_012_500, 1_000_000, rate), 1)
  assert.equal(usageAmount(9e15, 0, { units: 1_000_000_000, minor: 5 }), 45_000_000)
  assert.deepEqual(usageLines({ dnsQuery: 3_000_000, cdnRequest: 5 }, { dnsQuery: 1_000_000 }, { dnsQuery: rate }), [
    { meter: 'dnsQuery', used: 3_000_000, included: 1_000_000, rate, amountMinor: 80 },
  ])
  assert.deepEqual(totalAllowances([{ dnsQuery: 1, cdnTraffic: 5 }, { dnsQuery: 2 }]), { dnsQuery: 3, cdnTraffic: 5 })
})

const lineOf = fc.record({
  kind: fc.constantFrom('plan', 'addon', 'unused', 'usage' as const),
  amountMinor: fc.integer({ min: -1e8, max: 1e8 }),
}) as fc.Arbitrary<ChargeLine>
const discountOf = fc.oneof(
  fc.record({
    kind: fc.constant('percent' as const),
    percent: fc.integer({ min: 1, max: 100 }),
    appliesTo: fc.constantFrom('all' as const, 'fees' as const),
  }),
  fc.record({
    kind: fc.constant('amount' as const),
    amountMinor: fc.integer({ min: 1, max: 1e8 }),
    appliesTo: fc.constantFrom('all' as const, 'fees' as const),
  }),
) as fc.Arbitrary<Discount>

test('an invoice adds up: lines less discounts plus tax is the total, of which credit pays a part and the rest is due', () => {
  fc.assert(
    fc.property(
      fc.array(lineOf, { maxLength: 8 }),
      fc.array(discountOf, { maxLength: 3 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.integer({ min: 0, max: 1e9 }),
      (lines, discounts, taxRatePpm, creditMinor) => {
        const totals = invoiceTotals(lines, { discounts, taxRatePpm, creditMinor })
        assert.equal(
          totals.subtotalMinor,
          lines.reduce((total, line) => total + line.amountMinor, 0),
        )
        assert.equal(
          totals.lineDiscounts.reduce((total, part) => total + part, 0),
          totals.discountMinor,
        )
        for (const [index, off] of totals.lineDiscounts.entries())
          assert.ok(off >= 0 && off <= Math.max(0, lines[index]?.amountMinor ?? 0))
        assert.equal(
          totals.subtotalMinor - totals.discountMinor + totals.taxMinor,
          totals.totalMinor - totals.toCreditMinor,
        )
        assert.equal(totals.totalMinor, totals.creditMinor + totals.dueMinor)
        assert.ok(
          totals.dueMinor >= 0 &&
            totals.creditMinor <= creditMinor &&
            (totals.toCreditMinor === 0 || totals.totalMinor === 0),
        )
        for (const value of Object.values(totals).flat()) assert.ok(Number.isSafeInteger(value))
      },
    ),
  )
})

test('a coupon for fees leaves usage alone, and two percent coupons do not make more than everything', () => {
  const lines: ChargeLine[] = [
    { kind: 'plan', amountMinor: 1000 },
    { kind: 'usage', amountMinor: 500 },
  ]
  const none = { taxRatePpm: 0, creditMinor: 0 }
  assert.deepEqual(
    invoiceTotals(lines, { ...none, discounts: [{ kind: 'percent', percent: 50, appliesTo: 'fees' }] }).lineDiscounts,
    [500, 0],
  )
  assert.deepEqual(
    invoiceTotals(lines, {
      ...none,
      discounts: [
        { kind: 'percent', percent: 50, appliesTo: 'all' },
        { kind: 'percent', percent: 50, appliesTo: 'all' },
      ],
    }).dueMinor,
    375,
  )
  assert.equal(
    invoiceTotals(lines, { ...none, discounts: [{ kind: 'amount', amountMinor: 10_000, appliesTo: 'all' }] }).dueMinor,
    0,
  )
  const taxed = invoiceTotals(lines, { discounts: [], taxRatePpm: 50_000, creditMinor: 100 })
  assert.deepEqual([taxed.taxMinor, taxed.totalMinor, taxed.creditMinor, taxed.dueMinor], [75, 1575, 100, 1475])
})

test('what is left of a dearer plan becomes credit instead of a negative bill', () => {
  assert.deepEqual(
    invoiceTotals(
      [
        { kind: 'unused', amountMinor: -900 },
        { kind: 'plan', amountMinor: 400 },
      ],
      { discounts: [], taxRatePpm: 50_000, creditMinor: 100 },
    ),
    {
      subtotalMinor: -500,
      lineDiscounts: [0, 0],
      discountMinor: 0,
      taxMinor: 0,
      totalMinor: 0,
      creditMinor: 0,
      dueMinor: 0,
      toCreditMinor: 500,
    },
  )
})

test('spreading an amount loses nothing and gives nobody more than one unit above their share', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 1, maxLength: 20 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (weights, of) => {
        const whole = weights.reduce((total, weight) => total + weight, 0)
        const amount = Math.floor(whole * of)
        const parts = spread(amount, weights)
        assert.equal(
          parts.reduce((total, part) => total + part, 0),
          amount,
        )
        for (const [index, part] of parts.entries())
          assert.ok(
            part >= 0 &&
              part <= (weights[index] ?? 0) &&
              Math.abs(part - (amount * (weights[index] ?? 0)) / (whole || 1)) <= 1,
          )
      },
    ),
  )
})

const grantOf = fc.record({
  amountMinor: fc.integer({ min: 1, max: 1e7 }),
  used: fc.double({ min: 0, max: 1, noNaN: true }),
  expiresAt: fc.option(fc.integer({ min: 0, max: 200 })),
})

test('credit is never overdrawn, what has expired pays nothing, and what ends soonest goes first', () => {
  fc.assert(
    fc.property(fc.array(grantOf, { maxLength: 8 }), fc.integer({ min: 0, max: 1e8 }), (list, amount) => {
      const grants = list.map((one, index) => ({
        id: String(index),
        amountMinor: one.amountMinor,
        usedMinor: Math.floor(one.amountMinor * one.used),
        expiresAt: one.expiresAt,
      }))
      const balance = creditBalance(grants, 100)
      const uses = useCredit(grants, amount, 100)
      assert.equal(
        uses.reduce((total, use) => total + use.amountMinor, 0),
        Math.min(amount, balance),
      )
      for (const use of uses) {
        const grant = grants[Number(use.grantId)]
        assert.ok(
          grant &&
            use.amountMinor <= grant.amountMinor - grant.usedMinor &&
            (grant.expiresAt === null || grant.expiresAt > 100),
        )
      }
    }),
  )
  assert.deepEqual(
    useCredit(
      [
        { id: 'late', amountMinor: 50, usedMinor: 0, expiresAt: null },
        { id: 'soon', amountMinor: 50, usedMinor: 20, expiresAt: 200 },
      ],
      40,
      100,
    ),
    [
      { grantId: 'soon', amountMinor: 30 },
      { grantId: 'late', amountMinor: 10 },
    ],
  )
})

test('a trial ends with its days or with its credit', () => {
  const terms = { startedAt: 0, days: 30, creditLeftMinor: 5000, openMinor: 0 }
  assert.deepEqual(trialState(terms, 10 * DAY), { over: null, endsAt: 30 * DAY, daysLeft: 20, creditLeftMinor: 5000 })
  assert.equal(trialState(terms, 30 * DAY).over, 'days')
  assert.equal(trialState({ ...terms, openMinor: 5000 }, 1).over, 'credit')
  assert.equal(trialState({ ...terms, openMinor: 4999 }, 1).creditLeftMinor, 1)
  assert.equal(trialState({ ...terms, startedAt: null }, 1e12).over, null)
})

test('the forecast goes on as the last seven days did, and says when the limit is met', () => {
  const at = month.from + 10 * DAY
  const days = Array.from({ length: 10 }, (_, index) => ({
    day: month.from + index * DAY,
    meter: 'dnsQuery' as const,
    used: index < 3 ? 0 : 100,
  }))
  assert.deepEqual(forecastUsage(days, month, at), { dnsQuery: 700 + 20 * 100 })
  assert.deepEqual(forecastUsage(days, month, month.until), { dnsQuery: 700 })
  assert.deepEqual(forecastUsage([], month, at), {})
  assert.equal(expectedAt(100, 300, 400, month, at), null)
  assert.equal(expectedAt(400, 500, 400, month, at), at)
  assert.equal(expectedAt(100, 300, 200, month, at), at + 10 * DAY)
})

test('used of quota: percent with two decimals, over only above it', () => {
  const items = usageItems({
    used: { mcdn: 3, dnsQuery: 1_500_000, cdnTraffic: 10 },
    quotas: { mcdn: 10, dns: 50, dnsQuery: 1_000_000 },
    rates: { dnsQuery: { units: 1_000_000, minor: 40 }, cdnTraffic: { units: 10, minor: 7 } },
    billed: true,
  })
  assert.deepEqual(
    items.map(({ type, progress, overUsage, overMinor }) => [type, progress, overUsage, overMinor]),
    [
      ['mcdn', 30, false, null],
      ['dns', 0, false, null],
      ['dnsQuery', 150, true, 20],
      ['chinaDnsQuery', 0, false, null],
      ['cdnTraffic', 0, false, 7],
      ['cdnRequest', 0, false, null],
      ['streamView', 0, false, null],
      ['liveMinute', 0, false, null],
      ['encodedMinute', 0, false, null],
      ['storedMinute', 0, false, null],
    ],
  )
  assert.equal(quotaReached({ dnsQuery: 9 }, { dnsQuery: 10 }), false)
  assert.equal(quotaReached({ dnsQuery: 10 }, { dnsQuery: 10 }), true)
})

test('a failed charge is repeated after 1, 3, 5 and 7 days, then it has failed for good', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((attempts) => nextAttemptAt(attempts, 0)),
    [DAY, 3 * DAY, 5 * DAY, 7 * DAY, null],
  )
  assert.equal(MOST_ATTEMPTS, 5)
})

test('declines have their codes, and what keeps from spending is told in order', () => {
  assert.deepEqual(
    (
      [
        'expired_card',
        'incorrect_cvc',
        'insufficient_funds',
        'stolen_card',
        'invalid_account',
        'incorrect_zip',
        'incorrect_number',
        'processing_error',
      ] as const
    ).map(codeOfDecline),
    [7702, 7703, 7710, 7709, 7715, 7704, 7701, 7487],
  )
  const free = {
    status: 'active' as const,
    trialOver: false,
    quotaReached: false,
    capReached: false,
    planMissing: false,
  }
  assert.deepEqual(
    [
      spendingProblem(free),
      spendingProblem({ ...free, status: 'payment_failed' }),
      spendingProblem({ ...free, capReached: true }),
      spendingProblem({ ...free, quotaReached: true, capReached: true }),
      spendingProblem({ ...free, trialOver: true }),
      spendingProblem({ ...free, planMissing: true }),
      spendingProblem({ ...free, status: 'locked', trialOver: true }),
    ],
    [null, null, 7493, 909996, 7486, 7486, 909994],
  )
})

test('amounts read as the language writes them, and no cent is lost', () => {
  assert.equal(formatMoney(123_456, 'USD', 'en'), '$1,234.56')
  assert.equal(formatMoney(123_456, 'USD', 'zhHant'), 'US$1,234.56')
  assert.deepEqual(
    [30_000, 60].map((minor) => formatMoney(minor, 'USD', 'en', { isPrice: true })),
    ['$300', '$0.60'],
  )
  assert.equal(formatMoney(123_456, 'USD', 'zhHans'), 'US$1,234.56')
  assert.equal(formatMoney(4900, 'JPY', 'en'), '¥4,900')
  assert.equal(formatMoney(-5, 'EUR', 'en'), '-€0.05')
  assert.equal(formatMoney(Number.MAX_SAFE_INTEGER, 'USD', 'en'), '$90,071,992,547,409.91')
  assert.deepEqual(
    [
      parseMoney('1,234.5', 'USD'),
      parseMoney('12', 'JPY'),
      parseMoney('1.5', 'JPY'),
      parseMoney('-3', 'USD'),
      parseMoney('abc', 'USD'),
    ],
    [123_450, 12, null, null, null],
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), (minor) =>
      assert.equal(parseMoney(decimalText(minor, 2), 'USD'), minor),
    ),
  )
  fc.assert(
    fc.property(
      fc.integer({ min: -1e12, max: 1e12 }),
      fc.integer({ min: 0, max: 1e9 }),
      fc.integer({ min: 1, max: 1e9 }),
      (amount, part, whole) =>
        assert.ok(
          Math.abs(share(amount, part, whole) - (amount * part) / whole) <=
            0.5 + Math.abs((amount * part) / whole) * 1e-15 + 1e-6,
        ),
    ),
  )
})
