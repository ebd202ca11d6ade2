import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { PeerFigures, StreamPeers } from '@fairway/contract'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { VIDEO_PLAN, video } from '../../testing/stream-answers.ts'
import { platforms } from '../../testing/steering-answers.ts'
import { watchedPage } from '../stream-analytics/watched-page.ts'

const TAG = { address: 'https://c.example/p/o/asset/v1/x', script: 'https://c.example/p-1.js', integrity: 'sha384-p' }
const VIEWS = { address: 'https://c.example/v/o/asset/v1/x', script: 'https://c.example/v-1.js', integrity: 'sha384-v' }
const off: StreamPeers = {
  isOn: false,
  withSigned: false,
  state: 'off',
  stop: null,
  controlPercent: 10,
  leastViews: 20,
  ...TAG,
}
const group = (views: number, rebufferPercent: number | null) => ({
  views,
  stalledViews: 0,
  watchedMs: 0,
  stalledMs: 0,
  rebufferPercent,
})
const figures: PeerFigures = {
  since: '2026-11-21T10:00:00Z',
  sharing: 3,
  peerBytes: 2_000_000,
  cdnBytes: 1_000_000,
  peerPercent: 66.7,
  refusedPieces: 0,
  peers: group(180, 0.4),
  control: group(0, null),
  verdict: 'unknown',
}
const world = {
  'GET /web/v2/platforms/': () => platforms,
  'GET /vsp/v2/assets/v1/': () => video,
  'GET /vsp/v2/analytics/tag/v1/': () => VIEWS,
  'GET /vsp/v2/peers/v1/': () => off,
  'GET /vsp/v2/peers/v1/figures/': () => figures,
}
const openPeers = async () => {
  openScreen('/stream/assets/detail/v1')
  fireEvent.click(await screen.findByRole('tab', { name: 'Peers' }))
}

test('peers are off, and switched on once it was read that viewers see each other', async () => {
  const calls = stubApi(
    { ...world, 'PUT /vsp/v2/peers/v1/': () => ({ ...off, isOn: true, state: 'on' }) },
    accountOf({ plan: VIDEO_PLAN }),
  )
  await openPeers()
  fireEvent.click(await screen.findByRole('switch', { name: 'Viewers pass segments to each other' }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('network addresses')
  expect(calls.some(({ method }) => method === 'PUT')).toBe(false)
  fireEvent.click(within(dialog).getByRole('button', { name: 'Turn on' }))
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ isOn: true, withSigned: false }),
  )
  expect(screen.getByText(/peerShare\('https:\/\/c\.example\/p\/o\/asset\/v1\/x', Hls\)/)).toBeTruthy()
})

test('what was switched off by itself says by which figures, and nothing unknown is shown as nought', async () => {
  stubApi(
    {
      ...world,
      'GET /vsp/v2/peers/v1/': () => ({
        ...off,
        state: 'stopped',
        stop: { at: '2026-11-21T10:00:00Z', peers: group(180, 3.2), control: group(20, 0.3) },
      }),
    },
    accountOf({ plan: VIDEO_PLAN }),
  )
  await openPeers()
  expect((await screen.findByText('Switched off by itself', { selector: 'p' })).parentElement?.textContent).toMatch(
    /3\.2.*0\.3.*180 and 20 views/,
  )
  const row = (await screen.findByRole('rowheader', { name: 'Without, to compare' })).closest('tr')
  expect([...(row?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent)).toEqual(['0', '—', '—'])
})

test('who may only look finds switches that do nothing', async () => {
  stubApi(world, accountOf({ plan: VIDEO_PLAN, permissions: ['ViewSite'] }))
  await openPeers()
  const found = await screen.findByRole('switch', { name: 'Viewers pass segments to each other' })
  expect((found as HTMLInputElement).disabled).toBe(true)
})

test('the page plays without the script of peers, and has nothing of it where there are none', () => {
  const page = { ...VIEWS, manifestUrl: 'https://k.example/v1/master.m3u8', isLive: true }
  expect(watchedPage(page)).not.toContain('peer')
  const shared = watchedPage({ ...page, peers: TAG })
  expect(shared).toContain(`integrity="sha384-p"`)
  expect(shared).toContain('window.peerShare ? ')
  expect(shared).toContain('maxLiveSyncPlaybackRate: 1.5, ...peers.config')
})
