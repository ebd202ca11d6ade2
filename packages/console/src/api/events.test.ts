import { dnsRecords, overview, versions } from '@fairway/contract'
import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followEvents, isTouched } from './events.ts'
import { read } from './queries.ts'

class Stream extends EventTarget {
  static last: Stream | null = null
  closed = false
  constructor() {
    super()
    Stream.last = this
  }
  close() {
    this.closed = true
  }
  say(data: string) {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', Stream)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function watched() {
  const queryClient = new QueryClient()
  const keys: Record<string, QueryKey> = {
    records: read(dnsRecords.routes.list, { site: 's1' }).queryKey,
    versions: read(versions.routes.list, { site: 's1' }).queryKey,
    overview: read(overview.routes.get, { site: 's1' }).queryKey,
  }
  for (const key of Object.values(keys)) queryClient.setQueryData(key, {})
  const old = () =>
    Object.entries(keys)
      .filter(([, key]) => queryClient.getQueryState(key)?.isInvalidated)
      .map(([name]) => name)
  return { queryClient, old }
}

test('a confirmation makes versions old, and the records not', () => {
  const { queryClient, old } = watched()
  followEvents(queryClient)
  Stream.last?.say('{"kind":"acknowledged","siteId":"s1"}')
  vi.advanceTimersByTime(100)
  expect(old()).toEqual(['versions'])
})

test('a storm of events is one refetch', () => {
  const { queryClient } = watched()
  const invalidate = vi.spyOn(queryClient, 'invalidateQueries')
  followEvents(queryClient)
  for (let i = 0; i < 50; i++) Stream.last?.say('{"kind":"version","siteId":"s1"}')
  vi.advanceTimersByTime(100)
  expect(invalidate).toHaveBeenCalledTimes(1)
})

test('what is no event is ignored', () => {
  const { queryClient, old } = watched()
  followEvents(queryClient)
  for (const text of ['', 'null', '{"kind":"unknown","siteId":null}', '{']) Stream.last?.say(text)
  vi.advanceTimersByTime(100)
  expect(old()).toEqual([])
})

test('after a lost connection everything is read again', () => {
  const { queryClient, old } = watched()
  followEvents(queryClient)
  Stream.last?.dispatchEvent(new Event('open'))
  expect(old()).toEqual([])
  Stream.last?.dispatchEvent(new Event('error'))
  Stream.last?.dispatchEvent(new Event('open'))
  expect(old()).toEqual(['records', 'versions', 'overview'])
})

test('stopping closes the stream', () => {
  const stop = followEvents(watched().queryClient)
  stop()
  expect(Stream.last?.closed).toBe(true)
})

test('health touches what shows health', () => {
  expect(isTouched('health', overview.routes.get.path)).toBe(true)
  expect(isTouched('health', dnsRecords.routes.list.path)).toBe(false)
})
