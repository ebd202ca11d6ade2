import type { ByoCdnKey } from '@fairway/contract'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const AT = '2026-11-21T10:00:00Z'
const PATH = '/account/v2/byo-cdn-keys/'
const key: ByoCdnKey = {
  id: 'k1',
  platform: 'fastly',
  name: 'Newsroom',
  fields: {},
  secretsSet: ['token'],
  testedAt: null,
  testProblem: null,
  createdAt: AT,
  modifiedAt: AT,
}
const enterprise = accountOf({
  organizationCode: 'EnterpriseCustomer',
  plan: { id: 'enterprise', name: 'Enterprise', ability: ['byoCdn.enable'] },
  permissions: ['ViewSite', 'ViewCdnKey', 'EditCdnKey'],
})
const listed = { [`GET ${PATH}`]: () => ({ data: [key], meta: { total: 1, page: 1, pageSize: 500 } }) }

test("a key is checked by the vendor's form before it is sent", async () => {
  const changes = stubApi({ ...listed, [`POST ${PATH}`]: () => key }, enterprise)
  openScreen('/account/bring-my-cdn-account/add?platform=fastly')
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Newsroom' } })
  fireEvent.change(screen.getByLabelText('API token'), { target: { value: 'short' } })
  fireEvent.click(screen.getByRole('button', { name: 'Add key' }))
  expect(await screen.findByText(/does not have the form/)).toBeDefined()
  expect(changes).toEqual([])
  fireEvent.change(screen.getByLabelText('API token'), { target: { value: 'f'.repeat(32) } })
  fireEvent.click(screen.getByRole('button', { name: 'Add key' }))
  await waitFor(() =>
    expect(changes.map(({ body }) => body)).toEqual([
      { platform: 'fastly', name: 'Newsroom', values: { token: 'f'.repeat(32) } },
    ]),
  )
})

test('a stored secret is not shown, and stays when nothing is typed', async () => {
  const changes = stubApi({ ...listed, [`PUT ${PATH}k1/`]: () => key }, enterprise)
  openScreen('/account/bring-my-cdn-account/edit/k1')
  const token = await screen.findByLabelText<HTMLInputElement>('API token')
  expect([token.value, token.placeholder]).toEqual(['', 'Stored; leave empty to keep it'])
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Newsroom EU' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save key' }))
  await waitFor(() => expect(changes.map(({ body }) => body)).toEqual([{ name: 'Newsroom EU', values: {} }]))
})

test('a test tells in words why the vendor did not let us in', async () => {
  stubApi(
    {
      ...listed,
      [`POST ${PATH}k1/test/`]: () => ({
        problem: 'refused',
        detail: '401 no such token',
        key: { ...key, testedAt: AT, testProblem: 'refused' },
      }),
    },
    enterprise,
  )
  openScreen('/account/bring-my-cdn-account/edit/k1')
  fireEvent.click(await screen.findByRole('button', { name: 'Test' }))
  expect(await screen.findByText(/The vendor does not know this key/)).toBeDefined()
  expect(screen.getByText('401 no such token')).toBeDefined()
})
