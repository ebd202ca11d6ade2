import { type BillingCustomer, type Invoice, type UsageReport, billing, plans } from '@fairway/contract'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const AT = '2026-11-01T00:00:00.000Z'
const owner = accountOf({ permissions: ['ViewSite', 'ViewSubscription', 'EditSubscription'] })
const customer: BillingCustomer = {
  card: { brand: 'visa', maskedNumber: '•••• •••• •••• 0341', expiryMonth: 12, expiryYear: 2028, expired: false },
  address: null,
  currency: { code: 'USD' },
  customer: { fully_activated: true },
  plan_id: 'business',
  status: 'active',
  gateway: 'sandbox',
}
const text = (en: string) => ({ en, zhHant: en, zhHans: en })
const row = {
  id: 'i1',
  number: 'FAIRWAY-000007',
  kind: 'month' as const,
  status: 'unpaid' as const,
  date: AT,
  dueAt: AT,
  currency: 'USD',
  periodFrom: AT,
  periodUntil: AT,
  amountMinor: 31_500,
  creditMinor: 0,
  dueMinor: 31_500,
  paidAt: null,
  nextAttemptAt: AT,
  declineCode: 'insufficient_funds',
}
const line = {
  number: 1,
  kind: 'usage' as const,
  itemId: 'dnsQuery',
  name: text('DNS queries'),
  from: AT,
  until: AT,
  used: 3_000_000,
  included: 1_000_000,
  rate: { units: 1_000_000, minor: 40 },
  monthlyMinor: null,
  amountMinor: 80,
  discountMinor: 0,
}
const invoice: Invoice = {
  ...row,
  seller: { companyName: 'Fairway', contactEmail: null, brandColor: '#3a5bff' },
  buyer: { organizationName: 'Example', address: null },
  lines: [line],
  subtotalMinor: 80,
  discountMinor: 0,
  taxName: null,
  taxRatePpm: 0,
  taxMinor: 0,
  totalMinor: 80,
}
const usage: UsageReport = {
  month: 'current',
  from: AT,
  until: AT,
  currency: 'USD',
  countedAt: AT,
  items: [
    {
      type: 'dnsQuery',
      quota: 1_000_000,
      used: 1_500_000,
      progress: 150,
      unit: 'count',
      overUsage: true,
      overMinor: 20,
    },
    { type: 'cdnTraffic', quota: 1e12, used: 5e11, progress: 50, unit: 'bytes', overUsage: false, overMinor: 0 },
  ],
}
const get = (route: { path: string }, answer: unknown) => ({ [`GET ${route.path}`]: () => answer })
const answers = {
  ...get(billing.routes.me, customer),
  ...get(billing.routes.credit, { currency: 'USD', balanceMinor: 0, grants: [] }),
  ...get(billing.routes.coupons, { data: [] }),
  ...get(billing.routes.paymentFailed, {
    failed: false,
    invoice: null,
    declineCode: null,
    nextAttemptAt: null,
    attemptsLeft: 0,
    servingStopsAt: null,
  }),
}

test('an invoice opens with its lines, and a line with the usage behind it', async () => {
  stubApi(
    {
      ...answers,
      ...get(billing.routes.invoices, { data: [row], meta: { total: 1, page: 1, pageSize: -1 } }),
      [`GET ${billing.routes.invoice.path.replace('{id}', 'i1')}`]: () => invoice,
      [`GET ${billing.routes.lineUsage.path.replace('{id}', 'i1').replace('{number}', '1')}`]: () => ({
        line,
        meter: 'dnsQuery',
        currency: 'USD',
        rows: [{ day: '2026-10-02', site: 'example.com', domain: 'www.example.com', cdn: 'Polaris', used: 3_000_000 }],
        total: 3_000_000,
        recomputedMinor: 80,
        loggedNow: 3_000_000,
      }),
    },
    owner,
  )
  openScreen('/account/billing?invoice=i1')
  const drawer = await screen.findByRole('dialog')
  fireEvent.click(await within(drawer).findByRole('button', { name: 'Explain this line' }))
  expect(await within(drawer).findByText('www.example.com')).toBeTruthy()
  expect(
    within(drawer).getByText(/adds up to 3,000,000, which is \$0\.80\..*3,000,000 for the same days now/),
  ).toBeTruthy()
  expect(
    within(drawer)
      .getAllByRole('link', { name: /^PDF/ })
      .map((link) => link.getAttribute('href')),
  ).toEqual(['en', 'zhHant', 'zhHans'].map((locale) => `/billing/v2/invoices/i1/pdf/?locale=${locale}`))
})

test('a failed payment says why in the words of the bank, when it is tried again, and can be paid now', async () => {
  const changes = stubApi(
    {
      ...answers,
      ...get(billing.routes.paymentFailed, {
        failed: true,
        invoice: row,
        declineCode: 'insufficient_funds',
        nextAttemptAt: AT,
        attemptsLeft: 3,
        servingStopsAt: null,
      }),
      [`POST ${billing.routes.retryPayment.path}`]: () => ({
        status: 402,
        body: {
          meta: {
            code: 7710,
            message: 'card-insufficient-funds',
            requestId: 'r',
            decline_code: 'withdrawal_count_limit_exceeded',
          },
        },
      }),
    },
    accountOf({ ...owner, organizationStatus: 'payment_failed' }),
  )
  openScreen('/account/billing/payment?layout=addAssets')
  expect(await screen.findByText(/The payment of \$315\.00 for invoice FAIRWAY-000007 failed/)).toBeTruthy()
  expect(screen.getByText(/There is not enough money on the card.*3 more times/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Pay now' }))
  expect(await screen.findByText('The card has reached its limit. Use another one.')).toBeTruthy()
  expect(changes.map(({ path }) => path)).toEqual([billing.routes.retryPayment.path])
})

test('an invoice of an open account that nobody charges says so, and why its card cannot be removed', async () => {
  stubApi(
    {
      ...answers,
      ...get(billing.routes.paymentFailed, {
        failed: true,
        invoice: { ...row, nextAttemptAt: null, declineCode: null },
        declineCode: null,
        nextAttemptAt: null,
        attemptsLeft: 5,
        servingStopsAt: null,
      }),
      [`DELETE ${billing.routes.removeCard.path}`]: () => refusal(402, 7402),
    },
    owner,
  )
  openScreen('/account/billing/payment')
  expect(await screen.findByText('$315.00 for invoice FAIRWAY-000007 is to be paid')).toBeTruthy()
  expect(screen.getByText('Nothing is charged by itself; Pay now charges your card.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Remove card' }))
  const dialog = await screen.findByRole('dialog')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Remove card' }))
  expect(await within(dialog).findByText(/The card is to pay for .* more use than there is credit/)).toBeTruthy()
})

test('above a quota the report says by how much and what it costs', async () => {
  stubApi(
    {
      ...answers,
      ...get(billing.routes.usage, usage),
      ...get(billing.routes.quota, {
        org_locked: false,
        credit_card: true,
        zone_total: 20,
        zone_used: 1,
        record_total: 50,
        record_used: 7,
        cdn_total: 10,
        cdn_used: 2,
      }),
      ...get(billing.routes.trialInfo, {
        active: true,
        over: null,
        endsAt: AT,
        daysLeft: 12,
        days: 30,
        creditMinor: 5000,
        creditLeftMinor: 4200,
        currency: 'USD',
      }),
      ...get(plans.routes.list, { currency: 'USD', data: [] }),
      ...get(billing.routes.estimates, {
        currency: 'USD',
        from: AT,
        until: AT,
        lines: [],
        spentMinor: 20,
        forecastMinor: 60,
        creditMinor: 0,
        cap: { capMinor: 50, action: 'stop', reachedAt: null, expectedAt: AT, servingStopped: false },
      }),
      ...get(plans.routes.addOns, { currency: 'USD', categories: [], data: [] }),
    },
    owner,
  )
  openScreen('/account/billing/plan')
  expect(await screen.findByText('Over by 50% · $0.20')).toBeTruthy()
  expect(await screen.findByText('12 days of the trial left')).toBeTruthy()
  expect(screen.getByText('7 / 50')).toBeTruthy()
  expect(await screen.findByText(/At this pace the limit is reached/)).toBeTruthy()
})

test('who may only look sees no button that changes anything', async () => {
  stubApi(answers, accountOf({ permissions: ['ViewSite', 'ViewSubscription'] }))
  openScreen('/account/billing/payment')
  expect(await screen.findByText('•••• •••• •••• 0341')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /card/i })).toBeNull()
})

test('a coupon that is none says so at its field', async () => {
  stubApi({ ...answers, [`POST ${billing.routes.redeemCoupon.path}`]: () => refusal(404, 7499) }, owner)
  openScreen('/account/billing/payment')
  fireEvent.change(await screen.findByLabelText('Coupon code'), { target: { value: 'NOPE' } })
  fireEvent.click(screen.getByRole('button', { name: 'Redeem' }))
  await waitFor(() => expect(screen.getByText('This could not be found. It may have been deleted.')).toBeTruthy())
})
