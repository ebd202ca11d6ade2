import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CollectorChoice,
  collectorAuthorization,
  collectorsOf,
  hasSeveralCollectors,
  isCollectorCaller,
} from './collectors.ts'
import { configEnvironment, loadConfig } from './config.ts'

const configFor = (collectors: string, nodeName = 'one') =>
  loadConfig({ FAIRWAY_HOME: '/nowhere', FAIRWAY_NODE_NAME: nodeName, FAIRWAY_COLLECTORS: collectors })
const MIXED = 'https://collect.example.com,10.0.0.2:8090,https://[2001:db8::3]:8443'
const THREE = '10.0.0.1:8090,10.0.0.2:8090,[2001:db8::3]:8090'

test('the list of collectors is read, refused where it is wrong, and handed on as it was', () => {
  assert.equal(configEnvironment(configFor(THREE))['FAIRWAY_COLLECTORS'], THREE)
  assert.equal(configEnvironment(configFor(MIXED))['FAIRWAY_COLLECTORS'], MIXED)
  assert.deepEqual(collectorsOf(configFor(MIXED)), [
    'https://collect.example.com',
    'http://10.0.0.2:8090',
    'https://[2001:db8::3]:8443',
  ])
  assert.equal(hasSeveralCollectors(configFor('')), false)
  assert.equal(hasSeveralCollectors(configFor('10.0.0.1:8090')), false)
  assert.equal(hasSeveralCollectors(configFor(THREE)), true)
  for (const wrong of [
    '10.0.0.1',
    'http://10.0.0.1:8090',
    'https://a.example/b',
    'https://u:p@a.example',
    '10.0.0.1:8090;10.0.0.2:8090',
    Array.from({ length: 33 }, () => 'a:1').join(),
  ])
    assert.throws(() => configFor(wrong), /FAIRWAY_COLLECTORS/)
})

test('nodes spread over the collectors, and each keeps to its own', () => {
  const firsts = Array.from({ length: 60 }, (_, at) => new CollectorChoice(configFor(THREE, `node-${at}`)).urls[0])
  assert.equal(new Set(firsts).size, 3)
  assert.equal(firsts[7], new CollectorChoice(configFor(THREE, 'node-7')).urls[0])
})

test('what one does not take goes to the next, and comes back to the first when that is there again', async () => {
  const choice = new CollectorChoice(configFor(THREE))
  const [first = '', second = ''] = choice.urls
  const asked: string[] = []
  const send = (away: string[]) =>
    choice.send((url) => {
      asked.push(url)
      return away.includes(url) ? Promise.reject(new Error(`${url} is away`)) : Promise.resolve(url)
    })
  assert.equal(await send([first]), second)
  // Not asked again at once.
  assert.equal(await send([]), second)
  assert.deepEqual(asked, [first, second, second])
  assert.equal(choice.isFirst(first), false)
  assert.equal(choice.order(performance.now() + 60_000)[0], first)
  await assert.rejects(send([...choice.urls]), /is away/)
  assert.equal(asked.length, 6)
})

test('what a collector is shown opens nothing else, and the release before is known too', () => {
  const config = loadConfig({ FAIRWAY_HOME: '/nowhere', FAIRWAY_NODE_TOKEN: 'the token of all nodes' })
  const isCaller = isCollectorCaller(config)
  assert.ok(isCaller(collectorAuthorization(config)))
  assert.ok(isCaller('Bearer the token of all nodes'))
  assert.doesNotMatch(collectorAuthorization(config), /the token of all nodes/)
  for (const wrong of [undefined, '', 'Bearer ', 'Bearer another', collectorAuthorization(config).slice(7)])
    assert.equal(isCaller(wrong), false)
})
