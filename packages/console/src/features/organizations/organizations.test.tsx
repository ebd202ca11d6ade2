import { MAXIMA, type OrganizationRow, type UserRow } from '@fairway/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const AT = '2026-11-21T10:00:00Z'
const organization: OrganizationRow = {
  id: 'o2',
  name: 'Aurora News',
  planId: 'business',
  planName: 'Business',
  partnerId: 'p1',
  partnerName: 'Nimbus',
  status: 'active',
  suspended: false,
  sandbox: false,
  closesAt: null,
  closedAt: null,
  closingProblem: null,
  billed: true,
  siteCount: 2,
  userCount: 1,
  createdAt: AT,
  may: { plan: true, bill: false, suspend: true, lift: true, keepOpen: false },
}
const user: UserRow = {
  id: 'u2',
  email: 'robin@example.com',
  firstName: 'Robin',
  lastName: 'Example',
  organizationId: 'o2',
  organizationName: 'Aurora News',
  isOperator: false,
  administersPartner: false,
  suspended: false,
  isOwner: false,
  emailVerified: true,
  hasMfa: false,
  loginAt: AT,
  createdAt: AT,
  may: { lookOn: true, suspend: true, lift: true },
}
const planOf = (id: string, name: string) => ({
  id,
  name,
  offered: true,
  ability: [],
  siteLimit: 1,
  recordLimit: 1,
  cdnLimit: 1,
  minimumTtlSeconds: 60,
  maxima: MAXIMA,
  organizationCount: 1,
})
const page = <Row,>(data: Row[]) => ({ data, meta: { total: data.length, page: 1, pageSize: 500 } })
const answers = {
  'GET /operator/v2/organizations/': () => page([organization]),
  'GET /operator/v2/organizations/o2/': () => organization,
  'GET /operator/v2/users/': () => page([user]),
  'GET /operator/v2/plans/': () => ({ data: [] }),
  'GET /operator/v2/partners/': () => page([]),
}

test('suspending an organisation asks first and says what it means', async () => {
  const changes = stubApi(
    { ...answers, 'PATCH /operator/v2/organizations/o2/': () => ({ ...organization, suspended: true }) },
    accountOf({ isOperator: true }),
  )
  openScreen('/operator/organizations?open=o2')
  fireEvent.click(await screen.findByRole('switch', { name: /^Suspended/ }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Suspend Aurora News?' }))
  expect(changes).toEqual([])
  fireEvent.click(dialog.getByRole('button', { name: 'Suspend organisation' }))
  await waitFor(() => expect(changes.map(({ body }) => body)).toEqual([{ suspended: true }]))
})

test('an operator keeps an organisation open that its owner closes, and whom somebody suspended waits', async () => {
  const closing = { ...organization, closesAt: AT, suspended: true, may: { ...organization.may, keepOpen: true } }
  const changes = stubApi(
    {
      ...answers,
      'GET /operator/v2/organizations/o2/': () => closing,
      'DELETE /operator/v2/organizations/o2/closing/': () => organization,
    },
    accountOf({ isOperator: true }),
  )
  openScreen('/operator/organizations?open=o2')
  expect(await screen.findByText(/While it is suspended it stays/)).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Keep it open…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Keep Aurora News open?' }))
  expect(changes).toEqual([])
  fireEvent.click(dialog.getByRole('button', { name: 'Keep it open' }))
  await waitFor(() => expect(changes.map(({ method }) => method)).toEqual(['DELETE']))
})

test('looking on as a user tells first that everything is told', async () => {
  const changes = stubApi(
    { ...answers, 'POST /operator/v2/users/u2/login-as/': () => ({ url: 'about:blank', expiresAt: AT }) },
    accountOf({ isOperator: true }),
  )
  openScreen('/operator/users')
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for robin@example.com' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Look on as this user…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Look on as robin@example.com?' }))
  expect(dialog.getByText(/in both audit logs/)).toBeDefined()
  fireEvent.click(dialog.getByRole('button', { name: 'Look on' }))
  await waitFor(() => expect(changes.map(({ path }) => path)).toEqual(['/operator/v2/users/u2/login-as/']))
})

test('the people of a partner find their customers, and nothing of the installation', async () => {
  stubApi(answers, accountOf({ administersPartner: true }))
  openScreen('/operator')
  expect(await screen.findByText('The organisations of your customers.')).toBeDefined()
  const nav = within(screen.getByRole('navigation', { name: 'Main navigation' }))
  expect(
    nav
      .getAllByRole('link', {
        name: /^(Organisations|Users|Tickets|Audit log of all|Partners|Jobs|Outbox|Maintenance)$/,
      })
      .map((link) => link.textContent),
  ).toEqual(['Organisations', 'Users', 'Tickets', 'Audit log of all'])
  fireEvent.click(await screen.findByText('Aurora News'))
  expect(await screen.findByRole('switch', { name: /^Suspended/ })).toBeDefined()
  expect(screen.queryByRole('textbox', { name: 'Payment state' })).toBeNull()
})

test('everybody else is told that there is no such page', async () => {
  stubApi(answers, accountOf())
  openScreen('/operator/organizations')
  expect(await screen.findByText('This page could not be found')).toBeDefined()
})

test('a plan, a partner and a payment state change only after it was said what that does', async () => {
  const changes = stubApi(
    {
      ...answers,
      'GET /operator/v2/plans/': () => ({ data: [planOf('business', 'Business'), planOf('enterprise', 'Enterprise')] }),
      'PATCH /operator/v2/organizations/o2/': () => ({ ...organization, planId: 'enterprise' }),
      'PATCH /operator/v2/organizations/o2/management/': () => ({ ...organization, status: 'locked' }),
    },
    accountOf({ isOperator: true }),
  )
  openScreen('/operator/organizations?open=o2')
  const choose = async (label: string, option: string) => {
    fireEvent.click(await screen.findByRole('combobox', { name: label }))
    fireEvent.click(await screen.findByRole('option', { name: option }))
  }
  await choose('Plan', 'Enterprise')
  const plan = within(await screen.findByRole('dialog', { name: 'Put Aurora News on Enterprise?' }))
  expect(plan.getByText(/what is left of its fee becomes credit/)).toBeDefined()
  expect(changes).toEqual([])
  fireEvent.click(plan.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /Put Aurora News/ })).toBeNull())
  expect(changes).toEqual([])
  await choose('Payment state', 'Locked')
  const state = within(await screen.findByRole('dialog', { name: 'Payment state of Aurora News: Locked?' }))
  fireEvent.click(state.getByRole('button', { name: 'Change payment state' }))
  await waitFor(() => expect(changes.map(({ body }) => body)).toEqual([{ status: 'locked' }]))
})

test('a plan that was set before is billed after a question', async () => {
  const changes = stubApi(
    {
      ...answers,
      'GET /operator/v2/organizations/o2/': () => ({
        ...organization,
        billed: false,
        may: { ...organization.may, bill: true },
      }),
      'PATCH /operator/v2/organizations/o2/': () => organization,
    },
    accountOf({ isOperator: true }),
  )
  openScreen('/operator/organizations?open=o2')
  expect(await screen.findByText('Not billed')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Begin to bill…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Bill Aurora News for Business?' }))
  expect(changes).toEqual([])
  fireEvent.click(dialog.getByRole('button', { name: 'Begin to bill' }))
  await waitFor(() => expect(changes.map(({ body }) => body)).toEqual([{ planId: 'business' }]))
})

test('what the server would refuse is not offered, or says why', async () => {
  const closed = { plan: false, bill: false, suspend: false, lift: false, keepOpen: false }
  stubApi(
    {
      ...answers,
      'GET /operator/v2/organizations/o2/': () => ({ ...organization, may: closed }),
      'GET /operator/v2/plans/': () => ({ data: [planOf('business', 'Business')] }),
      'GET /operator/v2/users/': () => page([{ ...user, may: { lookOn: false, suspend: false, lift: false } }]),
    },
    accountOf({ administersPartner: true }),
  )
  openScreen('/operator/organizations?open=o2')
  expect(await screen.findByText(/only operators change it/)).toBeDefined()
  expect(await screen.findByText('robin@example.com')).toBeDefined()
  expect(screen.queryByRole('combobox', { name: 'Plan' })).toBeNull()
  expect(screen.queryByRole('switch', { name: /^Suspended/ })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Actions for robin@example.com' })).toBeNull()
})

test('a partner lifts no suspension of the operator and gives only plans that are offered', async () => {
  stubApi(
    {
      ...answers,
      'GET /operator/v2/organizations/o2/': () => ({
        ...organization,
        suspended: true,
        may: { ...organization.may, lift: false },
      }),
      'GET /operator/v2/plans/': () => ({
        data: [planOf('business', 'Business'), { ...planOf('old', 'Old'), offered: false }],
      }),
    },
    accountOf({ administersPartner: true }),
  )
  openScreen('/operator/organizations?open=o2')
  const suspended = await screen.findByRole('switch', { name: /^Suspended/ })
  expect(suspended.hasAttribute('disabled')).toBe(true)
  expect(screen.getByText('Suspended by the operator, who alone can end it.')).toBeDefined()
  fireEvent.click(screen.getByRole('combobox', { name: 'Plan' }))
  expect(await screen.findByRole('option', { name: 'Business' })).toBeDefined()
  expect(screen.queryByRole('option', { name: 'Old' })).toBeNull()
})

test('organisations beyond the first page are found by pages, and sorted where all of them are', async () => {
  stubApi(answers, accountOf({ isOperator: true }))
  const asked: URLSearchParams[] = []
  const answer = globalThis.fetch
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (!url.startsWith('/operator/v2/organizations/?')) return answer(url, init)
    asked.push(new URLSearchParams(url.split('?')[1]))
    return Response.json({ data: [organization], meta: { total: 1200, page: 1, pageSize: 500 } })
  })
  const { router } = openScreen('/operator/organizations?page=3')
  expect(await screen.findByText('1,001–1,200 of 1,200')).toBeDefined()
  expect(asked.at(-1)?.get('page')).toBe('3')
  fireEvent.click(within(screen.getByRole('table')).getByRole('button', { name: /^Plan/ }))
  await waitFor(() => expect(asked.at(-1)?.get('ordering')).toBe('plan'))
  expect([asked.at(-1)?.get('page'), router.state.location.search]).toEqual([null, { sort: 'planName' }])
})
