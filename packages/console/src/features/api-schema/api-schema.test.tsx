import type { Permission } from '@fairway/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { domainOf, page } from '../../testing/steering-answers.ts'

const BASE = '/wafmgmt/v2/sites/s1/domains/d1'
const AT = '/example.com/www.example.com/origin-shield/api-protection?tab=endpoints'
const WAIT = { timeout: 10_000 }
const ID = '0f8fad5b-d9cb-469f-a165-70867728950e'
const userWith = (...permissions: Permission[]) =>
  accountOf({ permissions, plan: { id: 'p', name: 'Business', ability: ['waf.enable'] } })
const NONE = { learning: false, paths: ['/*'], mode: 'off', inForce: null, learned: null, relearned: false }
const LEARNED = {
  ...NONE,
  learning: true,
  inForce: { endpoints: 1, since: '2026-11-25T10:00:00.000Z' },
  learned: { requests: 1234, since: '2026-11-25T09:00:00.000Z', until: '2026-11-25T10:00:00.000Z', endpoints: 2 },
}
const row = (more: object) => ({
  id: ID,
  method: 'GET',
  path: '/api/users/{userId}',
  state: 'in-force',
  seen: 40,
  networks: 3,
  firstAt: '2026-11-25T09:00:00.000Z',
  lastAt: '2026-11-25T10:00:00.000Z',
  edited: false,
  parameters: 1,
  ...more,
})
const content = {
  kinds: ['none'],
  maxBytes: 1024,
  open: false,
  parameters: [
    { in: 'path', name: 'userId', type: 'integer', nullable: false, required: true, maxLength: 0 },
    { in: 'query', name: 'page', type: 'integer', nullable: false, required: false, maxLength: 64 },
  ],
}
const answers = (schema: object) => ({
  'GET /web/v2/sites/s1/domains/': () => page([domainOf()]),
  [`GET ${BASE}/api-schema/`]: () => schema,
  [`PUT ${BASE}/api-schema/`]: () => ({ data: NONE, meta: { version: 4 } }),
  [`GET ${BASE}/api-schema/endpoints/`]: () =>
    page([row({}), row({ id: '1f8fad5b-d9cb-469f-a165-70867728950e', path: '/api/orders', state: 'new' })]),
  [`GET ${BASE}/api-schema/endpoints/${ID}/`]: () => ({ ...row({}), learned: content, inForce: content }),
  [`PUT ${BASE}/api-schema/endpoints/${ID}/`]: () => ({ data: row({}), meta: { version: 5 } }),
  [`GET ${BASE}/api-schema/effect/`]: () => ({
    requests: 1000,
    misfits: 12,
    from: '2026-11-24T10:00:00.000Z',
    reasons: [{ reason: 'unknown-parameter', requests: 12 }],
    examples: [{ method: 'GET', path: '/api/users', reason: 'unknown-parameter', name: 'debug', requests: 12 }],
  }),
})

test('a domain that has learned nothing begins to with one button', async () => {
  const changes = stubApi(answers(NONE), userWith('ViewSite', 'EditSite'))
  openScreen(AT)
  fireEvent.click(await screen.findByRole('button', { name: 'Begin to learn' }, WAIT))
  await waitFor(() => expect(changes.find(({ method }) => method === 'PUT')?.body).toEqual({ learning: true }))
})

test('before requests are blocked it is said what that would have stopped, and simulating is offered', async () => {
  const changes = stubApi(answers(LEARNED), userWith('ViewSite', 'EditSite'))
  openScreen(AT)
  expect(await screen.findByText('/api/orders', {}, WAIT)).toBeDefined()
  fireEvent.click(screen.getByRole('radio', { name: 'Block' }))
  const dialog = await screen.findByRole('dialog', {}, WAIT)
  expect(await within(dialog).findByText('12 of 1,000 requests of the sample do not fit.', {}, WAIT)).toBeDefined()
  expect(within(dialog).getAllByText('an unknown parameter').length).toBeGreaterThan(0)
  expect(changes.some(({ method }) => method === 'PUT')).toBe(false)
  fireEvent.click(within(dialog).getByRole('button', { name: 'Simulate first' }))
  await waitFor(() => expect(changes.find(({ method }) => method === 'PUT')?.body).toEqual({ mode: 'simulate' }))
})

test('an endpoint opens from its row, is changed by hand, and saved whole', async () => {
  const changes = stubApi(answers(LEARNED), userWith('ViewSite', 'EditSite'))
  openScreen(`${AT}&endpoint=${ID}`)
  const drawer = await screen.findByRole('dialog', {}, WAIT)
  expect(await within(drawer).findByText('{userId}', {}, WAIT)).toBeDefined()
  fireEvent.click(within(drawer).getByRole('button', { name: 'Edit' }))
  fireEvent.click(within(drawer).getByRole('button', { name: 'Remove page' }))
  fireEvent.click(within(drawer).getByRole('button', { name: 'Save endpoint' }))
  await waitFor(() =>
    expect(changes.find(({ path }) => path.endsWith(`/${ID}/`))?.body).toEqual({
      ...content,
      parameters: content.parameters.slice(0, 1),
    }),
  )
})

test('who may only look has nothing to press', async () => {
  stubApi(answers(LEARNED), userWith('ViewSite'))
  openScreen(AT)
  expect(await screen.findByText('/api/orders', {}, WAIT)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Put what is new in force' })).toBeNull()
  expect(screen.getByRole('radio', { name: 'Block' })).toHaveProperty('disabled', true)
  expect(screen.getByRole('button', { name: 'Export OpenAPI 3.1' })).toBeDefined()
})
