import type { DomainOfSite } from '@fairway/contract'
import { expect, test } from 'vitest'
import { countValues, filterDomains } from './categories.ts'

function domain(
  name: string,
  change: { site?: string; status?: DomainOfSite['cdnStatus']; cdns?: string[]; tags?: string[] } = {},
): DomainOfSite {
  return {
    id: name,
    siteId: 's',
    siteParked: false,
    siteName: change.site ?? 'a.test',
    name,
    cdnStatus: change.status ?? 'operational',
    disabled: false,
    cacheEverything: false,
    cacheTtlSeconds: 60,
    minimumSamples: 20,
    marginPercent: 5,
    significance: false,
    cdnIds: change.cdns ?? [],
    http3Offered: false,
    largestRequestMb: 100,
    createdAt: '2026-11-21T10:00:00Z',
    origin: {
      type: 'ipv4',
      address: '192.0.2.1',
      spareAddresses: [],
      balance: 'failover',
      fallbackAddress: null,
      port: 80,
      protocol: 'http',
      hostHeader: name,
      keepaliveSeconds: 60,
      verifyCertificate: false,
    },
    settings: {
      http2: true,
      http3: false,
      earlyHints: false,
      ocspStapling: false,
      networkErrors: false,
      compression: 'off',
      alwaysHttps: false,
      hsts: 'off',
      hstsSeconds: 31_536_000,
      ignoreQuery: false,
      websocket: false,
      tieredCache: false,
      originShield: 'bypass',
      tags: change.tags ?? [],
    },
  }
}

const all = [
  domain('www.a.test', { cdns: ['x', 'y'], tags: ['shop'] }),
  domain('img.a.test', { status: 'failed', cdns: ['x'] }),
  domain('www.b.test', { site: 'b.test', tags: ['shop', 'eu'] }),
]
const names = (found: DomainOfSite[]) => found.map(({ name }) => name)

test('categories are and, values of one are or; words look at name, origin and tags', () => {
  expect(names(filterDomains(all, '', {}))).toEqual(['www.a.test', 'img.a.test', 'www.b.test'])
  expect(names(filterDomains(all, 'WWW', {}))).toEqual(['www.a.test', 'www.b.test'])
  expect(names(filterDomains(all, 'eu', {}))).toEqual(['www.b.test'])
  expect(names(filterDomains(all, '', { status: ['failed', 'operational'], cdn: ['x'] }))).toEqual([
    'www.a.test',
    'img.a.test',
  ])
  expect(names(filterDomains(all, '', { tag: ['shop'], site: ['b.test'] }))).toEqual(['www.b.test'])
  expect(filterDomains(all, '', { status: [] })).toHaveLength(3)
})

test('a category counts what its values would show, given the others', () => {
  expect(countValues(all, 'cdn', '', {})).toEqual([
    { value: 'x', count: 2 },
    { value: 'y', count: 1 },
  ])
  expect(countValues(all, 'cdn', '', { status: ['failed'] })).toEqual([
    { value: 'x', count: 1 },
    { value: 'y', count: 0 },
  ])
  expect(countValues(all, 'status', '', { status: ['failed'] })).toEqual([
    { value: 'operational', count: 2 },
    { value: 'failed', count: 1 },
  ])
  expect(countValues(all, 'tag', 'www', {})).toEqual([
    { value: 'shop', count: 2 },
    { value: 'eu', count: 1 },
  ])
})
