import { DnsRecord } from '@fairway/contract'
import { relativeName } from '@fairway/domain'
import { describe, expect, test } from 'vitest'
import { type RecordDraft, draftOf, inputOf, problemsOf, zoneLine } from './record-draft.ts'

const SITE = 'example.com'
const draft = (change: Partial<RecordDraft> = {}): RecordDraft => ({
  ...draftOf(null),
  name: 'www',
  value: '198.41.0.4',
  ...change,
})
const record = (change: Partial<DnsRecord>): DnsRecord =>
  DnsRecord.parse({
    id: 'r',
    type: 'A',
    name: 'www',
    value: '198.41.0.5',
    preference: null,
    ttlSeconds: null,
    multiCdn: false,
    weight: null,
    comment: '',
    tags: [],
    domainId: null,
    cdnIds: [],
    createdAt: '2026-01-01T00:00:00Z',
    modifiedAt: '2026-01-01T00:00:00Z',
    ...change,
  })
const problems = (change: Partial<RecordDraft>, others: DnsRecord[] = []) =>
  problemsOf(draft(change), SITE, others).problems

test('a whole record has no problems and is sent as the contract wants it', () => {
  expect(problemsOf(draft(), SITE, [])).toEqual({
    problems: {},
    input: {
      type: 'A',
      name: 'www',
      value: '198.41.0.4',
      preference: null,
      ttlSeconds: null,
      multiCdn: false,
      weight: null,
      comment: '',
      tags: [],
    },
  })
})

test.each([
  ['www.example.com', 'www'],
  ['example.com', '@'],
  ['EXAMPLE.com.', '@'],
  [' a.b ', 'a.b'],
  ['notexample.com', 'notexample.com'],
  ['www.example.net.', 'www.example.net.'],
])('a name typed as %s means %s', (typed, name) => {
  expect(relativeName(typed, SITE)).toBe(name)
})

describe('problems stand at their field', () => {
  test('nothing filled in', () =>
    expect(problems({ name: '', value: '' })).toMatchObject({
      name: 'validation.required',
      value: 'validation.required',
    }))
  test('an address that is none', () =>
    expect(problems({ value: '300.1.1.1' })).toEqual({ value: 'validation.ipAddress' }))
  test('IPv4 in AAAA', () => expect(problems({ type: 'AAAA' })).toEqual({ value: 'validation.ipv6Address' }))
  test('MX without a preference', () =>
    expect(problems({ type: 'MX', value: 'mail.example.net', preference: '' })).toEqual({
      preference: 'validation.required',
    }))
  test('a TTL that is too short', () =>
    expect(problems({ ttlSeconds: 5 })).toEqual({ ttlSeconds: 'validation.min_value:30' }))
  test('steering to an address that is reserved', () =>
    expect(problems({ value: '10.0.0.8', multiCdn: true })).toEqual({ value: 'validation.bogon' }))
  test('a reserved address without steering is allowed', () => expect(problems({ value: '10.0.0.8' })).toEqual({}))
  test.each([
    ['www.example.net.', 'nameOutside'],
    ['a.*.b', 'asteriskInside'],
    ['a*', 'asteriskInside'],
    ['a b', 'recordName'],
  ])('a name typed as %s', (name, message) => expect(problems({ name })).toEqual({ name: `validation.${message}` }))
  test('nameservers of the root', () =>
    expect(problems({ type: 'NS', name: '@', value: 'ns1.example.net' })).toEqual({ name: 'validation.nsAtApex' }))
})

describe('rules across records', () => {
  test('the same record twice', () =>
    expect(problems({ value: '198.41.0.5' }, [record({})])).toEqual({ value: 'code:900101' }))
  test('a CNAME beside another record', () =>
    expect(problems({ type: 'CNAME', value: 'origin.example.net' }, [record({})])).toEqual({ name: 'code:900104' }))
  test('another TTL than the rest of the set', () =>
    expect(problems({ ttlSeconds: 60 }, [record({})])).toEqual({ ttlSeconds: 'code:900108' }))
  test('a zone that is broken already is not this record’s fault', () =>
    expect(problems({ name: 'new' }, [record({}), record({ id: 'r2' })])).toEqual({}))
})

test('what does not belong to the type is not sent', () => {
  expect(inputOf(draft({ type: 'TXT', value: 'x', multiCdn: true, preference: 5 }), SITE)).toMatchObject({
    multiCdn: false,
    preference: null,
  })
  expect(inputOf(draft({ multiCdn: true, ttlSeconds: 600 }), SITE)).toMatchObject({ multiCdn: true, ttlSeconds: null })
  expect(inputOf(draft({ name: '*', multiCdn: true }), SITE)).toMatchObject({ multiCdn: false })
})

test('the zone file line follows what is typed', () => {
  expect(
    zoneLine(draft({ type: 'MX', name: '@', value: 'Mail.example.net', preference: 10, ttlSeconds: 3600 }), SITE),
  ).toEqual({ owner: 'example.com.', ttlSeconds: 3600, type: 'MX', rdata: '10 mail.example.net.' })
  expect(zoneLine(draft({ name: '', value: '' }), SITE)).toMatchObject({
    owner: 'example.com.',
    ttlSeconds: 300,
    rdata: '…',
  })
  expect(zoneLine(draft({ multiCdn: true, ttlSeconds: 600 }), SITE).ttlSeconds).toBe(30)
  expect(zoneLine(draft({ value: '10.0.' }), SITE).rdata).toBe('10.0.')
})

test('an edited record keeps what it was', () => {
  expect(draftOf(record({ type: 'MX', preference: 5, ttlSeconds: 120 }))).toMatchObject({
    type: 'MX',
    preference: 5,
    ttlSeconds: 120,
  })
})
