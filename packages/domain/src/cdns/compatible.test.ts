import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CdnCapabilities } from '@fairway/contract'
import { compatibility, isShielded, mayBypassShield, settingsAgainst, type DeliverySettings } from './compatible.ts'

const each = (able: boolean): CdnCapabilities =>
  CdnCapabilities.parse(Object.fromEntries(Object.keys(CdnCapabilities.shape).map((name) => [name, able])))
const [all, none] = [each(true), each(false)]
const plain: DeliverySettings = {
  name: 'www.example.com',
  origin: { address: 'origin.example.net', port: 80, protocol: 'http', hostHeader: 'www.example.com' },
  cacheTtlSeconds: 0,
}
const demanding: DeliverySettings = {
  name: '*.example.com',
  origin: { address: '8.8.8.8', port: 8443, protocol: 'https', hostHeader: 'origin.example.net' },
  cacheTtlSeconds: 60,
  websocket: true,
}

test('a CDN that can do all fits every domain, one that can do nothing fits a plain one', () => {
  assert.deepEqual(compatibility('fairway-edge', all, demanding), { problem: null, unsupported: [] })
  assert.deepEqual(compatibility('simulated', none, plain), { problem: null, unsupported: [] })
})

test('what a CDN cannot express is listed, and 27020 says that it would not reach the origin', () => {
  assert.deepEqual(compatibility('simulated', { ...all, originPort: false, cacheTtl: false }, demanding), {
    problem: 27020,
    unsupported: ['originPort', 'cacheTtl'],
  })
  assert.deepEqual(compatibility('simulated', { ...all, cacheTtl: false }, demanding), {
    problem: null,
    unsupported: ['cacheTtl'],
  })
  for (const capability of ['websocket', 'ipv4Origin', 'originPort', 'originProtocol'] as const)
    assert.equal(compatibility('simulated', { ...all, [capability]: false }, demanding).problem, 27020, capability)
})

test('27046: the host header alone is in the way; beside other settings it is one of them', () => {
  const without = { ...all, customHostHeader: false }
  const found = compatibility('simulated', { ...without, cacheTtl: false }, demanding)
  assert.deepEqual([found.problem, settingsAgainst(found)], [27046, ['origin.hostHeader']])
  const both = compatibility('simulated', { ...without, websocket: false }, demanding)
  assert.deepEqual([both.problem, settingsAgainst(both)], [27020, ['settings.websocket', 'origin.hostHeader']])
  const wild = compatibility('simulated', { ...without, wildcard: false }, demanding)
  assert.deepEqual([wild.problem, settingsAgainst(wild)], [27024, ['name']])
  assert.deepEqual(settingsAgainst(compatibility('custom', without, { ...demanding, name: 'a.example.com' })), [])
})

test('the usual port of the protocol needs no ability', () => {
  const https = { ...plain, origin: { ...plain.origin, port: 443, protocol: 'https' as const } }
  assert.deepEqual(compatibility('simulated', { ...all, originPort: false }, https).problem, null)
})

test('what the shield does with the origin, no CDN behind it has to', () => {
  const shielded = { ...demanding, shielded: true }
  for (const capability of ['customHostHeader', 'ipv4Origin', 'originPort', 'originProtocol'] as const)
    assert.equal(compatibility('simulated', { ...all, [capability]: false }, shielded).problem, null, capability)
  assert.equal(compatibility('simulated', { ...all, websocket: false }, shielded).problem, 27020)
  assert.deepEqual(
    [isShielded('simulated', 'use'), isShielded('custom', 'use'), isShielded('fairway-edge', 'bypass')],
    [true, false, false],
  )
  assert.deepEqual([80, 443, 8080].map(mayBypassShield), [true, true, false])
})

test('27024: a wildcard name on a CDN that serves none', () =>
  assert.equal(compatibility('simulated', { ...all, wildcard: false }, demanding).problem, 27024))

test('a custom CDN is set up by its owner: settings are listed, only the name can be wrong', () => {
  assert.deepEqual(compatibility('custom', none, { ...demanding, name: 'a.example.com' }).problem, null)
  assert.equal(compatibility('custom', none, demanding).problem, 27024)
})
