import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type PublishProblem, type PublishState, Publishing } from './publishing.ts'

/** What a browser has, and this one lacks: connected as soon as there is an answer. */
class Connection extends EventTarget {
  static last: Connection
  connectionState = 'new'
  localDescription = { sdp: 'v=0' }
  constructor() {
    super()
    Connection.last = this
  }
  async setLocalDescription() {}
  async setRemoteDescription() {
    this.become('connected')
  }
  become(state: string) {
    this.connectionState = state
    this.dispatchEvent(new Event('connectionstatechange'))
  }
  close() {}
}

const begun = vi.fn()
let isLive = false
let told: [PublishState, PublishProblem | null][] = []
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('RTCPeerConnection', Connection)
  vi.stubGlobal('fetch', async (_url: string, { method }: RequestInit) => {
    if (method === 'POST') begun()
    return new Response('v=0', { status: 201, headers: { location: '/whip/x' } })
  })
  begun.mockClear()
  isLive = false
  told = []
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function onAir(): Promise<Publishing> {
  const publishing = new Publishing({
    media: { getTracks: () => [], getVideoTracks: () => [] } as unknown as MediaStream,
    token: async () => 'token',
    isLive: async () => isLive,
    told: (state, problem) => void told.push([state, problem]),
  })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(told.at(-1)).toEqual(['live', null])
  return publishing
}

test('a broken line begins again by itself; a laptop that slept for hours does not', async () => {
  const publishing = await onAir()
  Connection.last.become('failed')
  await vi.advanceTimersByTimeAsync(2_000)
  expect([begun.mock.calls.length, told.at(-1)]).toEqual([2, ['live', null]])
  // Timers do not run in sleep: the first second after it is hours later.
  vi.setSystemTime(Date.now() + 7_200_000)
  await vi.advanceTimersByTimeAsync(5_000)
  Connection.last.become('failed')
  await vi.advanceTimersByTimeAsync(60_000)
  expect([begun.mock.calls.length, told.at(-1)]).toEqual([2, ['over', 'gone']])
  publishing.stop()
})

test('who was put aside by somebody else does not come back; its own that is not missed yet is waited for', async () => {
  await onAir()
  isLive = true
  Connection.last.become('failed')
  await vi.advanceTimersByTimeAsync(4_000)
  expect(begun).toHaveBeenCalledTimes(1)
  isLive = false
  await vi.advanceTimersByTimeAsync(4_000)
  expect([begun.mock.calls.length, told.at(-1)]).toEqual([2, ['live', null]])
  isLive = true
  Connection.last.become('failed')
  await vi.advanceTimersByTimeAsync(30_000)
  expect([begun.mock.calls.length, told.at(-1)]).toEqual([2, ['over', 'other']])
})
