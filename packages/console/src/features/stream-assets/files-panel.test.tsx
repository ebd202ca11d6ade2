import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Rendition, Replacement } from '@fairway/contract'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { VIDEO_PLAN, video } from '../../testing/stream-answers.ts'
import { platforms } from '../../testing/steering-answers.ts'

const quality: Rendition = {
  name: '360p',
  width: 640,
  height: 360,
  state: 'done',
  averageBitrate: 800_000,
  peakBitrate: 900_000,
  file: null,
}
const replacement: Replacement = {
  name: 'pier 2.mov',
  size: 10,
  loaded: 4,
  state: 'uploading',
  uploadUrl: '/vsp/v2/uploads/r1',
  reasonCode: null,
  reason: '',
  progress: null,
  secondsLeft: null,
  atOnce: false,
  createdBy: 'ada',
  createdAt: '2026-11-21T10:00:00Z',
}
const world = { 'GET /web/v2/platforms/': () => platforms }
const open = async () => {
  openScreen('/stream/assets/detail/v1')
  fireEvent.click(await screen.findByRole('tab', { name: 'Files' }))
}

test('a quality is asked for as a file, and had when it is made', async () => {
  const asset = { ...video, renditions: [quality] }
  const ready = { ...quality, file: { state: 'ready', size: 2_000_000, until: '2026-11-22T10:00:00Z' } }
  let made = false
  const calls = stubApi(
    {
      ...world,
      'GET /vsp/v2/assets/v1/': () => (made ? { ...asset, renditions: [ready] } : asset),
      'POST /vsp/v2/assets/v1/files/': () => {
        made = true
        return asset
      },
    },
    accountOf({ plan: VIDEO_PLAN }),
  )
  await open()
  fireEvent.click(await screen.findByRole('button', { name: 'Make MP4 of 360p' }))
  const link = await screen.findByRole('link', { name: 'Download MP4 of 360p' })
  expect(link.getAttribute('href')).toBe('/vsp/v2/assets/v1/files/360p')
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ rendition: '360p' })
})

test('a replacement on its way is told beside the video that plays, and stopped after a question', async () => {
  const calls = stubApi(
    {
      ...world,
      'GET /vsp/v2/assets/v1/': () => ({ ...video, replacement }),
      'DELETE /vsp/v2/assets/v1/replacement/': () => ({ id: 'v1' }),
    },
    accountOf({ plan: VIDEO_PLAN }),
  )
  await open()
  expect(await screen.findByText('pier 2.mov')).toBeDefined()
  expect(screen.getByText('Uploading 40%')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Replace' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Stop replacing' }))
  const [, confirm] = await screen.findAllByRole('button', { name: 'Stop replacing', hidden: true })
  if (!confirm) throw new Error('nothing was asked')
  fireEvent.click(confirm)
  await waitFor(() => expect(calls.some(({ method }) => method === 'DELETE')).toBe(true))
})

test('one that failed says why, and who may only look changes nothing', async () => {
  const failed = { ...replacement, state: 'failed' as const, reasonCode: 30010, reason: 'no video in it' }
  stubApi(
    { ...world, 'GET /vsp/v2/assets/v1/': () => ({ ...video, replacement: failed, renditions: [quality] }) },
    accountOf({ plan: VIDEO_PLAN, permissions: ['ViewSite'] }),
  )
  await open()
  expect(await screen.findByText(/no video in it/)).toBeDefined()
  for (const name of ['Replace', 'Dismiss', 'Make MP4 of 360p'])
    expect(screen.queryByRole('button', { name })).toBeNull()
})
