import {
  type Profile,
  type Teammate,
  type WhoCan,
  READY_ROLE_NAMES,
  ROLE_IDS,
  account,
  teammates,
} from '@fairway/contract'
import { READY_ROLES } from '@fairway/domain'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { filterPeople } from './screen.tsx'

const AT = '2026-11-21T10:00:00Z'
const EVERYTHING = {
  roles: true,
  suspend: true,
  reactivate: false,
  remove: true,
  invite: false,
  own: false,
  leave: false,
}
const NOTHING = {
  roles: false,
  suspend: false,
  reactivate: false,
  remove: false,
  invite: false,
  own: false,
  leave: false,
}
const personOf = (id: string, change: Partial<Teammate> = {}): Teammate => ({
  id,
  email: `${id}@example.com`,
  firstName: id,
  lastName: 'Example',
  isOwner: false,
  isSelf: false,
  status: 'active',
  activated: true,
  lastLoginAt: AT,
  invitedAt: null,
  invitationExpiresAt: null,
  declinedWhy: null,
  roleIds: ['site-editor', 'api-tier-2'],
  apiKeys: { count: 2, lastUsedAt: AT },
  may: EVERYTHING,
  ...change,
})
const owner = personOf('ada', { isOwner: true, isSelf: true, roleIds: [], may: NOTHING })
const pending = personOf('late', {
  firstName: '',
  lastName: '',
  status: 'invited',
  activated: false,
  lastLoginAt: null,
  invitedAt: AT,
  invitationExpiresAt: AT,
  may: { ...NOTHING, roles: true, invite: true, remove: true },
})

const { list, roles, invite, setRoles, deactivate, reactivate, remove, reinvite, whoCan, leave, transferOwnership } =
  teammates.routes
const PROFILE: Profile = {
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  menuOrder: 'default',
  phoneNumber: null,
  countryCode: null,
  timezoneCode: null,
  hasPassword: true,
  passwordMtime: 0,
  hasMfaEnabled: false,
  recoveryCodesLeft: 0,
  googleEmail: null,
  googleOffered: false,
  mayLeave: true,
}
const of = (path: string, id: string) => path.replace('{id}', id)
const plan = { id: 'e', name: 'Enterprise', ability: ['teammate.enable'] }
const me = accountOf({ plan, permissions: ['ViewSite', 'ViewUser', 'AddUser', 'EditUser', 'RemoveUser'] })

type Opened = {
  people?: Teammate[]
  path?: string
  user?: typeof me
  answers?: Parameters<typeof stubApi>[0]
  /** Beginnings of roles that the caller may not give. */ closed?: string[]
}

function open({
  people = [owner, personOf('grace'), pending],
  path = '/account/teammate',
  user = me,
  answers = {},
  closed = [],
}: Opened = {}) {
  const changes = stubApi(
    {
      [`GET ${list.path}`]: () => ({ data: people, meta: { total: people.length, page: 1, pageSize: -1 } }),
      [`GET ${roles.path}`]: () => ({
        data: ROLE_IDS.map((id) => ({ id, assignable: !closed.some((start) => id.startsWith(start)) })),
        ready: READY_ROLE_NAMES.map((id) => ({
          id,
          roleIds: READY_ROLES[id],
          assignable: !READY_ROLES[id].some((one) => closed.some((start) => one.startsWith(start))),
        })),
      }),
      ...answers,
    },
    user,
  )
  openScreen(path)
  return changes
}

const rowOf = async (text: string) => within((await screen.findByText(text)).closest('tr') ?? document.body)

describe('the people', () => {
  test('are listed with what they may do and whether they are in', async () => {
    open()
    const grace = await rowOf('grace Example')
    expect(grace.getByText('Sites: Editor')).toBeDefined()
    expect(grace.getByText('Active')).toBeDefined()
    const late = await rowOf('Not set up yet')
    expect(late.getByText('Invited')).toBeDefined()
    expect(late.getByText('Not yet')).toBeDefined()
    expect((await rowOf('ada Example')).getByText('Everything')).toBeDefined()
  })

  test('are found by name and state', () => {
    const people = [owner, personOf('grace'), pending]
    expect(filterPeople(people, { search: 'GRACE' }).map(({ id }) => id)).toEqual(['grace'])
    expect(filterPeople(people, { status: 'invited' }).map(({ id }) => id)).toEqual(['late'])
  })

  test('of whom nothing may be done have no menu', async () => {
    open()
    expect((await rowOf('ada Example')).queryByRole('button')).toBeNull()
  })

  test('are not shown to who may not see them', async () => {
    open({ user: accountOf({ plan }) })
    await waitFor(() => expect(screen.queryByText('grace Example')).toBeNull())
  })
})

describe('inviting', () => {
  test('sends the address with the roles that were chosen', async () => {
    const changes = open({
      path: '/account/teammate?open=invite',
      answers: { [`POST ${invite.path}`]: () => personOf('new') },
    })
    const dialog = within(await screen.findByRole('dialog'))
    fireEvent.change(await dialog.findByLabelText('E-mail'), { target: { value: 'new@example.com' } })
    await waitFor(() =>
      expect(
        (dialog.getByRole('radiogroup', { name: 'DEM' }).querySelector('input[value=viewer]') as HTMLInputElement)
          .disabled,
      ).toBe(false),
    )
    fireEvent.click(within(dialog.getByRole('radiogroup', { name: 'DEM' })).getByLabelText('Viewer'))
    fireEvent.click(within(dialog.getByRole('radiogroup', { name: 'Site' })).getByLabelText('Tier 1'))
    fireEvent.click(dialog.getByRole('button', { name: 'Send invitation' }))
    await waitFor(() =>
      expect(changes.map(({ body }) => body)).toEqual([
        { email: 'new@example.com', roleIds: ['dem-viewer', 'api-tier-1'] },
      ]),
    )
  })

  test('begins with a ready role in one click, which is changed like any other; what the caller may not give is not offered', async () => {
    const changes = open({
      path: '/account/teammate?open=invite',
      answers: { [`POST ${invite.path}`]: () => personOf('new') },
      closed: ['billing'],
    })
    const dialog = within(await screen.findByRole('dialog'))
    fireEvent.click(await dialog.findByRole('button', { name: /^DNS editor/ }))
    expect(dialog.getByRole('button', { name: /^DNS editor/ }).getAttribute('aria-pressed')).toBe('true')
    expect(dialog.queryByRole('button', { name: /^Billing/ })).toBeNull()
    fireEvent.click(within(dialog.getByRole('radiogroup', { name: 'Site' })).getByLabelText('Tier 1'))
    expect(dialog.getByRole('button', { name: /^DNS editor/ }).getAttribute('aria-pressed')).toBe('false')
    fireEvent.change(dialog.getByLabelText('E-mail'), { target: { value: 'new@example.com' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Send invitation' }))
    await waitFor(() =>
      expect(changes.map(({ body }) => body)).toEqual([
        { email: 'new@example.com', roleIds: ['site-editor', 'dem-viewer', 'api-tier-1'] },
      ]),
    )
  })

  test('tells of who has declined, and why', async () => {
    const declined = { ...pending, status: 'declined', declinedWhy: 'has-account', invitationExpiresAt: AT } as const
    open({ people: [owner, declined] })
    const row = await rowOf('Not set up yet')
    expect(row.getByText('Declined')).toBeDefined()
    expect(row.getByText('Has an account in another organisation; invite another address.')).toBeDefined()
  })

  test('says at the field what is wrong: no address, somebody of the list, what the API finds', async () => {
    const changes = open({
      path: '/account/teammate?open=invite',
      answers: { [`POST ${invite.path}`]: () => refusal(403, 1482) },
    })
    const dialog = within(await screen.findByRole('dialog'))
    const send = () => fireEvent.click(dialog.getByRole('button', { name: 'Send invitation' }))
    send()
    expect(await dialog.findByText('Required')).toBeDefined()
    fireEvent.change(dialog.getByLabelText('E-mail'), { target: { value: 'grace@example.com' } })
    await screen.findByText('grace Example')
    send()
    expect(await dialog.findByText('This person is on the list already')).toBeDefined()
    fireEvent.change(dialog.getByLabelText('E-mail'), { target: { value: 'new@example.com' } })
    send()
    expect(await dialog.findByText(/only roles of what you administer/)).toBeDefined()
    expect(changes).toHaveLength(1)
  })
})

describe('roles', () => {
  test('are saved together and can be undone', async () => {
    const changes = open({
      path: '/account/teammate?open=grace',
      answers: { [`PUT ${of(setRoles.path, 'grace')}`]: () => personOf('grace') },
    })
    const dialog = within(await screen.findByRole('dialog'))
    await waitFor(() =>
      expect(
        (dialog.getByRole('radiogroup', { name: 'Billing' }).querySelector('input[value=admin]') as HTMLInputElement)
          .disabled,
      ).toBe(false),
    )
    fireEvent.click(within(dialog.getByRole('radiogroup', { name: 'Billing' })).getByLabelText('Admin'))
    fireEvent.click(dialog.getByRole('button', { name: 'Save roles' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() =>
      expect(changes.map(({ body }) => body)).toEqual([
        { roleIds: ['site-editor', 'billing-admin', 'api-tier-2'] },
        { roleIds: ['site-editor', 'api-tier-2'] },
      ]),
    )
  })

  test('of what the caller does not administer stay closed and say why', async () => {
    open({ path: '/account/teammate?open=grace', closed: ['billing'] })
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText('Only the owner or an admin of this can change it.')).toBeDefined()
    expect(
      [...dialog.getByRole('radiogroup', { name: 'Billing' }).querySelectorAll('input')].every(
        (input) => input.disabled,
      ),
    ).toBe(true)
  })
})

describe('what is done about somebody', () => {
  const choose = async (name: string, item: string) => {
    fireEvent.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
    fireEvent.click(await screen.findByRole('menuitem', { name: item }))
  }

  test('suspending is asked and can be undone', async () => {
    const changes = open({
      answers: {
        [`POST ${of(deactivate.path, 'grace')}`]: () => personOf('grace'),
        [`POST ${of(reactivate.path, 'grace')}`]: () => personOf('grace'),
      },
    })
    await choose('grace Example', 'Suspend…')
    expect(await screen.findByText(/2 API keys stop working for good/)).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Suspend' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() =>
      expect(changes.map(({ path }) => path)).toEqual([of(deactivate.path, 'grace'), of(reactivate.path, 'grace')]),
    )
  })

  test('suspending while looking on offers no way back, which would be refused', async () => {
    open({
      user: { ...me, impostor: 'support@example.com' },
      answers: { [`POST ${of(deactivate.path, 'grace')}`]: () => personOf('grace', { status: 'suspended' }) },
    })
    await choose('grace Example', 'Suspend…')
    fireEvent.click(await screen.findByRole('button', { name: 'Suspend' }))
    expect(await screen.findByText('grace Example is suspended')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  test('deleting needs the address typed', async () => {
    const changes = open({ answers: { [`DELETE ${of(remove.path, 'grace')}`]: () => ({ id: 'grace' }) } })
    await choose('grace Example', 'Delete…')
    fireEvent.click(await screen.findByRole('button', { name: 'Delete teammate' }))
    expect(changes).toEqual([])
    fireEvent.change(screen.getByLabelText('Type grace@example.com to confirm'), {
      target: { value: 'grace@example.com' },
    })
    fireEvent.click(screen.getByRole('button', { name: 'Delete teammate' }))
    await waitFor(() => expect(changes.map(({ method }) => method)).toEqual(['DELETE']))
  })

  test('the owner hands the organisation over with a password, which may be wrong', async () => {
    const changes = open({
      people: [owner, personOf('grace', { may: { ...EVERYTHING, own: true } })],
      answers: {
        [`GET ${account.routes.profile.path}`]: () => PROFILE,
        [`POST ${of(transferOwnership.path, 'grace')}`]: () => ({
          status: 400,
          body: {
            meta: {
              code: 400,
              message: 'x',
              requestId: 'r',
              fields: [{ path: 'password', message: 'validation.passwordWrong' }],
            },
          },
        }),
      },
    })
    await choose('grace Example', 'Make owner…')
    fireEvent.change(await screen.findByLabelText('Your password'), { target: { value: 'Wrong-Horse-9' } })
    fireEvent.click(screen.getByRole('button', { name: 'Hand over' }))
    expect(await screen.findByText('This is not your password')).toBeDefined()
    expect(changes.map(({ body }) => body)).toEqual([{ password: 'Wrong-Horse-9' }])
  })

  test('leaving needs the own address and the password', async () => {
    const self = personOf('grace', { isSelf: true, may: { ...NOTHING, leave: true } })
    const changes = open({
      people: [owner, self],
      answers: {
        [`GET ${account.routes.profile.path}`]: () => PROFILE,
        [`POST ${leave.path}`]: () => refusal(409, 1481),
      },
    })
    await choose('grace Example', 'Delete my account…')
    fireEvent.change(await screen.findByLabelText('Your password'), { target: { value: 'Right-Horse-9' } })
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
    expect(changes).toEqual([])
    fireEvent.change(screen.getByLabelText('Type grace@example.com to confirm'), {
      target: { value: 'grace@example.com' },
    })
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText(/this is the last admin of them/)).toBeDefined()
    expect(changes.map(({ body }) => body)).toEqual([{ email: 'grace@example.com', password: 'Right-Horse-9' }])
  })

  test('an invitation is sent again, and says why it was not', async () => {
    open({ answers: { [`POST ${of(reinvite.path, 'late')}`]: () => refusal(429, 1570) } })
    await choose('late@example.com', 'Resend invitation…')
    fireEvent.click(await screen.findByRole('button', { name: 'Resend invitation' }))
    expect(await screen.findByRole('alert')).toBeDefined()
  })
})

test('the API tab shows tiers and keys', async () => {
  open({ path: '/account/teammate?tab=api' })
  const grace = await rowOf('grace Example')
  expect(grace.getByText('Tier 2')).toBeDefined()
  expect(grace.getByText('Read and write.')).toBeDefined()
  expect((await rowOf('ada Example')).getByText('Tier 4')).toBeDefined()
})

test('who can do this: everybody with a word for each deed', async () => {
  const answer: WhoCan = {
    needs: { view: ['ViewUser'], edit: ['EditUser'], remove: [] },
    people: [
      {
        id: 'ada',
        email: 'ada@example.com',
        firstName: 'Ada',
        lastName: 'L',
        isOwner: true,
        isSelf: true,
        status: 'active',
        view: 'all',
        edit: 'some',
        remove: 'none',
        apiTier: 4,
      },
    ],
  }
  open({ answers: { [`GET ${whoCan.path}`]: () => answer } })
  fireEvent.click(await screen.findByRole('button', { name: 'Who can do this?' }))
  const table = within(await screen.findByRole('table', { name: 'Who can do this?' }))
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Name', 'See', 'Change'])
  expect(table.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['Yes', 'Some of it'])
})
