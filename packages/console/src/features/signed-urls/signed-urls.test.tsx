import type { SignedUrls, SigningKey } from '@fairway/contract'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const AT = '/vsp/v2/signed-urls/'
const keyOf = (serial: number, more: Partial<SigningKey> = {}): SigningKey => ({
  id: `k${serial}`,
  serial,
  keyId: `${serial}`.repeat(16),
  kind: 'ecdsa-p256',
  keyPairId: null,
  isOwn: false,
  publicKey: '',
  createdBy: 'anna@example.com',
  createdAt: '2026-11-21T10:00:00Z',
  ...more,
})
const rsa = keyOf(2, { kind: 'rsa-2048', keyPairId: 'K2JCJMDEHXQW5F' })
const read = (more: Partial<SignedUrls> = {}): SignedUrls => ({
  on: true,
  keys: [keyOf(1)],
  limit: 5,
  origin: 'http://0123456789abcdef.stream.localhost',
  sources: 1,
  sample: { folder: '/film/', file: 'master.m3u8' },
  cloudfront: null,
  accounts: [{ cdnId: 'our-aws', name: 'Our AWS' }],
  ...more,
})
const editor = accountOf({
  organizationCode: 'EnterpriseCustomer',
  plan: { id: 'enterprise', name: 'Enterprise', ability: ['vsp.enable'] },
  permissions: ['ViewSite', 'EditSite'],
})

test('a key for CloudFront is made by its kind, and a distribution waits for one', async () => {
  const changes = stubApi(
    { [`GET ${AT}`]: () => read(), [`POST ${AT}keys/`]: () => ({ data: rsa, privateKey: 'the private half' }) },
    editor,
  )
  openScreen('/stream/signed-urls')
  expect(await screen.findByText(/Add an RSA-2048 key first/)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Set up at CloudFront' }).hasAttribute('disabled')).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Add key' }))
  fireEvent.click(await screen.findByRole('radio', { name: 'RSA-2048' }))
  fireEvent.click(screen.getByRole('button', { name: 'Make key pair' }))
  expect(await screen.findByText('the private half')).toBeDefined()
  expect(changes.map(({ body }) => body)).toEqual([{ kind: 'rsa-2048' }])
})

test('a distribution is made in the account that is chosen; without one the page says where to add it', async () => {
  const changes = stubApi(
    { [`GET ${AT}`]: () => read({ keys: [rsa] }), [`PUT ${AT}cloudfront/`]: () => read() },
    editor,
  )
  openScreen('/stream/signed-urls')
  fireEvent.click(await screen.findByRole('button', { name: 'Set up at CloudFront' }))
  await waitFor(() => expect(changes.map(({ body }) => body)).toEqual([{ cdnId: 'our-aws' }]))
})

test('what CloudFront has is shown by its own names, code signs for it, and its last key stays', async () => {
  const cloudfront = {
    cdnId: 'our-aws',
    name: 'Our AWS',
    state: 'live',
    host: 'd111.cloudfront.net',
    problem: null,
  } as const
  stubApi({ [`GET ${AT}`]: () => read({ keys: [rsa], cloudfront, accounts: [] }) }, editor)
  openScreen('/stream/signed-urls')
  expect(await screen.findByText('K2JCJMDEHXQW5F')).toBeDefined()
  expect(screen.getByText('d111.cloudfront.net')).toBeDefined()
  expect(screen.getByText(/const ORIGIN = 'https:\/\/d111\.cloudfront\.net'/)).toBeDefined()
  expect(screen.getByRole('button', { name: `Remove key ${rsa.keyId}` }).hasAttribute('disabled')).toBe(true)
})

test('a key that CloudFront has not named yet is offered for no code, and its no is shown in its words', async () => {
  const cloudfront = {
    cdnId: 'our-aws',
    name: 'Our AWS',
    state: 'setting-up',
    host: null,
    problem: 'CloudFront answers 403: AccessDenied',
  } as const
  stubApi({ [`GET ${AT}`]: () => read({ on: false, keys: [{ ...rsa, keyPairId: null }], cloudfront }) }, editor)
  openScreen('/stream/signed-urls')
  expect(await screen.findByText('CloudFront answers 403: AccessDenied')).toBeDefined()
  expect(screen.getByText('Not told yet')).toBeDefined()
  expect(screen.queryByText('Code for your server')).toBeNull()
})
