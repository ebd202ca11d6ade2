import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { StreamAsset } from '@fairway/contract'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { VIDEO_PLAN, video } from '../../testing/stream-answers.ts'

const pier: StreamAsset = { ...video, category: 'Demo' }
const reef: StreamAsset = { ...video, id: 'v2', name: 'reef.mov' }
const listOf = (...data: StreamAsset[]) => ({
  data,
  meta: { total: data.length, page: 1, pageSize: -1 },
  limit: 1024,
  canEncode: true,
})

test('the list is narrowed by category and by words, which stand in its address', async () => {
  stubApi({ 'GET /vsp/v2/assets/': () => listOf(pier, reef) }, accountOf({ plan: VIDEO_PLAN }))
  const { router } = openScreen('/stream/assets?category=Demo')
  await screen.findByRole('link', { name: 'pier.mp4' })
  expect(screen.queryByRole('link', { name: 'reef.mov' })).toBeNull()
  expect(screen.getByText('1 of 2 videos')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Clear' }))
  await screen.findByRole('link', { name: 'reef.mov' })
  fireEvent.change(screen.getByRole('searchbox', { name: 'Filter by name or category' }), {
    target: { value: 'demo' },
  })
  await waitFor(() => expect(router.state.location.search).toEqual({ search: 'demo' }))
  await waitFor(() => expect(screen.queryByRole('link', { name: 'reef.mov' })).toBeNull())
})

test('a video gets another name and category, is told that a name is taken, and undoes it with one click', async () => {
  let now = pier
  const calls = stubApi(
    {
      'GET /vsp/v2/assets/': () => listOf(now, reef),
      'GET /vsp/v2/assets/v1/': () => now,
      'PATCH /vsp/v2/assets/v1/': ({ body }) => {
        const input = body as { name: string; category: string }
        if (input.name === 'reef.mov') return refusal(409, 30007)
        now = { ...now, ...input }
        return now
      },
    },
    accountOf({ plan: VIDEO_PLAN }),
  )
  openScreen('/stream/assets/detail/v1')
  fireEvent.click(await screen.findByRole('button', { name: 'Edit' }))
  const name = await screen.findByRole('textbox', { name: /File name/ })
  fireEvent.change(name, { target: { value: 'reef.mov' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('A video with this file name exists. Give it another name.')).toBeDefined()
  fireEvent.change(name, { target: { value: 'Pier at dawn' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('heading', { name: 'Pier at dawn' })).toBeDefined()
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('heading', { name: 'pier.mp4' })).toBeDefined()
  expect(calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
    { name: 'reef.mov', category: 'Demo' },
    { name: 'Pier at dawn', category: 'Demo' },
    { name: 'pier.mp4', category: 'Demo' },
  ])
})

test('the address by DASH and its snippet stand beside those by HLS, and nowhere for what has none', async () => {
  let now: StreamAsset = pier
  stubApi({ 'GET /vsp/v2/assets/v1/': () => now }, accountOf({ plan: VIDEO_PLAN }))
  openScreen('/stream/assets/detail/v1')
  fireEvent.click(await screen.findByRole('tab', { name: 'Code Snippet' }))
  expect(await screen.findByText('http://k.stream.localhost/v1/manifest.mpd')).toBeDefined()
  fireEvent.click(screen.getByRole('tab', { name: 'Embed' }))
  expect(await screen.findByRole('heading', { name: 'Any page, with dash.js' })).toBeDefined()
  cleanup()
  now = { ...pier, dashUrl: null }
  openScreen('/stream/assets/detail/v1')
  fireEvent.click(await screen.findByRole('tab', { name: 'Code Snippet' }))
  expect(await screen.findAllByText('HLS manifest URL')).not.toEqual([])
  expect(screen.queryByText('DASH manifest URL')).toBeNull()
})
