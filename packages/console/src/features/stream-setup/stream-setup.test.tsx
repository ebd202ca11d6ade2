import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { AudienceReport, Balancer, BalancerInput } from '@fairway/contract'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { page, platforms } from '../../testing/steering-answers.ts'
import { VIDEO_PLAN, live, video } from '../../testing/stream-answers.ts'

const editor = accountOf({ plan: VIDEO_PLAN })
const own = {
  pathway: 'a',
  cdnId: 'a',
  host: 'k.a.stream.localhost',
  name: 'Alpha',
  siteName: null,
  weight: 100,
  enabled: true,
  state: 'completed' as const,
  health: 'up' as const,
}
const balancer: Balancer = {
  isOn: false,
  mode: 'weights',
  entries: [own],
  ttlSeconds: 10,
  serverUrl: null,
  choices: [{ cdnId: 'a', name: 'Alpha', host: 'k.a.stream.localhost' }],
  limit: 10,
}
const audience: AudienceReport = {
  intervalSeconds: 60,
  points: [],
  totals: { views: 0, viewers: 0, watchedMs: 0, attempts: 0 },
  engagement: null,
  engagementViews: 100,
  countries: [],
  devices: [],
  sources: [],
}
const world = {
  'GET /web/v2/platforms/': () => platforms,
  'GET /vsp/v2/assets/': () => ({ ...page([video]), limit: 1024, canEncode: true }),
  'GET /vsp/v2/live-streams/': () => ({ ...page([live]), limit: 1024, canEncode: true }),
  'GET /vsp/v2/live-streams/l1/': () => live,
  'GET /vsp/v2/signed-urls/': () => ({ on: false, keys: [] }),
  'GET /vsp/v2/analytics/audience/': () => audience,
  'GET /vsp/v2/balancers/assets/': () => balancer,
  'GET /vsp/v2/balancers/l1/': () => ({ ...balancer, isOn: true, entries: [own, { ...own, pathway: 'b' }] }),
  'POST /vsp/v2/balancers/assets/simulate/': () => ({ sessions: 1000, shares: [], visitor: null, measuredAt: null }),
}

test('the way says what is done of it by what is there', async () => {
  stubApi(world, editor)
  openScreen('/stream/assets/setup')
  expect(await screen.findByText('2 of 4 done')).toBeTruthy()
  expect(screen.getByText('Upload a video').textContent).toContain('(done)')
  expect(screen.getByText('Add a CDN').textContent).toContain('(open)')
})

test('a live stream’s own way counts its signal and CDNs', async () => {
  stubApi(world, editor)
  openScreen('/stream/live-streams/l1/setup')
  expect(await screen.findByText('4 of 5 done')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Add CDN' }).getAttribute('href')).toBe('/stream/live-streams/l1/add-cdn')
})

test('a CDN is added beside those that are there, and a refused name is said at its field', async () => {
  let isRefused = true
  const calls = stubApi(
    {
      ...world,
      'PUT /vsp/v2/balancers/assets/': () => {
        if (!isRefused) return { ...balancer, isOn: true }
        const fields = [{ path: 'entries.1.host', message: 'validation.duplicateValue' }]
        return { status: 400, body: { meta: { code: 400, message: 'refused', requestId: 'req-1', fields } } }
      },
    },
    editor,
  )
  openScreen('/stream/add-cdn')
  fireEvent.change(await screen.findByRole('textbox', { name: /^Host name there/ }), {
    target: { value: 'video.other.example' },
  })
  fireEvent.click(screen.getByRole('button', { name: 'Add CDN' }))
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: /^Host name there/ }).getAttribute('aria-invalid')).toBe('true'),
  )
  isRefused = false
  fireEvent.click(screen.getByRole('button', { name: 'Add CDN' }))
  expect(await screen.findByText('Added')).toBeTruthy()
  expect(calls.findLast(({ method }) => method === 'PUT')?.body).toEqual({
    isOn: true,
    mode: 'weights',
    entries: [
      { cdnId: 'a', host: null, weight: 100, enabled: true },
      { cdnId: null, host: 'video.other.example', weight: 50, enabled: true },
    ],
  })
})

test('a second CDN is added beside the first, before anything is read again', async () => {
  let reads = 0
  const entries = [own, { ...own, pathway: 'one.other.example', cdnId: null, host: 'one.other.example' }]
  const calls = stubApi(
    {
      ...world,
      'GET /vsp/v2/balancers/assets/': () => (reads++ === 0 ? balancer : new Promise(() => {})),
      'PUT /vsp/v2/balancers/assets/': () => ({ ...balancer, entries }),
    },
    editor,
  )
  openScreen('/stream/add-cdn')
  const add = async (value: string) => {
    fireEvent.change(await screen.findByRole('textbox', { name: /^Host name there/ }), { target: { value } })
    fireEvent.click(screen.getByRole('button', { name: 'Add CDN' }))
    await screen.findByText('Added')
  }
  await add('one.other.example')
  fireEvent.click(screen.getByRole('button', { name: 'Add another' }))
  await add('two.other.example')
  const sent = calls.findLast(({ method }) => method === 'PUT')?.body as BalancerInput
  expect(sent.entries.map(({ host }) => host)).toEqual([null, 'one.other.example', 'two.other.example'])
})
