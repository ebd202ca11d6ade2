import type { ManagedCdnKey } from '@fairway/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
// Pages are fetched when they are opened; here they are there before the first test begins to wait.
import './key-drawer.tsx'
import './screen.tsx'

const AT = '2026-11-21T10:00:00Z'
const PATH = '/operator/v2/cdn-keys/'
const stored: ManagedCdnKey = {
  platform: 'fastly',
  source: 'stored',
  fields: {},
  secretsSet: ['token'],
  domainCount: 3,
  testedAt: null,
  testProblem: null,
  modifiedAt: AT,
}
const operator = accountOf({ isOperator: true })
const listed = {
  [`GET ${PATH}`]: () => ({ data: [stored, { ...stored, platform: 'bunny', source: 'settings', domainCount: 0 }] }),
}

test('a key for a vendor without one is checked by its form and stored', async () => {
  const changes = stubApi({ ...listed, [`POST ${PATH}`]: () => stored }, operator)
  openScreen('/operator/cdn-keys?open=bunny')
  expect(await screen.findByText(/stands in the settings/)).toBeDefined()
  fireEvent.change(screen.getByLabelText('API token'), { target: { value: 'short' } })
  fireEvent.click(screen.getAllByRole('button', { name: 'Add key' }).at(-1) ?? document.body)
  expect(await screen.findByText(/does not have the form/)).toBeDefined()
  expect(changes).toEqual([])
  const token = '0f9e8d7c-6b5a-4321-9876-543210fedcba'
  fireEvent.change(screen.getByLabelText('API token'), { target: { value: token } })
  fireEvent.click(screen.getAllByRole('button', { name: 'Add key' }).at(-1) ?? document.body)
  await waitFor(() => expect(changes.map(({ body }) => body)).toEqual([{ platform: 'bunny', values: { token } }]))
})

test('a stored secret is not shown; a test tells in words, and a key in use stays', async () => {
  const changes = stubApi(
    {
      ...listed,
      [`POST ${PATH}fastly/test/`]: () => ({ problem: 'refused', detail: '401 no such token', key: stored }),
      [`DELETE ${PATH}fastly/`]: () => refusal(409, 8492),
    },
    operator,
  )
  openScreen('/operator/cdn-keys?open=fastly')
  const drawer = await screen.findByRole('dialog')
  const token = await within(drawer).findByLabelText<HTMLInputElement>('API token')
  expect([token.value, token.placeholder]).toEqual(['', 'Stored; leave empty to keep it'])
  fireEvent.click(within(drawer).getByRole('button', { name: 'Test' }))
  expect(await screen.findByText('401 no such token')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Remove…' }))
  fireEvent.change(await screen.findByRole('textbox', { name: /Fastly/ }), { target: { value: 'Fastly' } })
  fireEvent.click(screen.getByRole('button', { name: 'Remove key' }))
  expect(await screen.findByText('The key was not removed')).toBeDefined()
  expect(changes.map(({ method }) => method)).toEqual(['POST', 'DELETE'])
})
