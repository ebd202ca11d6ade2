import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '@fairway/platform'
import { HOME } from '../service/places.ts'
import { foundAddresses } from './found-addresses.ts'

const said = (roles: string[], settings: Record<string, string>) =>
  foundAddresses(loadConfig({ FAIRWAY_HOME: '/nonexistent', ...settings }), roles)
    .map(({ what, said: text }) => `${what}: ${text}`)
    .join('; ')

test('a service that nobody would find says so, a trial on loopback is left alone', () => {
  assert.equal(said(['dns', 'edge'], {}), '')
  const service = { FAIRWAY_HOME: HOME }
  assert.equal(said(['api', 'worker'], service), '')
  assert.match(said(['edge'], service), /FAIRWAY_EDGE_ADDRESSES; domain: FAIRWAY_SERVICE_DOMAIN is fairway\.test/)
  const set = {
    ...service,
    FAIRWAY_SERVICE_DOMAIN: 'cdn.example.com',
    FAIRWAY_DNS_LISTEN: '0.0.0.0:53',
    FAIRWAY_EDGE_HTTP: '10.0.0.5:80',
    FAIRWAY_DNS_ADDRESSES: '192.0.2.1',
    FAIRWAY_EDGE_ADDRESSES: '192.0.2.1,2001:db8::1',
  }
  assert.equal(said(['dns', 'edge'], set), '')
  const webrtc = { ...set, FAIRWAY_WEBRTC_LISTEN: '127.0.0.1:8189' }
  assert.equal(said(['media'], webrtc), '')
  const elsewhere = { ...webrtc, FAIRWAY_PUBLIC_URL: 'https://cdn.example.com' }
  assert.match(said(['media'], elsewhere), /^webrtc: .* 127\.0\.0\.1 is told .*FAIRWAY_WEBRTC_ADDRESSES/)
  assert.equal(said(['media'], { ...elsewhere, FAIRWAY_WEBRTC_ADDRESSES: '192.0.2.1' }), '')
  assert.match(said(['dns', 'edge'], { ...set, FAIRWAY_EDGE_ADDRESSES: '' }), /^addresses: 10\.0\.0\.5 is published/)
})
