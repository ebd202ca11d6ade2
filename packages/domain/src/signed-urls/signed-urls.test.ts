import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isBlock, isInBlock } from './address-block.ts'
import { readClaims } from './claims.ts'
import { hostOfReferrer, judgeToken, type TokenWorld } from './judge.ts'
import { pathTokenText, prefixOf, readPathToken, splitPath } from './path-token.ts'
import { addressKey } from '../web-security/address-key.ts'

const HOST = 'a.stream.test'
const whole = { host: HOST, path: '/a/', exp: 2_000 }

test('claims are read with every bound, and a word that nobody knows refuses the token', () => {
  for (const [said, problem] of [
    [whole, ''],
    [{ ...whole, nbf: 0, iat: 'x', jti: 7 }, ''],
    [
      { ...whole, countries: ['TW'], addresses: ['192.0.2.0/24', '2001:db8::1'], referrers: ['*.a.test', 'b.test'] },
      '',
    ],
    [null, 'payload'],
    ['x', 'payload'],
    [[], 'host'],
    [{ ...whole, host: 'A.test' }, 'host'],
    [{ ...whole, host: 'x'.repeat(254) }, 'host'],
    [{ ...whole, adress: 1 }, 'adress'],
    [{ ...whole, path: '/a' }, 'path'],
    [{ ...whole, path: 'a/' }, 'path'],
    [{ ...whole, path: '/a/../' }, 'path'],
    [{ ...whole, path: '/a//' }, 'path'],
    [{ ...whole, path: '/%61/' }, 'path'],
    [{ ...whole, path: '/a b/' }, 'path'],
    [{ ...whole, path: '/ä/' }, 'path'],
    [{ host: HOST, path: '/a/' }, 'exp'],
    [{ ...whole, exp: 1.5 }, 'exp'],
    [{ ...whole, exp: -1 }, 'exp'],
    [{ ...whole, exp: 4_102_444_800 }, 'exp'],
    [{ ...whole, exp: Number.NaN }, 'exp'],
    [{ ...whole, nbf: null }, 'nbf'],
    [{ ...whole, countries: [] }, 'countries'],
    [{ ...whole, countries: 'TW' }, 'countries'],
    [{ ...whole, countries: { 0: 'TW' } }, 'countries'],
    [{ ...whole, countries: ['tw'] }, 'countries'],
    [{ ...whole, countries: Array.from({ length: 21 }, () => 'TW') }, 'countries'],
    [{ ...whole, addresses: ['192.0.2.0/33'] }, 'addresses'],
    [{ ...whole, addresses: ['192.0.2.0/024'] }, 'addresses'],
    [{ ...whole, addresses: ['x'] }, 'addresses'],
    [{ ...whole, referrers: ['https://a.test'] }, 'referrers'],
    [{ ...whole, referrers: ['*'] }, 'referrers'],
    [{ ...whole, referrers: ['*.'] }, 'referrers'],
  ] as const)
    assert.equal(readClaims(said).problem, problem, JSON.stringify(said))
})

test('an address lies in the blocks that hold it, whatever family and bits', () => {
  for (const [address, block, isIn] of [
    ['192.0.2.9', '192.0.2.9', true],
    ['192.0.2.9', '192.0.2.0/24', true],
    ['192.0.3.9', '192.0.2.0/24', false],
    ['192.0.3.9', '192.0.2.0/23', true],
    ['192.0.2.9', '0.0.0.0/0', true],
    ['192.0.2.9', '::/0', false],
    ['192.0.2.9', '::ffff:192.0.2.0/120', true],
    ['2001:db8:1::1', '2001:db8::/32', true],
    ['2001:db9::1', '2001:db8::/31', true],
    ['2001:dba::1', '2001:db8::/31', false],
  ] as const)
    assert.equal(isInBlock(addressKey(address), block), isIn, `${address} in ${block}`)
  for (const wrong of ['', '/', '192.0.2.0/', '192.0.2.0/x', '::ffff:192.0.2.0/95', '::/129', '1.2.3/8'])
    assert.equal(isBlock(wrong), false, wrong)
})

test('a referrer is the host of its address and nothing that only looks like it', () => {
  for (const [said, host] of [
    ['https://www.Example.com/a?b', 'www.example.com'],
    ['http://a.test:8080', 'a.test'],
    ['https://a.test@evil.test/', ''],
    ['https://evil.test\\@a.test/', 'evil.test'],
    ['https://evil.test?a.test', 'evil.test'],
    ['//a.test/', ''],
    ['about:client', ''],
    ['', ''],
  ] as const)
    assert.equal(hostOfReferrer(said), host, said)
})

test('whatever is sent for a token, nothing is opened without a signature and nothing throws', () => {
  const world: TokenWorld = {
    now: 1_000,
    decode: (text) => Buffer.from(text, 'base64url').toString('latin1'),
    parse: (text) => {
      try {
        return JSON.parse(text)
      } catch {
        return undefined
      }
    },
    hasKey: () => true,
    verify: () => false,
  }
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '').toString('base64url')
  const part = fc.oneof(fc.string(), fc.jsonValue().map(encoded), fc.constant(encoded({ alg: 'ES256', kid: 'k' })))
  const request = { host: HOST, path: '/a/x', address: '192.0.2.1', referrer: '', country: () => '' }
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      const verdict = judgeToken({ ...request, tokens: [parts.join('.')] }, world, [])
      assert.notEqual(verdict.refusal, '')
      assert.equal(verdict.claims, undefined)
    }),
    { numRuns: 2_000 },
  )
  fc.assert(
    fc.property(fc.jsonValue(), (claims) => {
      const token = `${encoded({ alg: 'ES256', kid: 'k' })}.${encoded(claims)}.${'A'.repeat(86)}`
      const genuine = judgeToken({ ...request, tokens: [token] }, { ...world, verify: () => true }, undefined)
      assert.equal(genuine.refusal, 'claims-refused')
    }),
    { numRuns: 1_000 },
  )
})

test('a path token is what was written, and nothing else is one', () => {
  const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`))
  fc.assert(
    fc.property(
      fc.record({
        folders: fc.nat(99),
        until: fc.nat(4_102_444_799),
        keyId: fc.oneof(fc.constant(''), digits(16)),
        isNear: fc.boolean(),
        mac: digits(40),
      }),
      (token) => assert.deepEqual(readPathToken(pathTokenText(token)), { ...token }),
    ),
  )
  fc.assert(
    fc.property(fc.string(), (text) => {
      const token = readPathToken(text)
      if (token !== undefined) assert.equal(pathTokenText(token), text)
    }),
  )
  assert.deepEqual(splitPath('/t/x/a/b'), { token: 'x', path: '/a/b' })
  assert.deepEqual(splitPath('/t/x'), { token: 'x', path: '/' })
  assert.equal(splitPath('/a/x'), undefined)
  assert.deepEqual(
    [prefixOf('/a/b/c', 0), prefixOf('/a/b/c', 1), prefixOf('/a/b/c', 2), prefixOf('/a/b/c', 3)],
    ['/', '/a/', '/a/b/', undefined],
  )
})
