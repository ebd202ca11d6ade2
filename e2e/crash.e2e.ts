import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Installation, VICTIMS, killOnce, killZone, loadOf } from '@fairway/app'
import { FEATURES } from '@fairway/contract'
import { makeLog, openDatabase } from '@fairway/platform'
import { pace } from './pace.ts'
import { type World, startWorld } from './world.ts'

const READY_WITHIN_MS = 15_000

let world: World
let site = ''

before(async () => {
  world = await startWorld({ settings: { FAIRWAY_BACKUP_PASSPHRASE: 'kept apart from everything' } })
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

/** An index that an upgrade has to make anew, and one more migration of which this version knows nothing. */
const LATE = '0101-reaching-records.sql'
const LATER = '9999-later.sql'
const inDatabase = async (installation: Installation, ...statements: string[]) => {
  await using database = openDatabase(installation.config, makeLog('test', installation.config), { connections: 1 })
  return database.system(async (tx) => {
    for (const statement of statements.slice(0, -1)) await tx.query(statement)
    return tx.query<{ name: string }>(statements.at(-1) ?? '')
  })
}

const upgrade = {
  name: 'the code that runs, by an upgrade',
  async kill(installation: Installation) {
    await inDatabase(installation, `DELETE FROM schema_migration WHERE name = '${LATE}'`)
    const { status, stdout, stderr } = await installation.fairway('upgrade')
    assert.equal(status, 0, stderr)
    assert.match(
      stdout,
      /^wrote .*\.backup: \d+ rows.*\nmigrated 0101-reaching-records\.sql\nexchanged .*\nupgraded from/,
    )
  },
}
const back = {
  name: 'the code that runs, by that of before',
  async kill(installation: Installation) {
    await inDatabase(installation, `INSERT INTO schema_migration (name) VALUES ('${LATER}')`)
    const forward = await installation.fairway('upgrade')
    assert.match(forward.stderr, /of a newer version \(9999-later\.sql\).*upgrade --back/)
    const { status, stderr } = await installation.fairway('upgrade', '--back')
    assert.equal(status, 0, stderr)
    await inDatabase(
      installation,
      `UPDATE schema_migration SET name = '9999-later.narrows.sql' WHERE name = '${LATER}'`,
    )
    const refused = await installation.fairway('upgrade', '--back')
    assert.match(refused.stderr, /has taken away .*9999-later\.narrows\.sql/)
    await inDatabase(installation, `DELETE FROM schema_migration WHERE name LIKE '9999%'`)
  },
}

test('whatever is killed, or exchanged for new code: a resolver that asks twice is answered, no visitor of the edge is refused or cut off, and nothing acknowledged is lost', async (t) => {
  const load = loadOf(world, site)
  for (const victim of [...VICTIMS, upgrade, back]) {
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
