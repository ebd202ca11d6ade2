import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { EdgeDomain, EdgeSimulatedCdn } from '@fairway/contract'
import { loadConfig, OutgoingGate } from '@fairway/platform'
import { recordingLog } from '../testing/edge-under-test.ts'
import { cdnDocument, keyed, namesToResolve, policyDocument, policyDocuments } from './policy.ts'

const golden = (name: string): unknown =>
  JSON.parse(fs.readFileSync(path.join(import.meta.dirname, 'policy.golden', name), 'utf8'))
const domains = EdgeDomain.array().parse(golden('domains.json'))
const cdns = EdgeSimulatedCdn.array().parse(golden('simulated-cdns.json'))
const [first] = domains
assert.ok(first)
const everywhere = { allowed: (_: unknown, addresses: readonly string[]) => [...addresses] }
const own = (domain: EdgeDomain) => policyDocument(domain, domain, everywhere)

describe('a policy document', () => {
  it('is what it was for these settings', () => {
    assert.deepEqual(domains.map(own), golden('policies.json'))
    assert.deepEqual(cdns.map(cdnDocument), golden('faults.json'))
  })

  it('begins an empty cache when the owner or the origin changes, and only then', () => {
    const generation = (domain: EdgeDomain) => own(domain).cache.generation
    assert.notEqual(generation({ ...first, domainId: 'another' }), generation(first))
    for (const change of [
      { addresses: ['192.0.2.99'] },
      { port: 8081 },
      { protocol: 'https' as const },
      { hostHeader: 'other.test' },
    ])
      assert.notEqual(generation({ ...first, origin: { ...first.origin, ...change } }), generation(first))
    const sealed = (verifyCertificate: boolean) =>
      generation({ ...first, origin: { ...first.origin, protocol: 'https', verifyCertificate } })
    assert.notEqual(sealed(true), sealed(false))
    assert.equal(
      generation({ ...first, version: 99, cache: { ...first.cache, defaultTtlSeconds: 5 } }),
      generation(first),
    )
  })

  it('has another stamp when its content changes, even if the version does not', () => {
    const one = own(first)
    assert.equal(keyed('k', 1, one).stamp, keyed('k', 1, structuredClone(one)).stamp)
    assert.notEqual(keyed('k', 1, one).stamp, keyed('k', 1, { ...one, siteId: 'other' }).stamp)
    assert.notEqual(keyed('k', 1, one).stamp, keyed('k', 2, one).stamp)
  })

  it('names the origins that have to be resolved, each once', () => {
    assert.deepEqual(
      [...namesToResolve([...domains, ...domains].map(own)).keys()],
      ['origin.example.test', 'spare.example.test'],
    )
  })

  it('holds no address that nobody may be led to, in whatever form nginx would read it', () => {
    const inner = ['127.0.0.1', '127.1', '2130706433', '::ffff:10.0.0.1', '64:ff9b::7f00:1', '169.254.169.254']
    const gate = new OutgoingGate({ config: loadConfig({}), log: recordingLog() })
    const origin = { ...first.origin, addresses: [...inner, '8.8.8.8', 'origin.example.test'], fallbackAddress: '::1' }
    const document = policyDocument({ ...first, origin }, { ...first, origin }, gate)
    assert.deepEqual(document.origin.addresses, ['8.8.8.8', 'origin.example.test'])
    assert.equal(document.origin.fallback, '')
  })

  it('is refused when a name could break out of a header or a cache key', () => {
    for (const bad of ['a b', 'a\r\nX: y', 'a|b', 'a"b', '', 'x'.repeat(261), 'ä.test']) {
      assert.throws(() => own({ ...first, host: bad }), /no host name/)
      assert.throws(() => own({ ...first, origin: { ...first.origin, hostHeader: bad } }), /no host name/)
      assert.throws(() => own({ ...first, origin: { ...first.origin, addresses: [bad] } }), /no host name/)
    }
  })

  it('is kept apart for a CDN that delivers otherwise, under a key that no host can be', () => {
    const documents = policyDocuments({ ...first, cdns: { polaris: { ...first, compression: 'gzip' } } }, everywhere)
    assert.deepEqual(
      documents.map(({ key, document }) => [key, document.compression]),
      [
        ['host:www.example.test', 'off'],
        ['own:polaris:www.example.test', 'gzip'],
      ],
    )
    assert.throws(() => policyDocuments({ ...first, cdns: { 'a b': first } }, everywhere), /no host name/)
  })

  it('has its rules in the order in which they decide: patterns, directories, extensions, the longer first', () => {
    const rule = (type: 'directory' | 'extension' | 'pattern', path: string) => ({
      type,
      path,
      ttlSeconds: 1,
      honorOrigin: true,
    })
    const rules = [
      rule('extension', '.js'),
      rule('directory', '/a/'),
      rule('directory', '/a/b/'),
      rule('pattern', '/*'),
    ]
    assert.deepEqual(
      own({ ...first, cache: { ...first.cache, rules } }).cache.rules.map(({ path }) => path),
      ['/*', '/a/b/', '/a/', '.js'],
    )
  })
})
