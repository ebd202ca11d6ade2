import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isProxied } from './proxied.ts'

test('addresses, hints and keys of the proxies are told from those of an origin', () => {
  const cases: [type: string, value: string, proxied: boolean][] = [
    ['A', '104.21.7.9', true],
    ['A', '172.67.1.1', true],
    ['A', '131.0.75.255', true],
    ['A', '104.28.0.1', false],
    ['A', '203.0.113.7', false],
    ['AAAA', '2606:4700:3030::6815:709', true],
    ['AAAA', '2a06:98c7::1', true],
    ['AAAA', '2a06:98c8::1', false],
    ['AAAA', '2001:db8::1', false],
    ['HTTPS', '1 . alpn="h3,h2" ipv4hint=104.21.7.9,172.67.1.1 ipv6hint=2606:4700::1', true],
    ['HTTPS', '1 . alpn=h2 ipv4hint="203.0.113.7,104.21.7.9"', true],
    ['HTTPS', '1 . alpn=h2 ech=AEX+DQBB', true],
    ['SVCB', '1 . ipv6hint=2606:4700::1', true],
    ['HTTPS', '1 . alpn=h2 ipv4hint=203.0.113.7', false],
    ['HTTPS', '0 ech.example.net.', false],
    ['TXT', '104.21.7.9', false],
    ['MX', '104.21.7.9', false],
    ['A', 'nonsense', false],
  ]
  for (const [type, value, proxied] of cases) assert.equal(isProxied({ type, value }), proxied, `${type} ${value}`)
})
