import { type Profile, account, apiKeys, auth, passkeys, sessions, teammates } from '@fairway/contract'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const AT = '2026-11-21T10:00:00Z'
const OWNER = accountOf({ permissions: ['ViewSite', 'EditUser', 'ViewApiKey', 'EditApiKey'] })
const profileOf = (change: Partial<Profile> = {}): Profile => ({
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  menuOrder: 'default',
  phoneNumber: null,
  countryCode: null,
  timezoneCode: null,
  hasPassword: true,
  passwordMtime: Date.parse(AT),
  hasMfaEnabled: false,
  recoveryCodesLeft: 0,
  googleEmail: null,
  googleOffered: false,
  mayLeave: false,
  ...change,
})
const organization = {
  id: 'o1',
  organizationName: 'Example',
  organizationIndustry: 'media',
  organizationJobTitle: null,
  organizationMasterApp: 'web',
  organizationCode: '',
  organizationVersion: 4,
  hubspotContactId: null,
  mayClose: false,
  mayExport: false,
}
const session = (id: string, isCurrent: boolean) => ({
  id,
  isCurrent,
  agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  ip: '192.0.2.1',
  impostor: null,
  createdAt: AT,
  lastSeenAt: AT,
  expiresAt: AT,
})

function openProfile(
  answers: Record<string, (call: { body: unknown }) => unknown> = {},
  { profile = profileOf(), user = OWNER, path = '/account/user-profile' } = {},
) {
  const changes = stubApi(
    {
      [`GET ${account.routes.profile.path}`]: () => profile,
      [`GET ${account.routes.organization.path}`]: () => organization,
      [`GET ${passkeys.routes.list.path}`]: () => ({ data: [] }),
      [`GET ${sessions.routes.list.path}`]: () => ({ data: [session('a', true), session('b', false)] }),
      [`GET ${apiKeys.routes.list.path}`]: () => ({ data: [], nextAt: null }),
      [`GET ${auth.routes.firstRun.path}`]: () => ({ needed: false }),
      ...answers,
    },
    user,
  )
  return { changes, ...openScreen(path) }
}

test('what Google has said is sent with the password only, so that a borrowed session lets nobody in for good', async () => {
  sessionStorage.setItem('fairway.openid', JSON.stringify({ intent: 'connect' }))
  window.history.replaceState(null, '', '/oauth/google-callback?state=s&code=c')
  const { changes } = openProfile(
    { [`PUT ${account.routes.connectGoogle.path}`]: () => profileOf({ googleEmail: 'ada@example.org' }) },
    { path: '/oauth/google-callback?state=s&code=c' },
  )
  fireEvent.change(await screen.findByLabelText('Your password'), { target: { value: 'Secret123' } })
  fireEvent.click(screen.getByRole('button', { name: 'Connect Google' }))
  await waitFor(() =>
    expect(changes).toEqual([
      {
        method: 'PUT',
        path: account.routes.connectGoogle.path,
        body: { state: 's', query: '?state=s&code=c', password: 'Secret123' },
      },
    ]),
  )
  window.history.replaceState(null, '', '/')
})

test('names and the organisation are saved together, each to its own place, after a look at what differs', async () => {
  const { changes } = openProfile({
    [`PUT ${account.routes.updateProfile.path}`]: () => profileOf({ firstName: 'Augusta' }),
    [`PUT ${account.routes.updateOrganization.path}`]: () => organization,
  })
  fireEvent.change(await screen.findByLabelText('First name'), { target: { value: 'Augusta' } })
  fireEvent.change(screen.getByLabelText('Company'), { target: { value: 'Engines' } })
  expect(await screen.findByText('2 unsaved changes')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(changes.map(({ path, body }) => [path, body])).toEqual([
      [
        account.routes.updateProfile.path,
        { firstName: 'Augusta', lastName: 'Lovelace', menuOrder: 'default', phoneNumber: null },
      ],
      [
        account.routes.updateOrganization.path,
        { organizationName: 'Engines', industry: 'media', jobTitle: null, masterApp: 'web', organizationVersion: 4 },
      ],
    ]),
  )
})

test('who may not change the organisation does not see its fields, and no API keys without that permission', async () => {
  openProfile({}, { user: accountOf() })
  await screen.findByLabelText('First name')
  expect(screen.queryByLabelText('Company')).toBeNull()
  expect(screen.queryByText('API keys')).toBeNull()
})

test('who neither owns nor runs anything leaves from the profile; others are offered no way out', async () => {
  const { changes } = openProfile(
    { [`POST ${teammates.routes.leave.path}`]: () => refusal(409, 1481) },
    { profile: profileOf({ mayLeave: true }), user: accountOf() },
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Delete my account…' }))
  fireEvent.change(await screen.findByLabelText('Type ada@example.com to confirm'), {
    target: { value: 'ada@example.com' },
  })
  fireEvent.change(screen.getByLabelText('Your password'), { target: { value: 'Right-Horse-9' } })
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() =>
    expect(changes.map(({ body }) => body)).toEqual([{ email: 'ada@example.com', password: 'Right-Horse-9' }]),
  )
  cleanup()
  openProfile()
  await screen.findByLabelText('First name')
  expect(screen.queryByRole('button', { name: 'Delete my account…' })).toBeNull()
})

test('an API key is shown once; the next one waits', async () => {
  let nextAt: string | null = null
  const { changes } = openProfile({
    [`GET ${apiKeys.routes.list.path}`]: () => ({ data: [], nextAt }),
    [`PUT ${apiKeys.routes.create.path}`]: () => {
      nextAt = new Date(Date.now() + 55_000).toISOString()
      return {
        data: {
          id: 'k',
          name: 'Deploys',
          tier: 2,
          prefix: 'fwk_0123',
          permissions: [],
          createdAt: AT,
          deletedAt: null,
          lastUsedAt: null,
          lastUsedIp: null,
        },
        key: 'fwk_0123_secret',
      }
    },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Make a key…' }))
  const dialog = await screen.findByRole('dialog')
  fireEvent.change(within(dialog).getByLabelText(/^Name/), { target: { value: 'Deploys' } })
  fireEvent.click(within(dialog).getByRole('radio', { name: /Tier 2/ }))
  fireEvent.click(within(dialog).getByRole('button', { name: 'Make key' }))
  expect(await screen.findByText('fwk_0123_secret')).toBeDefined()
  expect(changes.map(({ body }) => body)).toEqual([{ name: 'Deploys', tier: 2 }])
  fireEvent.click(screen.getByRole('button', { name: 'Done' }))
  expect(await screen.findByText(/The next one in \d+ seconds/)).toBeDefined()
})

test('the set-up of the second step ends only when the recovery codes are said to be kept', async () => {
  openProfile(
    {
      [`POST ${account.routes.enableTotp.path}`]: () => ({
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        uri: 'otpauth://totp/x',
        qr: '<svg xmlns="http://www.w3.org/2000/svg"/>',
      }),
      [`POST ${account.routes.verifyTotp.path}`]: () => ({ recoveryCodes: ['ABCD-EFGH-2345', 'BCDE-FGHI-3456'] }),
    },
    { path: '/account/user-profile?open=mfa' },
  )
  fireEvent.change(await screen.findByLabelText('Your password'), { target: { value: 'Secret123' } })
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByText(/JBSW Y3DP/)).toBeDefined()
  fireEvent.change(screen.getByLabelText('Six digits that the app shows now'), { target: { value: '123456' } })
  fireEvent.click(screen.getByRole('button', { name: 'Turn on' }))
  expect(await screen.findByText('ABCD-EFGH-2345')).toBeDefined()
  const done = screen.getByRole('button', { name: 'Done' })
  expect(done.hasAttribute('disabled') || done.dataset['disabled'] === 'true').toBe(true)
  fireEvent.click(screen.getByLabelText('I keep them in a safe place'))
  fireEvent.click(done)
  await waitFor(() => expect(screen.queryByText('ABCD-EFGH-2345')).toBeNull())
})

test('a wrong current password is said at its field; a new one leads to signing in', async () => {
  let right = false
  const { router } = openProfile(
    {
      [`PUT ${account.routes.password.path}`]: () =>
        right
          ? {}
          : {
              status: 400,
              body: {
                meta: {
                  code: 400,
                  message: 'x',
                  requestId: 'r',
                  fields: [{ path: 'currentPassword', message: 'validation.passwordWrong' }],
                },
              },
            },
    },
    { path: '/account/user-profile?open=password' },
  )
  for (const [label, value] of [
    ['Current password', 'Secret123'],
    ['New password', 'Secret456'],
    ['Repeat the password', 'Secret456'],
  ] as const)
    fireEvent.change(await screen.findByLabelText(label), { target: { value } })
  fireEvent.click(screen.getByRole('button', { name: 'Change password' }))
  expect(await screen.findByText('This is not your password')).toBeDefined()
  right = true
  fireEvent.click(screen.getByRole('button', { name: 'Change password' }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ notice: 'password' }))
})

test('other sessions are ended one by one', async () => {
  const { changes } = openProfile({ 'DELETE /account/v2/sessions/b/': () => ({ id: 'b' }) })
  expect(await screen.findByText('This device')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Sign out 192.0.2.1' }))
  await waitFor(() =>
    expect(changes.map(({ method, path }) => [method, path])).toEqual([['DELETE', '/account/v2/sessions/b/']]),
  )
})

test('the owner closes the organisation by its name and a proof, and keeps it open again from the banner', async () => {
  const { changes } = openProfile({
    [`GET ${account.routes.organization.path}`]: () => ({ ...organization, mayClose: true, mayExport: true }),
    [`POST ${account.routes.close.path}`]: () => ({ closesAt: AT }),
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Close…' }))
  expect(screen.getByRole('link', { name: 'Download' }).getAttribute('href')).toBe(account.routes.export.path)
  fireEvent.change(await screen.findByLabelText('Type Example to confirm'), { target: { value: 'Example' } })
  fireEvent.change(screen.getByLabelText('Your password'), { target: { value: 'Right-Horse-9' } })
  fireEvent.click(screen.getByRole('button', { name: 'Close in seven days' }))
  await waitFor(() =>
    expect(changes.map(({ body }) => body)).toEqual([{ confirmName: 'Example', password: 'Right-Horse-9' }]),
  )
  cleanup()
  const kept = openProfile(
    { [`DELETE ${account.routes.keepOpen.path}`]: () => ({}) },
    { user: { ...OWNER, closing: { at: AT, mayKeepOpen: true } } },
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Keep it open' }))
  await waitFor(() => expect(kept.changes.map(({ method }) => method)).toEqual(['DELETE']))
})

test('an owner who may not close is told to hand over, and nobody else is offered the export', async () => {
  openProfile({ [`GET ${account.routes.organization.path}`]: () => ({ ...organization, mayExport: true }) })
  expect(await screen.findByRole('link', { name: 'Download' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Close…' })).toBeNull()
  expect(screen.getByText(/Hand it over to a teammate before you delete/)).toBeDefined()
  cleanup()
  openProfile({})
  expect(await screen.findByText('This device')).toBeDefined()
  expect(screen.queryByRole('link', { name: 'Download' })).toBeNull()
})
