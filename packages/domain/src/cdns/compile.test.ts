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
    earlyHints: false,
    ocspStapling: false,
    compression: 'gzip',
    alwaysHttps: false,
    ignoreQuery: false,
    websocket: false,
    tieredCache: false,
    originShield: 'bypass',
    tags: [],
  },
  cacheTtlSeconds: 60,
  cacheHonorOrigin: true,
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
