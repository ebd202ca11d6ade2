import assert from 'node:assert/strict'
import os from 'node:os'
import { test } from 'node:test'
import { ConfigError, loadConfig } from './config.ts'
import { addressTrouble, edgeHost, localHost, ownAddresses } from './own-addresses.ts'
import { isPublishable } from './publishable-address.ts'
import { streamZone } from './stream-place.ts'

const read = (settings: Record<string, string>) => loadConfig({ FAIRWAY_HOME: '/nonexistent', ...settings })
const one = (address: string) => ({ address }) as os.NetworkInterfaceInfo
const MACHINE = {
  lo: [one('127.0.0.1'), one('::1')],
  docker0: [one('172.17.0.1')],
  eth0: [one('45.0.0.9'), one('2a00:1::9'), one('fe80::1'), one('2a00:1::9')],
}

test('a machine is found where it listens, on all addresses at its public ones, and where the settings say', () => {
  const found = (settings: Record<string, string>, machine: object = MACHINE) =>
    ownAddresses(read(settings), 'edge', machine as typeof MACHINE)
  assert.deepEqual(found({}), ['127.0.0.1'])
  assert.deepEqual(found({ FAIRWAY_EDGE_HTTP: '[2001:DB8::0:1]:80' }), ['2001:db8::1'])
  assert.deepEqual(found({ FAIRWAY_EDGE_HTTP: '0.0.0.0:80' }), ['45.0.0.9'])
  assert.deepEqual(found({ FAIRWAY_EDGE_HTTP: '[::]:80' }), ['2a00:1::9'])
  assert.deepEqual(ownAddresses(read({ FAIRWAY_DNS_LISTEN: '[::]:53' }), 'dns', MACHINE as never), [
    '2a00:1::9',
    '45.0.0.9',
  ])
  assert.deepEqual(found({ FAIRWAY_EDGE_HTTP: '0.0.0.0:80' }, { eth0: [one('10.0.0.5')] }), [])
  const named = { FAIRWAY_EDGE_HTTP: '10.0.0.5:80', FAIRWAY_EDGE_ADDRESSES: '192.0.2.7, 2001:db8:0::7,192.0.2.7' }
  assert.deepEqual(found(named), ['192.0.2.7', '2001:db8::7'])
  assert.deepEqual(ownAddresses(read({ ...named, FAIRWAY_DNS_ADDRESSES: '192.0.2.8' }), 'dns'), ['192.0.2.8'])
})

test('what is no address of one machine is refused as a setting, and published by nobody', () => {
  for (const text of [
    '0.0.0.0',
    '::',
    '0::0',
    '224.0.0.1',
    '255.255.255.255',
    '::ffff:192.0.2.1',
    'fe80::1%eth0',
    'ns1',
  ]) {
    assert.equal(isPublishable(text), false, text)
    assert.throws(() => read({ FAIRWAY_DNS_ADDRESSES: text }), ConfigError, text)
  }
  for (const text of ['127.0.0.1', '::1', '192.0.2.1', '10.0.0.1', '2001:db8::1']) assert.ok(isPublishable(text), text)
  assert.throws(
    () => read({ FAIRWAY_DNS_ADDRESSES: Array.from({ length: 9 }, (_, at) => `192.0.2.${at}`).join() }),
    /8 at most/,
  )
})

test('who looks at the own edge goes where it listens, or by its name where that is not what visitors reach', () => {
  assert.equal(edgeHost(read({})), '127.0.0.1')
  assert.equal(edgeHost(read({ FAIRWAY_EDGE_HTTP: '0.0.0.0:80' })), null)
  assert.equal(edgeHost(read({ FAIRWAY_EDGE_HTTP: '10.0.0.5:80', FAIRWAY_EDGE_ADDRESSES: '192.0.2.7' })), null)
  assert.deepEqual(['0.0.0.0', '::', '192.0.2.1'].map(localHost), ['127.0.0.1', '::1', '192.0.2.1'])
  assert.equal(streamZone(read({})), 'stream.localhost')
  assert.equal(streamZone(read({ FAIRWAY_EDGE_ADDRESSES: '192.0.2.7' })), 'stream.edge.fairway.test')
})

test('loopback is told to who serves others, an address that is missing to everybody', (t) => {
  assert.equal(addressTrouble(read({}), 'dns', { isPublic: false }), null)
  assert.match(addressTrouble(read({}), 'dns', { isPublic: true }) ?? '', /127\.0\.0\.1 .*FAIRWAY_DNS_ADDRESSES/)
  t.mock.method(os, 'networkInterfaces', () => ({ eth0: [one('10.0.0.5')] }))
  const said = addressTrouble(read({ FAIRWAY_EDGE_HTTP: '0.0.0.0:80' }), 'edge', { isPublic: false }) ?? ''
  assert.match(said, /0\.0\.0\.0.*FAIRWAY_EDGE_ADDRESSES/)
})

test('a service that listens at a private address is told, until somebody names that address', () => {
  const trouble = (settings: Record<string, string>, isPublic = true) =>
    addressTrouble(read({ FAIRWAY_EDGE_HTTP: '10.0.0.5:80', ...settings }), 'edge', { isPublic })
  assert.match(trouble({}) ?? '', /10\.0\.0\.5 .*FAIRWAY_EDGE_ADDRESSES/)
  assert.equal(trouble({}, false), null)
  assert.equal(trouble({ FAIRWAY_EDGE_ADDRESSES: '10.0.0.5' }), null)
  assert.equal(trouble({ FAIRWAY_EDGE_HTTP: '45.0.0.9:80' }), null)
})
