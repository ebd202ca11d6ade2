import { type AnyRoute, dnsRecords, FEATURES, overview, sites, versions } from '@fairway/contract'
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

test('a change of one site makes the reads of other sites’ rows no older', () => {
  const queryClient = new QueryClient()
  const row = { zoneStatus: 1, dnsState: 'verified' as const, nameservers: { global: [], china: [] }, version: 1 }
  const keys = ['s1', 's2'].map((id) => {
    const { queryKey } = read(sites.routes.list, { name: `${id}.example`, page_size: 1 })
    const site = {
      ...row,
      id,
      domainName: `${id}.example`,
      claim: { state: 'draft' as const },
      domainCount: 0,
      recordCount: 0,
      deployState: 'live' as const,
      createdAt: '2026-11-21T10:00:00Z',
    }
    queryClient.setQueryData(queryKey, { data: [site], meta: { total: 1, page: 1, pageSize: 1 } })
    return queryKey
  })
  const old = () => keys.map((key) => queryClient.getQueryState(key)?.isInvalidated)
  followEvents(queryClient)
  Stream.last?.say('{"kind":"version","siteId":"s2"}')
  vi.advanceTimersByTime(100)
  expect(old()).toEqual([false, true])
  Stream.last?.say('{"kind":"version","siteId":null}')
  vi.advanceTimersByTime(100)
  expect(old()).toEqual([true, true])
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

/** Their screens read them anew by themselves: of one person, of the account, of an operator. */
const READ_BY_THEIR_SCREENS = [
  'account/v2/{id}',
  'account/v2/apikey',
  'account/v2/byo-cdn-keys',
  'account/v2/organization',
  'account/v2/passkeys',
  'account/v2/profile',
  'account/v2/sessions',
  'account/v2/ticket',
  'account/v2/tickets',
  'analytics/v2/dem',
  'billing/v2/coupons',
  'billing/v2/payment',
  'event/v2/preferences',
  'event/v2/webhooks',
  'settings/v2/index',
]

test('what is read beside a change is old after it', () => {
  const routes: AnyRoute[] = Object.values(FEATURES).flatMap(({ routes: some }) => Object.values<AnyRoute>(some))
  const partOf = ({ path }: AnyRoute) => path.split('/').slice(1, 4).join('/')
  const changed = new Set(
    routes
      .filter(
        ({ method, audit, permission }) =>
          method !== 'GET' && audit && permission !== 'node' && permission !== 'public',
      )
      .map(partOf),
  )
  const late = routes
    .filter(({ method, permission }) => method === 'GET' && permission !== 'node' && permission !== 'public')
    .filter((route) => changed.has(partOf(route)) && !isTouched('version', route.path))
    .map(partOf)
    .filter((part) => !part.startsWith('operator/'))
  expect([...new Set(late)].toSorted()).toEqual(READ_BY_THEIR_SCREENS.toSorted())
})
