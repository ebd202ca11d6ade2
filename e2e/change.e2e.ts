import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ApiError } from '@fairway/app'
import { FEATURES, type SiteVersion } from '@fairway/contract'
import { dig } from './dig.ts'
import { pace } from './pace.ts'
import { until } from './until.ts'
import { type World, startWorld } from './world.ts'

const { auth, dnsRecords, overview, sites, versions } = FEATURES
const ZONE = 'change.example'
const ALL = { page_size: -1 } as const

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
  site = (await world.api(sites.routes.create, { domainName: ZONE })).data.id
})
after(() => world[Symbol.asyncDispose]())

test('a record added over the API is answered to dig, and is called live only when the name server has it', async () => {
  for (let at = 0; at < 10; at++) {
    const { meta } = await world.api(dnsRecords.routes.create, {
      site,
      type: 'TXT',
      name: `t${at}`,
      value: `value ${at}`,
    })
    const live = await untilLive(meta.version)
    assert.deepEqual(await dig(world.dns, `t${at}.${ZONE}`, 'TXT'), [`"value ${at}"`])
    assert.deepEqual(
      live.nodes.filter((node) => node.role === 'dns').map((node) => node.state),
      ['live'],
    )
    assert.deepEqual(
      live.changes.map(({ entity, after: row }) => [entity, row?.['value']]),
      [['dns-record', `value ${at}`]],
    )
  }
  assert.equal((await world.api(sites.routes.get, { site })).deployState, 'live')
})

test('over TCP and with the SOA serial of the version, too', async () => {
  const { meta } = await world.api(dnsRecords.routes.create, { site, type: 'A', name: 'www', value: '198.51.100.7' })
  await untilLive(meta.version)
  assert.deepEqual(await dig(world.dns, `www.${ZONE}`, 'A', '+tcp'), ['198.51.100.7'])
  const [soa = ''] = await dig(world.dns, ZONE, 'SOA')
  assert.equal(Number(soa.split(' ')[2]), (await world.api(dnsRecords.routes.zone, { site })).soa.serial)
})

test('undone, it is gone from the answers; what has changed since is not undone', async () => {
  const added = await world.api(dnsRecords.routes.create, { site, type: 'TXT', name: 'undo', value: 'first' })
  await untilLive(added.meta.version)
  const edited = await world.api(dnsRecords.routes.update, { site, id: added.data.id, value: 'second' })
  await assert.rejects(revert(added.meta.version), (error) => error instanceof ApiError && error.code === 409)
  await untilLive((await revert(edited.meta.version)).meta.version)
  assert.deepEqual(await dig(world.dns, `undo.${ZONE}`, 'TXT'), ['"first"'])
})

test('while the name server hangs, a change is deploying and the node soon away; when it goes on, the change is live', async () => {
  const pid = world.roles()['dns']?.pid ?? 0
  // Its group: the builder that follows the API hangs with it.
  process.kill(-pid, 'SIGSTOP')
  try {
    const { meta } = await world.api(dnsRecords.routes.create, { site, type: 'TXT', name: 'late', value: 'late' })
    const nodeOf = async () => (await version(meta.version)).nodes.find((node) => node.role === 'dns')?.state
    assert.equal(await nodeOf(), 'waiting')
    await until('the node is away', async () => (await nodeOf()) === 'away', 30_000, 200)
    assert.equal((await version(meta.version)).state, 'deploying')
    assert.equal((await world.api(sites.routes.get, { site })).deployState, 'deploying')
    assert.equal(
      (await world.api(overview.routes.get, { site })).nodes.find((node) => node.role === 'dns')?.state,
      'away',
    )
    process.kill(-pid, 'SIGCONT')
    await untilLive(meta.version, 20_000)
    assert.deepEqual(await dig(world.dns, `late.${ZONE}`, 'TXT'), ['"late"'])
  } finally {
    process.kill(-pid, 'SIGCONT')
  }
})

test('started again, the product has every record and version, and answers as before', async () => {
  const before = await everything()
  assert.equal(await world.stop(), 0)
  await world.start()
  assert.deepEqual(await everything(), before)
  for (const row of before.records.filter((record) => record.type === 'TXT'))
    assert.deepEqual(await dig(world.dns, `${row.name}.${ZONE}`, 'TXT'), [`"${row.value}"`])
  const { meta } = await world.api(dnsRecords.routes.create, { site, type: 'TXT', name: 'after', value: 'after' })
  await untilLive(meta.version)
  assert.deepEqual(await dig(world.dns, `after.${ZONE}`, 'TXT'), ['"after"'])
})

async function everything() {
  const records = (await world.api(dnsRecords.routes.list, { site, ...ALL })).data
  const history = (await world.api(versions.routes.list, { site, ...ALL })).data
  return {
    records,
    versions: history.map((one) => ({ ...one, nodes: [] })),
    zone: await world.api(dnsRecords.routes.zone, { site }),
  }
}

const version = (number: number | null): Promise<SiteVersion> =>
  world.api(versions.routes.get, { site, number: String(number) })
const revert = (number: number | null) => world.api(versions.routes.revert, { site, number: String(number) })

/** A change is promised to be served within half a second; twenty times that is patience, not a promise. */
function untilLive(number: number | null, patienceMs = 10_000 * pace()): Promise<SiteVersion> {
  return until(
    `version ${number} live`,
    async () => {
      const seen = await version(number)
      return seen.state === 'live' && seen
    },
    patienceMs,
  )
}
