import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { clientReader } from './client-address.ts'
import { RateLimit } from './rate-limit.ts'

// The reader looks at these two properties of a request only.
const request = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage
const read = clientReader(['127.0.0.1', '::1', '10.0.0.0/8'])
const networkOf = (remoteAddress: string, forwarded?: string) => read(request(remoteAddress, forwarded))?.network

test('a stranger cannot choose its address', () => {
  assert.equal(networkOf('203.0.113.9', '198.51.100.7'), '203.0.113')
})

test('a trusted proxy is believed about the nearest address that is no proxy', () => {
  assert.equal(networkOf('127.0.0.1', '198.51.100.7'), '198.51.100')
  assert.equal(networkOf('::ffff:127.0.0.1', '1.1.1.1, 198.51.100.7, 10.1.2.3'), '198.51.100')
  assert.equal(networkOf('::1', '2001:db8:1:2::5'), '20010db80001')
  assert.equal(networkOf('10.9.9.9', '10.1.1.1'), '10.1.1')
})

test('nonsense in the header leaves the peer', () => {
  for (const nonsense of ['', 'unknown', '1.2.3', '198.51.100.7, junk', ','.repeat(5000)])
    assert.equal(networkOf('127.0.0.1', nonsense), '127.0.0', nonsense)
})

test('a mapped address counts as the IPv4 one, and a zone is left off', () => {
  assert.deepEqual(read(request('::ffff:192.0.2.1')), {
    bytes: Uint8Array.of(192, 0, 2, 1),
    family: 4,
    network: '192.0.2',
  })
  assert.equal(networkOf('fe80::1%eth0'), 'fe8000000000')
  assert.equal(read(request('')), null)
})

test('a network has its burst, then its rate; others are not touched; quiet ones are forgotten', () => {
  const limit = new RateLimit({ perSecond: 10, burst: 5 })
  const taken = (network: string, at: number, tries: number) =>
    Array.from({ length: tries }, () => limit.take(network, at)).filter(Boolean).length
  assert.equal(taken('a', 1000, 20), 5)
  assert.equal(taken('b', 1000, 3), 3)
  assert.equal(taken('a', 1200, 20), 2)
  assert.equal(taken('a', 9000, 20), 5)
  for (let i = 0; i < 1000; i++) limit.take(`n${i}`, 10_000)
  limit.take('z', 20_000)
  assert.equal(limit.size, 1)
})
