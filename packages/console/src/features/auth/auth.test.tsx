import { account, auth } from '@fairway/contract'
import type { AccountInfo } from '@fairway/contract'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const FIRST_RUN = `GET ${auth.routes.firstRun.path}`
const LOGIN = `POST ${auth.routes.login.path}`
const signedOut = { 'GET /account/v2/info/': () => refusal(401, 401) }

async function signIn(email: string, password: string) {
  fireEvent.change(await screen.findByLabelText('E-mail'), { target: { value: email } })
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: password } })
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
}

test('a visitor without a session is asked to sign in and remembered where to go', async () => {
  stubApi({ ...signedOut, [FIRST_RUN]: () => ({ needed: false }) })
  const { router } = openScreen('/example.com/dns/dns-records?search=www')
  await screen.findByRole('heading', { name: 'Sign in' })
  expect(router.state.location.search).toEqual({ next: '/example.com/dns/dns-records?search=www' })
})

let user: AccountInfo | null = null
/** Nobody is signed in until the API lets somebody in. */
const anonymous = {
  [FIRST_RUN]: () => ({ needed: false }),
  [`GET ${account.routes.info.path}`]: () => user ?? refusal(401, 401),
}
const letIn = (change: Partial<AccountInfo> = {}) => {
  user = accountOf(change)
  return { customerId: 'u1', organizationId: 'o1', jwtToken: 't' }
}
beforeEach(() => {
  user = null
})

test('signing in goes on to the page that was asked for', async () => {
  const changes = stubApi({
    ...anonymous,
    [LOGIN]: () => letIn(),
    'GET /mdns/v2/zones/s1/rrsets/': () => ({ data: [], meta: { total: 0, page: 1, pageSize: -1 } }),
  })
  openScreen('/login?next=%2Fexample.com%2Fdns%2Fdns-records')
  await signIn('ada@example.com', 'Secret123')
  expect(await screen.findByRole('heading', { name: 'DNS records' })).toBeDefined()
  expect(changes).toEqual([
    {
      method: 'POST',
      path: auth.routes.login.path,
      body: { email: 'ada@example.com', password: 'Secret123', remember: false },
    },
  ])
})

test.each([
  [401, 401, 'E-mail or password is wrong.'],
  [429, 1521, 'Too many attempts. Try again in 15 min.'],
  [403, 1461, /This account is suspended/],
])('a refusal %i/%i is said in words', async (status, code, text) => {
  stubApi({ ...signedOut, [FIRST_RUN]: () => ({ needed: false }), [LOGIN]: () => refusal(status, code) })
  openScreen('/login')
  await signIn('ada@example.com', 'nope')
  expect(await screen.findByText(text)).toBeDefined()
})

test('what cannot be right is not sent', async () => {
  const changes = stubApi({ ...signedOut, [FIRST_RUN]: () => ({ needed: false }) })
  openScreen('/login')
  await signIn('ada', '')
  expect(await screen.findByText('Enter an e-mail address, like name@example.com')).toBeDefined()
  expect(screen.getByText('Required')).toBeDefined()
  expect(changes).toEqual([])
})

test('the first visitor of an empty installation makes the operator account', async () => {
  const changes = stubApi({
    ...signedOut,
    [FIRST_RUN]: () => ({ needed: true }),
    [`POST ${auth.routes.register.path}`]: () => refusal(403, 403),
  })
  openScreen('/login')
  await screen.findByRole('heading', { name: /^Set up/ })
  for (const [label, value] of [
    ['First name', 'Ada'],
    ['Last name', 'Lovelace'],
    ['Organisation', 'Aurora Media'],
    ['E-mail', 'ada@example.com'],
    ['Password', 'Secret123'],
  ] as const)
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  fireEvent.click(screen.getByRole('button', { name: 'Create the operator account' }))
  await waitFor(() => expect(changes).toHaveLength(1))
  expect(await screen.findByText('You do not have permission for this, or it no longer exists.')).toBeDefined()
})

test('set-up is closed once an account exists', async () => {
  stubApi({ ...signedOut, [FIRST_RUN]: () => ({ needed: false }) })
  openScreen('/setup')
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeDefined()
})

test('a second step takes the code, and a wrong one is said beside it', async () => {
  const changes = stubApi({
    ...anonymous,
    [LOGIN]: () => ({
      customerId: '',
      organizationId: '',
      jwtToken: '',
      next: 'second-step',
      ticket: 'T',
      methods: ['totp', 'recovery'],
    }),
    [`POST ${auth.routes.secondStep.path}`]: ({ body }) =>
      (body as { recoveryCode?: string }).recoveryCode === undefined
        ? {
            status: 400,
            body: {
              meta: {
                code: 400,
                message: 'x',
                requestId: 'r',
                fields: [{ path: 'code', message: 'validation.mfaCodeWrong' }],
              },
            },
          }
        : letIn(),
    'GET /mdns/v2/zones/s1/rrsets/': () => ({ data: [], meta: { total: 0, page: 1, pageSize: -1 } }),
  })
  openScreen('/login?next=%2Fexample.com%2Fdns%2Fdns-records')
  await signIn('ada@example.com', 'Secret123')
  const digits = await screen.findAllByLabelText(/^Digit \d of 6$/)
  for (const [index, digit] of digits.entries()) fireEvent.change(digit, { target: { value: String(index) } })
  expect(await screen.findByText(/This code is not right/)).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }))
  fireEvent.change(screen.getByLabelText('Recovery code'), { target: { value: 'ABCD-EFGH-2345' } })
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByRole('heading', { name: 'DNS records' })).toBeDefined()
  expect(changes.map(({ body }) => body).slice(1)).toEqual([
    { stepTicket: 'T', code: '012345' },
    { stepTicket: 'T', recoveryCode: 'ABCD-EFGH-2345' },
  ])
})

test('whoever comes to the second step without the first goes back to it', async () => {
  sessionStorage.clear()
  stubApi(anonymous)
  openScreen('/mfa-verify')
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeDefined()
})

test('an account that was not verified yet is led to its letter', async () => {
  stubApi({
    ...anonymous,
    [LOGIN]: () => ({
      customerId: '',
      organizationId: '',
      jwtToken: '',
      next: 'verify-email',
      ticket: null,
      methods: [],
    }),
  })
  openScreen('/login')
  await signIn('ada@example.com', 'Secret123')
  expect(await screen.findByText(/We have sent a letter to ada@example.com/)).toBeDefined()
})

test('a password older than three months is asked about, and may wait', async () => {
  stubApi({
    ...anonymous,
    [LOGIN]: () => letIn({ passwordMtime: Date.parse('2020-01-01T00:00:00Z') }),
    'GET /mdns/v2/zones/s1/rrsets/': () => ({ data: [], meta: { total: 0, page: 1, pageSize: -1 } }),
  })
  openScreen('/login?next=%2Fexample.com%2Fdns%2Fdns-records')
  await signIn('ada@example.com', 'Secret123')
  fireEvent.click(await screen.findByRole('button', { name: 'Later' }))
  expect(await screen.findByRole('heading', { name: 'DNS records' })).toBeDefined()
})

test('sign-up sends the four characters with the rest, and leads to the letter; a wrong picture is a new one', async () => {
  let pictures = 0
  const changes = stubApi({
    ...anonymous,
    [`GET ${auth.routes.captcha.path}`]: () => ({
      id: `c${++pictures}`,
      picture: '<svg xmlns="http://www.w3.org/2000/svg"/>',
      work: null,
      expiresInSeconds: 300,
    }),
    [`POST ${auth.routes.register.path}`]: ({ body }) =>
      (body as { captcha: { text: string } }).captcha.text === 'abcd'
        ? { customerId: '', organizationId: '', jwtToken: '', next: 'verify-email', ticket: null, methods: [] }
        : refusal(400, 1601),
  })
  openScreen('/signup')
  await screen.findByRole('heading', { name: 'Start your free trial' })
  for (const [label, value] of [
    ['First name', 'Ada'],
    ['Last name', 'Lovelace'],
    ['E-mail', 'ada@example.com'],
    ['Password', 'Secret123'],
  ] as const)
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  await screen.findByAltText('Four distorted characters')
  const submit = async (text: string) => {
    fireEvent.change(screen.getByLabelText('Characters in the picture'), { target: { value: text } })
    fireEvent.click(screen.getByRole('button', { name: 'Create account' }))
  }
  await submit('abc')
  expect(await screen.findByText('Enter exactly four letters or digits')).toBeDefined()
  await submit('wxyz')
  expect(await screen.findByText(/do not match the picture/)).toBeDefined()
  await waitFor(() => expect(pictures).toBe(2))
  await screen.findByAltText('Four distorted characters')
  await submit('abcd')
  expect(await screen.findByText(/We have sent a letter to ada@example.com/)).toBeDefined()
  expect(changes.map(({ body }) => (body as { captcha: unknown }).captcha)).toEqual([
    { id: 'c1', text: 'wxyz' },
    { id: 'c2', text: 'abcd' },
  ])
})

test('a link for a new password that has run out offers another; one that works wants the password twice', async () => {
  const info = { state: 'expired', email: null, organizationName: '', hasAccount: false }
  stubApi({ ...anonymous, [`POST ${auth.routes.tokenInfo.path}`]: () => info })
  openScreen('/reset-password?token=x')
  expect(await screen.findByRole('link', { name: 'Ask for a new link' })).toBeDefined()
  cleanup()
  Object.assign(info, { state: 'ok', email: 'ada@example.com' })
  openScreen('/reset-password?token=x')
  fireEvent.change(await screen.findByLabelText('New password'), { target: { value: 'Secret123' } })
  fireEvent.change(screen.getByLabelText('Repeat the password'), { target: { value: 'Secret124' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save the password' }))
  expect(await screen.findByText('This is not the same password')).toBeDefined()
})

test('where several have signed up with an address, the letter leads to a password of one’s own; other ways in are removed unless unchecked', async () => {
  const changes = stubApi({
    ...anonymous,
    [`POST ${auth.routes.verifyEmail.path}`]: () => ({
      customerId: '',
      organizationId: '',
      jwtToken: '',
      next: 'set-password',
      ticket: 'mine',
    }),
    [`POST ${auth.routes.tokenInfo.path}`]: () => ({
      state: 'ok',
      email: 'ada@example.com',
      organizationName: '',
      hasAccount: false,
    }),
    [`POST ${auth.routes.resetPassword.path}`]: () => ({}),
  })
  openScreen('/verify-email?token=x')
  const password = await screen.findByLabelText('New password')
  for (const field of [password, screen.getByLabelText('Repeat the password')])
    fireEvent.change(field, { target: { value: 'Secret123' } })
  expect(screen.getByLabelText('Remove all other ways to sign in')).toHaveProperty('checked', true)
  fireEvent.click(screen.getByRole('button', { name: 'Save the password' }))
  await waitFor(() =>
    expect(changes.map(({ body }) => body)).toContainEqual({
      token: 'mine',
      password: 'Secret123',
      keepOtherWays: false,
    }),
  )
})

test('an invitation that has expired says so in a dialog', async () => {
  stubApi({
    ...anonymous,
    [`POST ${auth.routes.tokenInfo.path}`]: () => ({
      state: 'expired',
      email: 'ida@example.com',
      organizationName: 'Aurora',
      hasAccount: false,
    }),
  })
  openScreen('/verify-invite-email?token=x')
  expect(await screen.findByRole('dialog', { name: 'The invitation has expired' })).toBeDefined()
})

test('who has an account elsewhere is shown no form and tells the inviter in one click', async () => {
  const changes = stubApi({
    ...anonymous,
    [`POST ${auth.routes.tokenInfo.path}`]: () => ({
      state: 'ok',
      email: 'ida@example.com',
      organizationName: 'Aurora',
      hasAccount: true,
    }),
    [`POST ${auth.routes.declineInvite.path}`]: () => ({}),
  })
  openScreen('/verify-invite-email?token=x')
  fireEvent.click(await screen.findByRole('button', { name: 'Tell Aurora' }))
  expect(await screen.findByText('You have declined')).toBeDefined()
  expect(screen.queryByLabelText('First name')).toBeNull()
  expect(changes.at(-1)).toEqual({ method: 'POST', path: auth.routes.declineInvite.path, body: { token: 'x' } })
})

test('an invited person chooses a name and a password and is in', async () => {
  const changes = stubApi({
    ...anonymous,
    [`POST ${auth.routes.tokenInfo.path}`]: () => ({
      state: 'ok',
      email: 'ida@example.com',
      organizationName: 'Aurora',
      hasAccount: false,
    }),
    [`POST ${auth.routes.acceptInvite.path}`]: () => letIn(),
  })
  openScreen('/verify-invite-email?token=x')
  await screen.findByLabelText('First name')
  for (const [label, value] of [
    ['First name', 'Ida'],
    ['Last name', 'Example'],
    ['Password', 'Secret123'],
    ['Repeat the password', 'Secret123'],
  ] as const)
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  fireEvent.click(screen.getByRole('button', { name: 'Save and continue' }))
  await waitFor(() =>
    expect(changes.at(-1)).toEqual({
      method: 'POST',
      path: auth.routes.acceptInvite.path,
      body: { token: 'x', firstName: 'Ida', lastName: 'Example', password: 'Secret123' },
    }),
  )
})
