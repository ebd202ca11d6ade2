import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '@fairway/platform'
import { toldCollectors } from './told-collectors.ts'

const told = (listen: string, more: Record<string, string> = {}) =>
  toldCollectors(
    loadConfig({
      FAIRWAY_HOME: '/nowhere',
      FAIRWAY_COLLECTOR_LISTEN: listen,
      FAIRWAY_PUBLIC_URL: 'https://console.example.com',
      ...more,
    }),
  )

test('a machine that joins is told a collector that it can reach, and not invited where there is none', () => {
  assert.equal(told('127.0.0.1:8090'), null)
  assert.equal(told('[::1]:8090'), null)
  assert.deepEqual(told('0.0.0.0:8090'), { collector: 'console.example.com:8090' })
  assert.deepEqual(told('[::]:8090', { FAIRWAY_PUBLIC_URL: 'https://[2001:db8::1]' }), {
    collector: '[2001:db8::1]:8090',
  })
  assert.deepEqual(told('10.0.0.11:8090'), { collector: '10.0.0.11:8090' })
  assert.deepEqual(told('127.0.0.1:8090', { FAIRWAY_COLLECTOR_URL: 'https://beacon.example.com' }), {
    collector: '127.0.0.1:8090',
    collectors: ['https://beacon.example.com'],
  })
  assert.deepEqual(told('127.0.0.1:8090', { FAIRWAY_COLLECTORS: '10.0.0.11:8090,10.0.0.12:8090' })?.collectors, [
    '10.0.0.11:8090',
    '10.0.0.12:8090',
  ])
  // One that is invited to the machine itself, as a trial does.
  assert.deepEqual(told('127.0.0.1:8090', { FAIRWAY_PUBLIC_URL: 'http://localhost:8080' }), {
    collector: '127.0.0.1:8090',
  })
})
