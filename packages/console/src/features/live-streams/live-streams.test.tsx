import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { LiveStream } from '@fairway/contract'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { page } from '../../testing/steering-answers.ts'
import { VIDEO_PLAN, live } from '../../testing/stream-answers.ts'

const editor = accountOf({ plan: VIDEO_PLAN })
const worldOf = (stream: LiveStream) => ({
  'GET /vsp/v2/live-streams/': () => ({ ...page([stream]), limit: 1024, canEncode: true }),
  'GET /vsp/v2/live-streams/l1/': () => stream,
  'GET /vsp/v2/analytics/tag/l1/': () => ({
    address: 'https://c.example/v',
    script: 'https://c.example/v.js',
    integrity: 'x',
  }),
  'PATCH /vsp/v2/live-streams/l1/': () => stream,
  'PUT /vsp/v2/live-streams/l1/test/': () => stream,
})

test('while it runs, name and window are changed, and what is of the whole broadcast is not', async () => {
  const calls = stubApi(worldOf(live), editor)
  openScreen('/stream/live-streams/detail/l1')
  fireEvent.click(await screen.findByRole('button', { name: 'Edit' }))
  const drawer = within(await screen.findByRole('dialog'))
  expect(drawer.getByRole('textbox', { name: 'Key-frame interval in seconds' })).toHaveProperty('disabled', true)
  fireEvent.change(drawer.getByRole('textbox', { name: 'Name' }), { target: { value: 'Quay' } })
  fireEvent.change(drawer.getByRole('textbox', { name: /^Rewind window/ }), { target: { value: '90' } })
  fireEvent.click(drawer.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({
      name: 'Quay',
      latency: 'normal',
      keyFrameSeconds: 2,
      rewindSeconds: 5_400,
    }),
  )
})

test('its tabs have addresses, and pages show it as they show a video', async () => {
  stubApi(worldOf(live), editor)
  const { router } = openScreen('/stream/live-streams/detail/l1/code')
  expect(await screen.findByText(/<iframe src="http:\/\/k\.stream\.localhost\/embed\/l1"/)).toBeTruthy()
  expect(screen.getByText('http://k.stream.localhost/l1/manifest.mpd')).toBeTruthy()
  fireEvent.click(screen.getByRole('tab', { name: 'Install & Test' }))
  expect(await screen.findByText('H.264 (AVC), High, 4:2:0 8 bit')).toBeTruthy()
  expect(router.state.location.pathname).toBe('/stream/live-streams/detail/l1/install')
})

test('health says what is lost and what drifts, each with what to change', async () => {
  const input = { ...(live.input as NonNullable<LiveStream['input']>), droppedPercent: 4.2, audioDriftMs: 230 }
  stubApi(worldOf({ ...live, input, advice: ['frames-dropped', 'audio-drift'] }), editor)
  openScreen('/stream/live-streams/detail/l1')
  expect(await screen.findByText('Frames are missing')).toBeTruthy()
  expect(screen.getByText('4.2%')).toBeTruthy()
  expect(screen.getByText('230 ms')).toBeTruthy()
  expect(screen.getByText(/same sample rate, 48 kHz/)).toBeTruthy()
})

test('a stream that runs and waits is tried with a test picture', async () => {
  const calls = stubApi(worldOf({ ...live, input: null }), editor)
  openScreen('/stream/live-streams/simulation?stream=l1')
  fireEvent.click(await screen.findByRole('button', { name: 'Send test picture' }))
  await waitFor(() => expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ on: true }))
})

test('where nothing is taken by WebRTC, neither browser nor WHIP is shown as a way to send', async () => {
  stubApi(worldOf({ ...live, hasWhip: false }), editor)
  openScreen('/stream/live-streams/detail/l1/install')
  expect(await screen.findByText('H.264 (AVC), High, 4:2:0 8 bit')).toBeTruthy()
  expect(screen.queryByText(/WHIP/)).toBeNull()
  expect(screen.queryByRole('button', { name: 'Go live from this browser…' })).toBeNull()
})

test('camera and screen are given to secure pages alone, and the dialog says so', async () => {
  stubApi(worldOf(live), editor)
  openScreen('/stream/live-streams/detail/l1/install')
  fireEvent.click(await screen.findByRole('button', { name: 'Go live from this browser…' }))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText(/Browsers give camera and screen only to pages over HTTPS/)
  await dialog.findByText(/An encoder sends to this stream now/)
  expect(dialog.getByRole('button', { name: 'Go on air' })).toHaveProperty('disabled', true)
})
