import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, makeLog, openDatabase } from '@fairway/platform'
import { DnsClient } from '../../dns-client.ts'
import { type Installation, startInstallation } from '../../installation/start-installation.ts'
import { pathValues, places } from '../api/fill-store.ts'
import { measureReads, reportReads } from '../api/read-figures.ts'
import { registerOperator } from '../operator.ts'
import { cpuSeconds, memoryBytes } from '../process-cpu.ts'
import { tellChanges, timeChanges } from '../timed-changes.ts'
import { ZONES_EACH, fillMany, publishOthers, publishOwn, untilServed } from './fill-many.ts'

const ORGANIZATIONS = 10_000
const LIMIT_MS = 100
/** A name server takes some hundred zones a second here: those of more organisations are not published. */
const MOST_PUBLISHED = 1_000
const IDLE_SECONDS = 30
/** For each organisation. */
const SETTLE_MS = 200
const ROLES = ['database', 'store', 'api', 'worker', 'dns'] as const

/**
 * Many organisations of a hundred zones each, the first thousand of them served by one name server: how long it takes to take them, to start
 * with them, what doing nothing costs, every screen of one organisation and of the operator, and changes of single
 * records from the call to the DNS answer.
 */
export async function benchMany(say: (line: string) => void, organizations = ORGANIZATIONS): Promise<void> {
  await using installation = await startInstallation({
    command: 'up',
    words: ['--roles', ROLES.join()],
    readyMs: 900_000,
    settings: {
      FAIRWAY_DESK_URL: 'http://127.0.0.1:1/?jwt={token}',
      FAIRWAY_DESK_SECRET: 'a-secret-that-two-sides-share-0001',
    },
  })
  const since = clock()
  const { organizationId } = await registerOperator(installation)
  {
    await using database = openBenched(installation)
    await fillMany(database, organizationId, organizations, say)
    say(`${organizations} organisations of ${ZONES_EACH} zones each made after ${since()}`)
    await publishOwn(database, organizationId)
    const publishing = Math.min(organizations, MOST_PUBLISHED)
    const published = await publishOthers(database, organizationId, publishing)
    say(`${published} zones, those of ${publishing} organisations, published after ${since()}`)
    const began = performance.now()
    await untilServed(database, say)
    const seconds = (performance.now() - began) / 1000
    say(`all of them served after another ${seconds.toFixed(0)} s, ${Math.round(published / seconds)} a second`)
  }
  await installation.stop()
  const started = clock()
  await installation.start()
  say(`started again, ready after ${started()}`)
  // The name server is told everything again, and finds that it has it.
  await sleep(organizations * SETTLE_MS)
  await tellIdle(installation, say)
  await using database = openBenched(installation)
  const zones = await database.system((tx) =>
    tx.query<{ site: string; origin: string }>(
      'SELECT id AS site, domain_name AS origin FROM site WHERE organization_id = $1 ORDER BY domain_name',
      [organizationId],
    ),
  )
  using dns = new DnsClient(installation.config.dnsListen)
  tellChanges(say, `${organizations} organisations`, await timeChanges(installation, dns, zones))
  const [user] = await database.system((tx) =>
    tx.query<{ id: string }>('SELECT id FROM app_user WHERE organization_id = $1 AND is_operator', [organizationId]),
  )
  const values = await database.system((tx) => pathValues(tx, organizationId, user?.id ?? ''))
  const own = await database.system((tx) => places(tx, organizationId))
  reportReads(await measureReads(installation, values, own), LIMIT_MS, say)
  await tellIdle(installation, say)
}

const openBenched = ({ config }: Installation): Database =>
  openDatabase(config, makeLog('bench', { logLevel: 'error' }), { connections: 2 })

const clock = () => {
  const began = performance.now()
  return () => `${((performance.now() - began) / 1000).toFixed(1)} s`
}

async function tellIdle(installation: Installation, say: (line: string) => void): Promise<void> {
  const pidOf = (role: string) => installation.roles()[role]?.pid ?? 0
  const before = ROLES.map((role) => cpuSeconds(pidOf(role)))
  await sleep(IDLE_SECONDS * 1000)
  const figures = ROLES.map((role, at) => {
    const percent = (100 * (cpuSeconds(pidOf(role)) - (before[at] ?? 0))) / IDLE_SECONDS
    return `${role} ${percent.toFixed(1)} % and ${Math.round(memoryBytes(pidOf(role)) / 2 ** 20)} MB`
  })
  say(`with nothing to do: ${figures.join(', ')} of a core and of memory (PSS)`)
}
