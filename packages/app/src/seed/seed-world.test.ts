import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, liveStreams, streamAssets } from '@fairway/contract'
import { startInstallation } from '../installation/start-installation.ts'
import { seedFilm } from './demo-film.ts'
import { seedWorld } from './seed-world.ts'
import { writePast } from './write-past.ts'

// A seed that fails is a demo that never starts: found here in seconds, and not by whoever tries the product first.
test('the demo’s world is made on an empty installation, and a second time changes nothing', async () => {
  await using world = await startInstallation({
    fromTemplate: true,
    command: 'up',
    words: ['--roles', 'database,store,api,worker'],
    settings: { FAIRWAY_PRIVATE_NETWORKS: '127.0.0.0/8' },
  })
  const make = async () => {
    const made = await seedWorld(world.api, world.config)
    const { organizationId } = await world.api(account.routes.info, {})
    await writePast(world.config, { organizationId, ...made })
    await seedFilm(world.config, organizationId)
    const streams = await world.api(liveStreams.routes.list, {})
    const assets = await world.api(streamAssets.routes.list, {})
    return { domains: made.domains.map(({ name }) => name), streams: streams.data.length, assets: assets.data.length }
  }
  const first = await make()
  assert.ok(first.domains.length >= 5)
  assert.equal(first.streams, 1)
  assert.equal(first.assets, 1)
  assert.deepEqual(await make(), first)
})
