import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { StreamAsset } from '@fairway/contract'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { VIDEO_PLAN, video } from '../../testing/stream-answers.ts'
import { otherName } from './other-name.ts'
import { uploads } from './uploads.ts'

const begun: StreamAsset = {
  ...video,
  name: 'pier.mp4',
  size: 10,
  loaded: 4,
  state: 'uploading',
  uploadUrl: '/vsp/v2/uploads/v1',
  isPlayable: false,
  manifestUrl: null,
  dashUrl: null,
}
const listOf = (...data: StreamAsset[]) => ({
  data,
  meta: { total: data.length, page: 1, pageSize: -1 },
  limit: 1024,
  canEncode: true,
})
const fileOf = (name: string, bytes: number) => new File(['x'.repeat(bytes)], name)

/** What a tus server has, and what was sent to it. */
let server: { has: number; sent: string[]; isAway: boolean }
class Line {
  upload: { onprogress?: (event: ProgressEvent) => void } = {}
  status = 0
  responseText = ''
  onload = () => {}
  onerror: (event: Event) => void = () => {}
  #method = ''
  #offset = 0
  open(method: string) {
    this.#method = method
  }
  setRequestHeader(name: string, value: string) {
    if (name.toLowerCase() === 'upload-offset') this.#offset = Number(value)
  }
  getResponseHeader(name: string) {
    return { 'upload-offset': String(server.has), 'upload-length': '10' }[name.toLowerCase()] ?? null
  }
  abort() {}
  send(body?: Blob) {
    queueMicrotask(() => {
      if (server.isAway) return this.onerror(new Event('error'))
      this.status = this.#method === 'HEAD' ? 200 : 204
      if (this.#method === 'PATCH') {
        server.sent.push(`${this.#offset}+${body?.size}`)
        server.has = this.#offset + (body?.size ?? 0)
      }
      this.onload()
    })
  }
}

beforeEach(() => {
  server = { has: 4, sent: [], isAway: false }
  vi.stubGlobal('XMLHttpRequest', Line)
})
afterEach(() => {
  for (const key of uploads.rows().keys()) uploads.forget(key)
  vi.unstubAllGlobals()
})

async function chooseFor(file: File) {
  stubApi({ 'GET /vsp/v2/assets/': () => listOf(begun) }, accountOf({ plan: VIDEO_PLAN }))
  openScreen('/stream/assets')
  await screen.findByRole('button', { name: 'Go on with pier.mp4' })
  const input = document.querySelector('input[type=file]:not([multiple])')
  if (!input) throw new Error('there is nothing to choose a file with')
  fireEvent.change(input, { target: { files: [file] } })
}
const leaving = () => {
  const event = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(event)
  return event.defaultPrevented
}

test('an upload of before this page was opened goes on from where it was, with the same file', async () => {
  await chooseFor(fileOf('pier.mp4', 10))
  await waitFor(() => expect(server.sent).toEqual(['4+6']))
  expect(await screen.findByText('Uploaded', { selector: '[role=status]' })).toBeDefined()
  expect(leaving()).toBe(false)
})

test('a file of another size is told and not sent; another name is asked about first', async () => {
  await chooseFor(fileOf('pier.mp4', 11))
  expect(await screen.findByText(/pier.mp4 has 11 B, the upload was begun with a file of 10 B/)).toBeDefined()
  const input = document.querySelector('input[type=file]:not([multiple])')
  if (!input) throw new Error('there is nothing to choose a file with')
  fireEvent.change(input, { target: { files: [fileOf('copy.mp4', 10)] } })
  const same = await screen.findByRole('button', { name: 'It is the same' })
  expect(server.sent).toEqual([])
  fireEvent.click(same)
  await waitFor(() => expect(server.sent).toEqual(['4+6']))
})

test('a line that is cut is told, asks who leaves the page, and goes on by itself when it is back', async () => {
  server.isAway = true
  await chooseFor(fileOf('pier.mp4', 10))
  expect(await screen.findByText(/No answer comes from the server.*tried again by itself/)).toBeDefined()
  expect(leaving()).toBe(true)
  server.isAway = false
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(server.sent).toEqual(['4+6']))
})

test('a name that is taken is offered another one, under which the file is sent', async () => {
  server.has = 0
  const names: unknown[] = []
  stubApi(
    {
      'GET /vsp/v2/assets/': () => listOf(),
      'POST /vsp/v2/assets/': ({ body }) => {
        const { name } = body as { name: string }
        names.push(name)
        return name === 'pier.mp4' ? refusal(409, 30007) : { data: begun, uploadUrl: '/vsp/v2/uploads/v1' }
      },
    },
    accountOf({ plan: VIDEO_PLAN }),
  )
  openScreen('/stream/assets')
  const [button] = await screen.findAllByRole('button', { name: 'Upload videos' })
  if (!button) throw new Error('there is no button')
  fireEvent.click(button)
  await screen.findByText(/Drop video files here/)
  const input = document.querySelector('input[type=file][multiple]')
  if (!input) throw new Error('there is nothing to choose a file with')
  fireEvent.change(input, { target: { files: [fileOf('pier.mp4', 10)] } })
  fireEvent.click(await screen.findByRole('button', { name: 'Upload under this name' }))
  await waitFor(() => expect(server.sent).toEqual(['0+10']))
  expect(names).toEqual(['pier.mp4', 'pier (2).mp4'])
})

test('another name keeps the ending, counts on, and stays within what a name may have', () => {
  expect(['pier.mp4', 'pier (2).mp4', 'pier', 'a.b (9).mov', '.mp4', ''].map(otherName)).toEqual([
    'pier (2).mp4',
    'pier (3).mp4',
    'pier (2)',
    'a.b (10).mov',
    ' (2).mp4',
    ' (2)',
  ])
  expect(otherName(`${'x'.repeat(196)}.mp4`)).toHaveLength(200)
})
