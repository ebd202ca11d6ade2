import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CdnCapabilities } from '@fairway/contract'
import { type DeliveryIntent, compileFor } from './compile.ts'

const able = CdnCapabilities.parse(Object.fromEntries(Object.keys(CdnCapabilities.shape).map((name) => [name, true])))
const intent = (verifyCertificate: boolean, protocol: 'http' | 'https' = 'https'): DeliveryIntent => ({
  name: 'www.example.com',
  origin: {
    type: 'fqdn',
    address: 'origin.example.net',
    spareAddresses: [],
    balance: 'failover',
    fallbackAddress: null,
    port: 443,
    protocol,
    hostHeader: 'www.example.com',
    keepaliveSeconds: 60,
    verifyCertificate,
  },
  settings: {
    http2: true,
    http3: false,
    earlyHints: false,
    ocspStapling: false,
    networkErrors: false,
    compression: 'gzip',
    alwaysHttps: false,
    hsts: 'off',
    hstsSeconds: 31_536_000,
    ignoreQuery: false,
    websocket: false,
    tieredCache: false,
    originShield: 'bypass',
    tags: [],
  },
  cacheTtlSeconds: 60,
  cacheHonorOrigin: true,
  cacheEverything: true,
  cacheRules: [],
  noCacheRules: [],
})

test('what a CDN makes of checking the origin’s certificate is given to it, and said where it differs', () => {
  const table: [wanted: boolean, checked: boolean, unchecked: boolean, given: boolean, said: string | undefined][] = [
    [true, true, true, true, 'exact'],
    [true, true, false, true, 'exact'],
    [true, false, true, false, 'not neverChecks'],
    [true, false, false, false, 'approximate ownCheck'],
    [false, true, true, false, undefined],
    [false, true, false, true, 'approximate alwaysChecks'],
    [false, false, true, false, undefined],
    [false, false, false, false, 'approximate ownCheck'],
  ]
  for (const [wanted, checkedOrigin, uncheckedOrigin, given, said] of table) {
    const { delivery, settings } = compileFor(
      { driver: 'fastly', capabilities: { ...able, checkedOrigin, uncheckedOrigin }, cacheTtls: null },
      intent(wanted),
    )
    const one = settings.find(({ setting }) => setting === 'verifyCertificate')
    assert.deepEqual(
      [delivery.origin.verifyCertificate, one && [one.level, one.reason].filter(Boolean).join(' ')],
      [given, said],
      JSON.stringify({ wanted, checkedOrigin, uncheckedOrigin }),
    )
  }
  const plain = compileFor({ driver: 'fastly', capabilities: able, cacheTtls: null }, intent(true, 'http'))
  assert.equal(
    plain.settings.some(({ setting }) => setting === 'verifyCertificate'),
    false,
  )
})

test('a default lifetime for static content only is given to who can tell it, and none at all to the others', () => {
  for (const [staticDefault, cacheEverything, given, said] of [
    [true, false, 60, 'exact'],
    [false, false, 0, 'approximate nothingUnsaid'],
    [false, true, 60, 'exact'],
  ] as const) {
    const { delivery, settings } = compileFor(
      { driver: 'fastly', capabilities: { ...able, staticDefault }, cacheTtls: null },
      { ...intent(true), cacheEverything, cacheHonorOrigin: false },
    )
    const one = settings.find(({ setting }) => setting === 'cacheDefault')
    assert.deepEqual(
      [delivery.cache.defaultTtlSeconds, one && [one.level, one.reason].filter(Boolean).join(' ')],
      [given, said],
    )
    // What follows the origin instead of the lifetime must not lose the origin's word.
    assert.equal(delivery.cache.honorOrigin, given === 0)
  }
})

test('early hints go over HTTP/3 only, and say what they lack', () => {
  const table: [http3: boolean, able: { http3: boolean; earlyHints: boolean }, given: boolean[], said: string[]][] = [
    [true, { http3: true, earlyHints: true }, [true, true], ['http3 exact', 'earlyHints exact']],
    [false, { http3: true, earlyHints: true }, [false, false], ['earlyHints not hintsOverHttp3']],
    [true, { http3: true, earlyHints: false }, [true, false], ['http3 exact', 'earlyHints not noEarlyHints']],
    [true, { http3: false, earlyHints: true }, [false, false], ['http3 not noHttp3', 'earlyHints not noEarlyHints']],
  ]
  for (const [http3, has, given, said] of table) {
    const wanted = intent(false)
    const { delivery, settings } = compileFor(
      { driver: 'fairway-edge', capabilities: { ...able, ...has }, cacheTtls: null },
      { ...wanted, settings: { ...wanted.settings, http3, earlyHints: true } },
    )
    assert.deepEqual([delivery.http3, delivery.earlyHints], given)
    assert.deepEqual(
      settings
        .filter(({ setting }) => setting === 'http3' || setting === 'earlyHints')
        .map(({ setting, level, reason }) => [setting, level, reason].filter(Boolean).join(' ')),
      said,
    )
  }
})
