import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clearWays } from './clear-ways.ts'
import { loadConfig } from './config.ts'

const NAMES: Record<string, string[]> = {
  'inside.example': ['10.0.0.9'],
  'outside.example': ['10.0.0.9', '8.8.4.4'],
}
const found = async (settings: Record<string, string>) => {
  const config = loadConfig({ FAIRWAY_HOME: '/nowhere', ...settings })
  const ways = await clearWays(config, async (host) => NAMES[host] ?? [host])
  return ways.map(({ setting, at }) => `${setting} ${at}`)
}

test('plain ways to other machines over the internet are found, and nothing else', async () => {
  assert.deepEqual(await found({}), [])
  assert.deepEqual(
    await found({ FAIRWAY_COLLECTORS: '8.8.8.8:8090,10.0.0.1:8090,[2600::1]:8090,0.0.0.0:8090,outside.example:80' }),
    [
      'FAIRWAY_COLLECTORS http://8.8.8.8:8090',
      'FAIRWAY_COLLECTORS http://[2600::1]:8090',
      'FAIRWAY_COLLECTORS http://outside.example:80',
    ],
  )
  assert.deepEqual(await found({ FAIRWAY_COLLECTORS: 'https://8.8.8.8,inside.example:8090' }), [])
  assert.deepEqual(await found({ FAIRWAY_COLLECTOR_LISTEN: '8.8.8.8:8090', FAIRWAY_API_URL: 'http://8.8.4.4' }), [
    'FAIRWAY_API_URL http://8.8.4.4',
    'FAIRWAY_COLLECTOR_LISTEN http://8.8.8.8:8090',
  ])
  const network = { FAIRWAY_PRIVATE_NETWORKS: '8.8.8.0/24,8.8.4.4:8090' }
  assert.deepEqual(await found({ FAIRWAY_COLLECTORS: '8.8.8.8:8090,8.8.4.4:8090,8.8.4.4:8091', ...network }), [
    'FAIRWAY_COLLECTORS http://8.8.4.4:8091',
  ])
})
