import type { DnsRecord } from '@fairway/contract'
import { expect, test } from 'vitest'
import { filterRecords, isSteerable } from './filter-records.ts'

const make = (id: string, type: DnsRecord['type'], name: string, value: string, multiCdn = false): DnsRecord => ({
  id,
  type,
  name,
  value,
  preference: null,
  ttlSeconds: null,
  multiCdn,
  weight: null,
  comment: '',
  tags: [],
  domainId: null,
  cdnIds: [],
  createdAt: '2026-01-01T00:00:00Z',
  modifiedAt: '2026-01-01T00:00:00Z',
})
const records = [
  make('1', 'A', '@', '198.41.0.4', true),
  make('2', 'CNAME', 'img', 'origin.example.net', true),
  make('3', 'TXT', '_dmarc', 'v=DMARC1'),
  make('4', 'A', '*', '198.41.0.9'),
]
const ids = (wanted: Partial<Parameters<typeof filterRecords>[1]>) =>
  filterRecords(records, { siteName: 'example.com', domainName: null, ...wanted }).map(({ id }) => id)

test('text is looked for in whole names, values and types', () => {
  expect(ids({ search: 'img.EXAMPLE' })).toEqual(['2'])
  expect(ids({ search: 'dmarc1' })).toEqual(['3'])
  expect(ids({ search: 'a' })).toContain('1')
  expect(ids({ search: 'nothing' })).toEqual([])
})

test('facets narrow together', () => {
  expect(ids({ type: ['A'] })).toEqual(['1', '4'])
  expect(ids({ type: ['A'], multiCdn: 'on' })).toEqual(['1'])
  expect(ids({ multiCdn: 'off' })).toEqual(['3', '4'])
})

test('a chosen domain leaves its own records', () => {
  expect(ids({ domainName: 'img.example.com' })).toEqual(['2'])
})

test('a switch for steering is there only where it can work', () => {
  expect(records.filter(isSteerable).map(({ id }) => id)).toEqual(['1', '2'])
})
