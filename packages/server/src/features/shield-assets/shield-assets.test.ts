import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { domains, shieldAssets } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest } from '../../testing/node-under-test.ts'
import { newSteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'

let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

test('an instance is what the nodes have confirmed, from installing to gone', async () => {
  const own = await newSteeredDomain(api, { planId: 'enterprise' })
  const states = async () =>
    (await own.client.call(shieldAssets.routes.list, {})).data.map(({ domain, state }) => [domain, state])
  const turn = (originShield: 'use' | 'bypass') =>
    own.client.call(domains.routes.update, { site: own.site, domain: own.domain, settings: { originShield } })
  assert.deepEqual(await states(), [])
  {
    await using _edge = startNodeUnderTest(api, 'edge')
    await until(async () => (await states()).length === 0)
    await turn('use')
    await until(async () => (await states())[0]?.[1] === 'installed')
    assert.equal((await own.client.call(shieldAssets.routes.list, {})).data[0]?.domain, own.host)
  }
  // Nobody is there to let go of it.
  await turn('bypass')
  assert.deepEqual(await states(), [[own.host, 'deleting']])
  await using _again = startNodeUnderTest(api, 'edge')
  await until(async () => (await states()).length === 0)
})
