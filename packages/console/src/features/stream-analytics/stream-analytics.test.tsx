import type { AudienceReport, StreamPerformanceReport, StreamView, ViewMoment, ViewTimeline } from '@fairway/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { page, platforms } from '../../testing/steering-answers.ts'
import { watchedPage } from './watched-page.ts'

const AT = Date.parse('2026-11-21T10:00:00Z')
const FILM = '0190c1a2-0000-7000-8000-000000000001'
const account = accountOf({ plan: { id: 'p', name: 'Enterprise', ability: ['multiCdn.enable', 'vsp.enable'] } })
const WATCHED = { views: 40, viewers: 30, watchedMs: 7_200_000 }
const audience: AudienceReport = {
  intervalSeconds: 60,
  points: [{ at: AT, views: 40, watchedMs: 7_200_000 }],
  totals: { ...WATCHED, attempts: 44 },
  engagement: null,
  engagementViews: 40,
  countries: [
    { country: 'JP', ...WATCHED },
    { country: '', ...WATCHED },
  ],
  devices: [{ device: 'phone', ...WATCHED }],
  sources: [{ source: FILM, name: '=Harbour', kind: 'asset', ...WATCHED }],
}
const playback = {
  views: 40,
  starts: 38,
  startupP50Ms: 900,
  startupP75Ms: 1_400,
  startupP95Ms: 3_000,
  rebufferPercent: 0.5,
  stalls: 3,
  watchedMs: 7_200_000,
  bitrateKbps: 2_400,
  failedViews: 0,
  failedPercent: 0,
  score: 96.4,
}
const unknown = {
  ...playback,
  startupP50Ms: null,
  startupP95Ms: null,
  rebufferPercent: null,
  bitrateKbps: null,
  score: null,
}
const report: StreamPerformanceReport = {
  intervalSeconds: 60,
  points: [{ at: AT, views: 0, startupP50Ms: null, rebufferPercent: null, bitrateKbps: null, failedPercent: null }],
  totals: playback,
  by: 'cdn',
  rows: [
    { value: 'a', name: null, ...playback },
    { value: '', name: null, ...unknown },
  ],
  errors: [],
}
const view: StreamView = {
  view: 'abcdef01'.repeat(3),
  source: FILM,
  name: 'Harbour',
  kind: 'asset',
  beganAt: AT,
  endedAt: AT + 60_000,
  country: 'JP',
  network: 'AS1',
  device: 'phone',
  player: 'native',
  watchedMs: 50_000,
  startupMs: 900,
  stalls: 1,
  stalledMs: 2_000,
  error: null,
  score: 80,
}
const moment: ViewMoment = {
  at: AT,
  kind: 'start',
  positionMs: null,
  ms: null,
  bitrateKbps: null,
  height: null,
  cdn: 'a',
  bufferMs: null,
  throughputKbps: null,
  error: '',
  isFatal: false,
  session: '',
  status: null,
  cacheStatus: '',
  bytes: null,
  cause: null,
  reasons: [],
}
const timeline: ViewTimeline = {
  view,
  score: { score: 80, startup: 0, stalls: 20, failed: 0 },
  moments: [
    moment,
    { ...moment, at: AT + 5_000, kind: 'segment', status: 503, cacheStatus: 'MISS', bytes: 100 },
    { ...moment, at: AT + 6_000, kind: 'stall', cause: 'cdn', reasons: ['segment-errors', 'moved'] },
  ],
  segments: 1,
}
const world = {
  'GET /web/v2/platforms/': () => platforms,
  'GET /vsp/v2/assets/': () => ({ ...page([]), limit: 1024, canEncode: true }),
  'GET /vsp/v2/live-streams/': () => ({ ...page([]), limit: 1024, canEncode: true }),
  'GET /vsp/v2/analytics/audience/': () => audience,
  'GET /vsp/v2/analytics/concurrent/': () => ({ intervalSeconds: 30, now: 7, points: [{ at: AT, viewers: 5 }] }),
  'GET /vsp/v2/analytics/performance/': () => report,
  'GET /vsp/v2/analytics/views/': () => ({ data: [view], limit: 100 }),
  [`GET /vsp/v2/analytics/views/${view.view}/`]: () => timeline,
}
const signedIn = (more: Parameters<typeof stubApi>[0] = {}) => stubApi({ ...world, ...more }, account)

test('who watches stands there in figures, and engagement waits for a hundred views', async () => {
  signedIn()
  openScreen('/stream/analytics/audience')
  const figures = await screen.findByLabelText('Key figures')
  expect(figures.textContent).toContain('Unique viewers30')
  expect(figures.textContent).toContain('2 h')
  expect(await screen.findByText('Shown from 100 views on; 40 have begun in this time.')).toBeDefined()
  expect(await screen.findByText('7 watch now')).toBeDefined()
  expect(screen.getAllByText('Not told').length).toBeGreaterThan(0)
})

test('a country narrows the page by the address, and the chip takes it away', async () => {
  signedIn()
  const { router } = openScreen('/stream/analytics/audience')
  fireEvent.click(await screen.findByRole('button', { name: 'Japan' }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ country: 'JP' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Show all countries, not only Japan' }))
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('country'))
})

test('what is exported runs in no spreadsheet', async () => {
  signedIn()
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) saved.push(blob)
    return 'blob:x'
  })
  openScreen('/stream/analytics/audience')
  fireEvent.click(await screen.findByRole('button', { name: 'Export CSV' }))
  const text = await saved[0]?.text()
  expect(text?.split('\r\n')).toContain(`video,'=Harbour,40,30,7200`)
})

test('what is not known of a CDN is a dash and never nought', async () => {
  signedIn()
  openScreen('/stream/analytics/performance')
  const row = (await screen.findByText('Edge, no balancer')).closest('tr')
  expect([...(row?.querySelectorAll('td.num') ?? [])].map((cell) => cell.textContent)).toEqual([
    '40',
    '—',
    '—',
    '—',
    '—',
    '—',
    '0%',
  ])
  const known = (await screen.findByText('Alpha', { selector: 'th' })).closest('tr')
  expect(known?.textContent).toContain('96')
  expect(screen.getByText('None in this time.')).toBeDefined()
})

test('a stall of a view has its likely cause and the facts that say so; segments come on request', async () => {
  signedIn()
  openScreen(`/stream/analytics/views/${view.view}`)
  const table = await screen.findByRole('group', { name: 'Timeline' })
  expect(within(table).getByText('Likely the CDN')).toBeDefined()
  expect(within(table).getByText('segments were answered with errors')).toBeDefined()
  expect(within(table).queryByText(/503/)).toBeNull()
  fireEvent.click(screen.getByRole('switch', { name: 'With segments' }))
  expect(within(table).getByText(/503 · MISS/)).toBeDefined()
})

test('a store that is away is told with a way to try again', async () => {
  signedIn({ 'GET /vsp/v2/analytics/views/': () => refusal(503, 503) })
  openScreen('/stream/analytics/views')
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeDefined()
})

test('the snippet names the video’s address, the script with its hash, and the playlist', () => {
  const code = watchedPage({
    address: 'https://c.example/v/o/live/x/m',
    script: 'https://c.example/v-1.js',
    integrity: 'sha384-x',
    manifestUrl: 'https://k.example/x/master.m3u8',
    isLive: true,
  })
  for (const part of ["viewWatch('https://c.example/v/o/live/x/m')", 'integrity="sha384-x"', 'views.watch(video, hls)'])
    expect(code).toContain(part)
})

test('what players tell is read within five seconds, once for many of them', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const streams: ((posts: number) => void)[] = []
  class Stream extends EventTarget {
    constructor(path: string) {
      super()
      if (path === '/vsp/v2/analytics/live/')
        streams.push((posts) => {
          this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ posts, lastAt: 1 }) }))
        })
    }
    close() {}
  }
  let asked = 0
  signedIn({ 'GET /vsp/v2/analytics/audience/': () => (asked++, audience) })
  vi.stubGlobal('EventSource', Stream)
  openScreen('/stream/analytics/audience')
  await screen.findByLabelText('Key figures')
  const [say] = streams
  if (!say) throw new Error('nobody listens')
  say(4)
  await vi.advanceTimersByTimeAsync(3_500)
  const before = asked
  for (let posts = 5; posts < 25; posts++) say(posts)
  await vi.advanceTimersByTimeAsync(4_000)
  // Once for all that was told, and perhaps as it is every ten seconds.
  expect([before + 1, before + 2]).toContain(asked)
  vi.useRealTimers()
})
