import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { after, before, test } from 'node:test'
import { FEATURES } from '@fairway/contract'
import { pace } from './pace.ts'
import { until } from './until.ts'
import { type World, startWorld } from './world.ts'

const { auth, dnsRecords, sites } = FEATURES
let world: World
let site = ''

before(async () => {
  world = await startWorld()
  await world.api(auth.routes.register, {
    email: 'owner@example.com',
    password: 'Owner-1234',
    firstName: 'Olive',
    lastName: 'Owner',
    organizationName: 'Example',
  })
  site = (await world.api(sites.routes.create, { domainName: 'kill.example' })).data.id
})
after(() => world[Symbol.asyncDispose]())

test('PostgreSQL itself killed is back with what was acknowledged', async () => {
  const { data } = await world.api(dnsRecords.routes.create, { site, type: 'TXT', name: 'postgres', value: 'kept' })
  const pid = Number(fs.readFileSync(`${world.config.home}/database/postmaster.pid`, 'utf8').split('\n')[0])
  process.kill(pid, 'SIGKILL')
  await until(
    'the write is there',
    async () => (await world.api(dnsRecords.routes.get, { site, id: data.id }).catch(() => null))?.value === 'kept',
    pace() * 10_000,
  )
})

test('a second Fairway in the same home is refused with a sentence', () => {
  const { status, stderr } = world.runAgain()
  assert.equal(status, 1)
  assert.match(stderr, /already running in .*FAIRWAY_HOME/)
})

test('Ctrl-C stops everything within 10 s and leaves no process; starting again finds all within 20 s', async () => {
  const slower = pace()
  const stoppingAt = Date.now()
  assert.equal(await world.stop(), 0)
  assert.ok(Date.now() - stoppingAt < slower * 10_000)
  assert.deepEqual(processesOf(world.config.home), [])
  const startingAt = Date.now()
  await world.start()
  assert.ok(Date.now() - startingAt < slower * 20_000)
  assert.equal((await world.api(sites.routes.get, { site })).domainName, 'kill.example')
})

test('when keeper and supervisor are killed every role goes on, and the next start takes them over as they are', async () => {
  const pids = () => Object.entries(world.roles()).map(([name, { pid }]) => [name, pid])
  const before = pids()
  const supervisor = world.supervisor()
  world.process.kill('SIGKILL')
  process.kill(supervisor, 'SIGKILL')
  assert.equal((await world.api(sites.routes.get, { site })).domainName, 'kill.example')
  await world.start()
  assert.deepEqual(pids(), before)
  assert.equal((await world.api(sites.routes.get, { site })).domainName, 'kill.example')
})

function processesOf(home: string): string[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line.includes(home))
}
