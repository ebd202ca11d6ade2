import { afterEach, expect, test, vi } from 'vitest'
import { followShared } from './shared-stream.ts'

/** Streams that are open now. */
const open = new Set<FakeStream>()
class FakeStream extends EventTarget {
  constructor() {
    super()
    open.add(this)
  }
  close() {
    open.delete(this)
  }
  say(data: string) {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

/** One lock by name, given in turn: what browsers do for all tabs of an address. */
function locks() {
  const last = new Map<string, Promise<void>>()
  return {
    request: (name: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>) => {
      const before = last.get(name) ?? Promise.resolve()
      const mine = before.then(() => (signal.aborted ? Promise.reject(new Error('aborted')) : work()))
      last.set(
        name,
        mine.catch(() => {}),
      )
      return mine
    },
  }
}

afterEach(() => vi.unstubAllGlobals())

test('of two tabs one asks and both hear; when it is closed the other goes on', async () => {
  vi.stubGlobal('EventSource', FakeStream)
  vi.stubGlobal('navigator', { locks: locks() })
  const [heardA, heardB]: [string[], string[]] = [[], []]
  const stopA = followShared('/live', 'one', (data) => heardA.push(data))
  const stopB = followShared('/live', 'one', (data) => heardB.push(data))
  await vi.waitFor(() => expect(open.size).toBe(1))
  for (const stream of open) stream.say('one')
  await vi.waitFor(() => expect([heardA, heardB]).toEqual([['one'], ['one']]))

  stopA()
  const [first] = open
  await vi.waitFor(() => {
    expect(open.size).toBe(1)
    expect(open).not.toContain(first)
  })
  for (const stream of open) stream.say('two')
  await vi.waitFor(() => expect(heardB).toEqual(['one', 'two']))
  expect(heardA).toEqual(['one'])
  stopB()
  await vi.waitFor(() => expect(open.size).toBe(0))
})

test('a tab that another organisation has signed in to hears nothing of what the first one is told', async () => {
  vi.stubGlobal('EventSource', FakeStream)
  vi.stubGlobal('navigator', { locks: locks() })
  const [heardA, heardB]: [string[], string[]] = [[], []]
  const stopA = followShared('/live', 'one', (data) => heardA.push(data))
  await vi.waitFor(() => expect(open.size).toBe(1))
  const [ofA] = open
  const stopB = followShared('/live', 'two', (data) => heardB.push(data))
  await vi.waitFor(() => expect(open.size).toBe(2))
  ofA?.say('a figure')
  // What is told after it in the same way has come.
  for (const stream of open) if (stream !== ofA) stream.say('b figure')
  await vi.waitFor(() => expect([heardA, heardB]).toEqual([['a figure'], ['b figure']]))
  stopA()
  stopB()
})
