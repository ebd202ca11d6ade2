import type { PulseFigures, PulseSettings } from '@fairway/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const SNIPPETS = { script: '<script one>', tagManager: '<script two>', npm: 'npm install three' }
const SETTINGS: PulseSettings = {
  key: 'k-new',
  keys: [
    { key: 'k-new', createdAt: '2026-11-21T10:00:00Z', until: null },
    { key: 'k-old', createdAt: '2026-10-21T10:00:00Z', until: '2026-11-28T10:00:00Z' },
  ],
  tag: '<script one>',
  settings: {
    startDelaySeconds: 2,
    repeatDelaySeconds: 30,
    batchNumber: 3,
    targets: [{ c: 'edge', u: 'https://edge.example/t.bin' }],
  },
  throughput: true,
  hosts: [],
  ownHosts: ['example.com', '*.example.com'],
  script: {
    url: 'https://b.example/b-1.js',
    integrity: 'sha384-x',
    bytes: 8000,
    gzipBytes: 2848,
    package: 'https://b.example/b-1.tgz',
  },
  dynamic: SNIPPETS,
  static: { ...SNIPPETS, script: '<script fixed>' },
  csp: 'script-src https://b.example;',
}
const FIGURES: PulseFigures = {
  beacons: 0,
  samples: 0,
  firstAt: null,
  newestAt: null,
  splitSince: null,
  load: { pages: 0, requests: null, bytes: null, longestTaskMs: null },
  cdns: [],
}
const EDITOR = accountOf({ permissions: ['ViewSite', 'ViewPerformancePolicy', 'EditPerformancePolicy'] })
const answers = (put: (body: unknown) => unknown = () => SETTINGS, figures: () => unknown = () => FIGURES) => ({
  'GET /measure/v2/beacon/': () => SETTINGS,
  'GET /measure/v2/beacon/figures/': figures,
  'PUT /measure/v2/beacon/': put,
  'DELETE /measure/v2/beacon/keys/k-old/': () => ({ ...SETTINGS, keys: SETTINGS.keys.slice(0, 1) }),
})

test('nothing has come yet: it says so, and draws no zero where nothing was measured', async () => {
  stubApi(answers(), EDITOR)
  openScreen('/dem/pulse')
  expect(await screen.findByText('No beacon yet')).toBeDefined()
  const stats = within(screen.getByLabelText('Beacons and what they cost pages'))
  await waitFor(() => expect(stats.getAllByText('—').length).toBe(4))
  expect(screen.getByText('<script one>')).toBeDefined()
  fireEvent.click(screen.getByRole('tab', { name: 'Static' }))
  expect(await screen.findByText('<script fixed>')).toBeDefined()
})

test('numbers outside the limits are not sent; those inside are', async () => {
  const put = vi.fn(() => SETTINGS)
  stubApi(answers(put), EDITOR)
  openScreen('/dem/pulse')
  const field = await screen.findByLabelText('Start delay (seconds)')
  fireEvent.change(field, { target: { value: '61' } })
  fireEvent.submit(screen.getByRole('form', { name: 'Beacon settings' }))
  expect(await screen.findByText('Enter a whole number from 2 to 60')).toBeDefined()
  expect(put).not.toHaveBeenCalled()
  fireEvent.change(field, { target: { value: '7' } })
  fireEvent.submit(screen.getByRole('form', { name: 'Beacon settings' }))
  await waitFor(() => expect(put).toHaveBeenCalledTimes(1))
})

test('who may only look sees the keys and cannot change them', async () => {
  stubApi(answers(), accountOf({ permissions: ['ViewSite', 'ViewPerformancePolicy'] }))
  openScreen('/dem/pulse')
  expect(await screen.findByText('k-old')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'New key…' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'End now' })).toBeNull()
})
