import type { Certificate, CertificateReceipts } from '@fairway/contract'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { domainOf, page } from '../../testing/steering-answers.ts'

const ID = '6f4d2f0e-5a43-4d0b-9d4e-1f4f6f1e7a10'
const certificate: Certificate = {
  id: ID,
  siteId: 's1',
  siteName: 'example.com',
  type: 'lets-encrypt',
  status: 'issuing',
  names: ['www.example.com'],
  commonName: 'www.example.com',
  challenge: 'http-01',
  step: 'publish',
  problem: null,
  nextAt: null,
  details: null,
  importedAt: null,
  createdAt: '2026-11-21T10:00:00Z',
}
const receipts: CertificateReceipts = { ...certificate, nodes: [], cdns: [], state: null }
const world = {
  'GET /ssl/v2/certificates/': () => page([certificate]),
  [`GET /ssl/v2/certificates/${ID}/`]: () => receipts,
  'GET /ssl/v2/authorities/': () => ({ data: [{ id: 'lets-encrypt', name: 'Let’s Encrypt', configured: true }] }),
  'GET /web/v2/sites/s1/domains/': () => page([domainOf()]),
  'POST /ssl/v2/sites/s1/precheck/': () => ({ challenge: 'http-01', problems: [] }),
  'POST /ssl/v2/sites/s1/certificates/': () => ({ data: certificate, meta: { version: null } }),
}
const choose = async (label: string) => {
  fireEvent.click(await screen.findByRole('combobox', { name: 'Verification' }))
  fireEvent.click(await screen.findByRole('option', { name: label }))
}
const order = () => fireEvent.click(screen.getByRole('button', { name: 'Order certificate' }))

test('an order says how the names are verified only when somebody has chosen it', async () => {
  const changes = stubApi(world)
  openScreen('/s1/multi-cdn/ssl?setup=true')
  await choose('CNAME, ANAME or ALIAS verification')
  order()
  await waitFor(() =>
    expect(changes.map(({ body }) => body)).toEqual(
      Array.from({ length: 2 }, () => ({
        names: ['www.example.com'],
        authority: 'lets-encrypt',
        challenge: 'http-01',
      })),
    ),
  )
  expect(await screen.findByText('CNAME, ANAME or ALIAS verification (HTTP-01)')).toBeDefined()
  expect(screen.getByText('Proof at the edge')).toBeDefined()
})

test('a wildcard that is to be verified at the edge is told at the field, and not ordered', async () => {
  const changes = stubApi(world)
  openScreen('/s1/multi-cdn/ssl?setup=true')
  fireEvent.click(await screen.findByRole('checkbox', { name: 'All names of example.com at once' }))
  await choose('CNAME, ANAME or ALIAS verification')
  expect(await screen.findByText('A wildcard can only be verified by DNS')).toBeDefined()
  order()
  await choose('Automatic')
  order()
  await waitFor(() =>
    expect(changes.at(-1)?.body).toEqual({ names: ['example.com', '*.example.com'], authority: 'lets-encrypt' }),
  )
  expect(changes).toHaveLength(2)
})

test('whoever uploads a certificate with names of other sites reads for which it is not shown', async () => {
  stubApi({
    ...world,
    'POST /web/v2/sites/s1/sslcert/check/': () => ({
      details: {
        commonName: 'www.example.com',
        names: ['www.example.com', 'www.other.example'],
        issuer: 'Root',
        serialNumber: '01',
        publicKey: 'RSA 2048',
        signatureAlgorithm: 'sha256WithRSAEncryption',
        notBefore: '2026-11-01T00:00:00Z',
        notAfter: '2027-11-01T00:00:00Z',
        fingerprint: 'AA',
      },
      uncovered: [],
      elsewhere: ['www.other.example'],
    }),
  })
  openScreen('/s1/multi-cdn/ssl?setup=true')
  fireEvent.click(await screen.findByText('Your own certificate'))
  fireEvent.change(await screen.findByLabelText(/^Certificate/), { target: { value: 'PEM' } })
  fireEvent.change(screen.getByLabelText(/^Private key/), { target: { value: 'PEM' } })
  fireEvent.click(screen.getByRole('button', { name: 'Check certificate' }))
  const note = await screen.findByText(/not at or under example\.com/)
  expect(note.closest('[role=note]')?.textContent).toContain('www.other.example')
})
