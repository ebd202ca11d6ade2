import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Installation, VICTIMS, killOnce, killZone, loadOf } from '@fairway/app'
import { FEATURES } from '@fairway/contract'
import { pace } from './pace.ts'
import { type World, startWorld } from './world.ts'

const READY_WITHIN_MS = 15_000

let world: World
let site = ''

before(async () => {
  world = await startWorld()
  await world.api(FEATURES.auth.routes.register, {
    email: 'owner@example.com',
    password: 'Owner-1234',
    firstName: 'Olive',
    lastName: 'Owner',
    organizationName: 'Example',
  })
  site = await killZone(world)
})
after(() => world[Symbol.asyncDispose]())

const exchange = {
  name: 'the code that runs, by another',
  async kill(installation: Installation) {
    const { status, stderr } = await installation.fairway('reload')
    assert.equal(status, 0, stderr)
  },
}

test('whatever is killed, or exchanged for new code: a resolver that asks twice is answered, no visitor of the edge is refused or cut off, and nothing acknowledged is lost', async (t) => {
  const load = loadOf(world, site)
  for (const victim of [...VICTIMS, exchange]) {
    const [answers, requests] = [load.met.dns.lost.length, load.met.edge.lost.length]
    const readyMs = await killOnce(world, load, victim, READY_WITHIN_MS * pace() + 60_000)
    const { dns, edge } = load.met
    t.diagnostic(`${victim.name}: all ready after ${readyMs} ms; slowest so far ${dns.slowestMs}, ${edge.slowestMs} ms`)
    assert.deepEqual(dns.lost.slice(answers), [], `answers lost to the end of ${victim.name}`)
    assert.deepEqual(edge.lost.slice(requests), [], `requests lost to the end of ${victim.name}`)
  }
  assert.deepEqual(await load.stop(), [])
  const { dns, edge, writes } = load.met
  t.diagnostic(
    `${dns.asked} questions, ${dns.askedTwice} asked twice; ${edge.asked} requests; ${writes.acknowledged} changes acknowledged, ${writes.doubtful} without a word`,
  )
})
