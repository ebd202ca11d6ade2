import { webhooks } from '@fairway/contract'
import type { Webhook, WebhookDelivery } from '@fairway/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const { create, deliveries, list, redeliver, rotateSecret, test: sendTest } = webhooks.routes
const AT = '2026-11-21T10:00:00Z'
const webhook: Webhook = {
  id: 'w1',
  url: 'https://hooks.example.com/in',
  description: 'Chat',
  types: ['cdn'],
  enabled: true,
  disabledReason: null,
  failingSince: null,
  previousSecretUntil: null,
  lastDeliveryAt: AT,
  createdAt: AT,
}
const delivery: WebhookDelivery = {
  id: 'd1',
  event: 'notification.created',
  state: 'failed',
  body: '{"type":"notification.created"}',
  createdAt: AT,
  nextTryAt: null,
  finishedAt: AT,
  tries: [
    {
      at: AT,
      tookMs: 12,
      status: 503,
      problem: null,
      address: '198.51.100.7',
      requestHeaders: { 'webhook-id': 'd1' },
      response: 'come back later',
    },
  ],
}
const admin = accountOf({ permissions: ['ViewSite', 'ViewWebhook', 'EditWebhook'] })
const TAB = '/account/information-center?tab=webhooks'

test('a webhook is added, and its secret is shown this once', async () => {
  const calls = stubApi(
    {
      [`GET ${list.path}`]: () => ({ data: [], privateAllowed: false }),
      [`POST ${create.path}`]: () => ({ data: webhook, secret: 'whsec_abc' }),
    },
    admin,
  )
  openScreen(`${TAB}&webhook=new`)
  fireEvent.change(await screen.findByRole('textbox', { name: 'Address' }), {
    target: { value: 'https://hooks.example.com/in' },
  })
  const drawer = screen.getByRole('dialog', { name: 'Add a webhook' })
  for (const name of ['Account', 'Analytics', 'DNS', 'Origin', 'SSL', 'Video', 'Origin Shield'])
    fireEvent.click(within(drawer).getByRole('checkbox', { name }))
  fireEvent.click(within(drawer).getByRole('button', { name: 'Add webhook' }))
  expect(await screen.findByText('whsec_abc')).toBeTruthy()
  expect(calls.map(({ body }) => body)).toEqual([
    { url: 'https://hooks.example.com/in', description: '', types: ['cdn'], enabled: true },
  ])
  fireEvent.click(screen.getByRole('button', { name: 'I have kept it' }))
  await waitFor(() => expect(screen.queryByText('whsec_abc')).toBeNull())
})

test('what the server finds about the address stands at its field', async () => {
  stubApi(
    {
      [`GET ${list.path}`]: () => ({ data: [], privateAllowed: false }),
      [`POST ${create.path}`]: () => ({
        status: 400,
        body: {
          meta: { code: 400, message: 'x', requestId: 'r', fields: [{ path: 'url', message: 'validation.bogon' }] },
        },
      }),
    },
    admin,
  )
  openScreen(`${TAB}&webhook=new`)
  fireEvent.change(await screen.findByRole('textbox', { name: 'Address' }), { target: { value: 'https://10.0.0.1/' } })
  fireEvent.click(
    within(screen.getByRole('dialog', { name: 'Add a webhook' })).getByRole('button', { name: 'Add webhook' }),
  )
  expect(await screen.findByText('This address is reserved and cannot be reached from the internet')).toBeTruthy()
})

test('the log shows what was sent and what came back; it is sent again, tested, and signed with a new secret', async () => {
  const calls = stubApi(
    {
      [`GET ${list.path}`]: () => ({ data: [webhook], privateAllowed: false }),
      [`GET ${deliveries.path.replace('{id}', 'w1')}`]: () => ({
        data: [delivery],
        meta: { total: 1, page: 1, pageSize: 20 },
      }),
      [`POST ${redeliver.path.replace('{id}', 'w1').replace('{delivery}', 'd1')}`]: () => ({
        ...delivery,
        state: 'waiting',
      }),
      [`POST ${sendTest.path.replace('{id}', 'w1')}`]: () => delivery,
      [`POST ${rotateSecret.path.replace('{id}', 'w1')}`]: () => ({ data: webhook, secret: 'whsec_new' }),
    },
    admin,
  )
  openScreen(`${TAB}&webhook=w1`)
  fireEvent.click(await screen.findByRole('button', { name: /notification\.created/ }))
  expect(await screen.findByText('come back later')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Deliver again' }))
  fireEvent.click(screen.getByRole('button', { name: 'Send a test event' }))
  fireEvent.click(screen.getByRole('button', { name: 'New secret…' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Make a new secret' }))
  expect(await screen.findByText('whsec_new')).toBeTruthy()
  expect(calls.map(({ path }) => path.split('/').at(-2))).toEqual(['redeliver', 'test', 'rotate-secret'])
})

test('whoever looks on tests and removes, and makes nothing that lasts; the banner says why', async () => {
  stubApi(
    {
      [`GET ${list.path}`]: () => ({ data: [webhook], privateAllowed: false }),
      [`GET ${deliveries.path.replace('{id}', 'w1')}`]: () => ({
        data: [],
        meta: { total: 0, page: 1, pageSize: 20 },
      }),
    },
    { ...admin, impostor: 'support@example.com' },
  )
  openScreen(`${TAB}&webhook=w1`)
  expect(await screen.findByRole('button', { name: 'Send a test event' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'New secret…' })).toBeNull()
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(screen.getByText(/is not made while looking on/)).toBeTruthy()
})

test('one that was switched off says why and is not tested', async () => {
  stubApi(
    {
      [`GET ${list.path}`]: () => ({
        data: [{ ...webhook, enabled: false, disabledReason: 'gone' }],
        privateAllowed: false,
      }),
      [`GET ${deliveries.path.replace('{id}', 'w1')}`]: () => ({ data: [], meta: { total: 0, page: 1, pageSize: 20 } }),
    },
    admin,
  )
  openScreen(`${TAB}&webhook=w1`)
  expect(await screen.findByText(/The receiver answered 410/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Send a test event' }).hasAttribute('disabled')).toBe(true)
})

test('who may only look finds no buttons, and who may not even that is told so', async () => {
  stubApi(
    { [`GET ${list.path}`]: () => ({ data: [], privateAllowed: false }) },
    accountOf({ permissions: ['ViewSite', 'ViewWebhook'] }),
  )
  openScreen(TAB)
  expect(await screen.findByText('No webhooks yet')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Add webhook' })).toBeNull()
})

test('without the permission the tab says so', async () => {
  stubApi({ [`GET ${list.path}`]: () => refusal(403, 403) }, accountOf({ permissions: ['ViewSite'] }))
  openScreen(TAB)
  expect(await screen.findByText('You may not see this')).toBeTruthy()
})
