import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FEATURES } from '@fairway/contract'
import { CAPACITY_ROLES, type CapacityRole, type Constants, MEASURED, capacityOf, demandOf } from '@fairway/domain'
import { makeLog, openDatabase } from '@fairway/platform'
import { type Installation, startInstallation } from '../../installation/start-installation.ts'
import { beaconLoad, measuredCdn } from '../bench-ingest.ts'
import { dnsperf } from '../dns/dnsperf.ts'
import { table } from '../figures.ts'
import { type Fleet, startFleet } from '../nodes/fleet.ts'
import { registerOperator } from '../operator.ts'
import { cpuSeconds, memoryBytes } from '../process-cpu.ts'

const IDLE_SECONDS = 20
const LOAD_SECONDS = 15
const CHANGES = 60
const CALLS = 300
const NODES = 60
/** Two mixes of zones and records, from which the price of each is worked out. */
const MIXES = [
  { zones: 300, records: 10 },
  { zones: 60, records: 250 },
] as const
const QUERIES_PER_SECOND = 5_000
/** Shares of a service of a million zones, a million queries and 200,000 beacons a second, at which the model is held against what is seen. */
const SCALES = [1_000, 100] as const
const WHOLE = { zones: 1_000_000, queriesPerSecond: 1_000_000, beaconsPerSecond: 200_000, nodes: 1_000 } as const

type Say = (line: string) => void
type Cores = Record<CapacityRole, number>

/**
 * What one of each thing costs, in CPU and bytes, and whether the model that is made of it foretells what a thousandth
 * and a hundredth of a large service take.
 */
export async function benchCapacity(say: Say): Promise<void> {
  await using world = await startWorld()
  const measured = await measureConstants(world, say)
  say(`\nwhat one costs\n${table(constantRows(measured))}`)
  for (const scale of SCALES) await foretell(world, measured, scale, say)
}

type World = AsyncDisposable & {
  installation: Installation
  /** Zones there are, by the records in each. */
  zones: { id: string; name: string; records: number }[]
  fleet: Fleet | null
  key: string
  databaseBytes(): Promise<number>
}

async function startWorld(): Promise<World> {
  const stack = new AsyncDisposableStack()
  const installation = stack.use(
    await startInstallation({
      command: 'up',
      settings: { FAIRWAY_TRUSTED_PROXIES: '127.0.0.1', FAIRWAY_DOMAIN_PROOF: 'off' },
    }),
  )
  await registerOperator(installation)
  const { key } = await installation.api(FEATURES.pulse.routes.update, {
    startDelaySeconds: 2,
    repeatDelaySeconds: 30,
    batchNumber: 3,
  })
  await measuredCdn(installation)
  const database = stack.use(
    openDatabase(installation.config, makeLog('bench', { logLevel: 'error' }), { connections: 1 }),
  )
  return {
    installation,
    zones: [],
    fleet: null,
    key,
    async databaseBytes() {
      const [row] = await database.system((tx) =>
        tx.query<{ bytes: string }>('SELECT pg_database_size(current_database())::text AS bytes'),
      )
      return Number(row?.bytes ?? 0)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Everything is measured as what a role used beyond what it uses with nothing to do. */
async function measureConstants(world: World, say: Say): Promise<Constants> {
  const { installation } = world
  await sleep(10_000)
  const idle = await coresDuring(installation, () => sleep(IDLE_SECONDS * 1000))
  const memory = memoryOf(installation)
  say(`idle: ${CAPACITY_ROLES.map((role) => `${role} ${(100 * idle[role]).toFixed(1)} %`).join(', ')} of a core`)

  const [few, many] = [await fill(world, MIXES[0]), await fill(world, MIXES[1])]
  const zoneRow = perZone(few.databaseBytes, many.databaseBytes)
  const zoneDisk = perZone(few.dnsDiskBytes, many.dnsDiskBytes)
  say(`${world.zones.length} zones made`)

  const change = await costOf(installation, idle, CHANGES, () => changeRecords(world, CHANGES))
  const call = await costOf(installation, idle, CALLS, () => callLists(world, CALLS))
  say('changes and calls measured')

  const before = memoryBytes(pidOf(installation, 'api'))
  const fleet = await startFleet(installation, NODES)
  world.fleet = fleet
  await sleep(5_000)
  const apiNodeBytes = Math.max(0, memoryBytes(pidOf(installation, 'api')) - before) / NODES
  const connected = await coresDuring(installation, () => sleep(IDLE_SECONDS * 1000))
  const withNodes = await costOf(installation, connected, CHANGES, () => changeRecords(world, CHANGES))
  fleet[Symbol.dispose]()
  world.fleet = null
  say('nodes measured')

  const asked = { answered: 0 }
  const query = await costOf(
    installation,
    idle,
    () => asked.answered,
    async () => {
      asked.answered = (await ask(world, QUERIES_PER_SECOND)).answered
    },
  )
  const stored = { rows: 0 }
  const storeBefore = diskBytes(path.join(installation.config.home, 'store'))
  const beacon = await costOf(
    installation,
    idle,
    () => stored.rows,
    async () => {
      stored.rows = (await send(world, LOAD_SECONDS, 8)).accepted
      await sleep(5_000)
    },
  )
  const rowDiskBytes = (diskBytes(path.join(installation.config.home, 'store')) - storeBefore) / stored.rows
  const node = (role: 'api' | 'database') => Math.max(0, connected[role] - idle[role]) / NODES
  const nodeChange = (role: 'api' | 'database') => Math.max(0, withNodes[role] - change[role]) / NODES
  return {
    ...MEASURED.of,
    queryCpu: query.dns,
    dnsIdleCpu: idle.dns,
    dnsChangeCpu: change.dns,
    dnsBaseBytes: memory.dns,
    dnsZoneBytes: zoneDisk.zone,
    dnsRecordBytes: zoneDisk.record,
    dnsZoneDiskBytes: zoneDisk.zone,
    dnsRecordDiskBytes: zoneDisk.record,
    edgeIdleCpu: idle.edge,
    edgeBaseBytes: memory.edge,
    beaconCpu: beacon.collector,
    collectorIdleCpu: idle.collector,
    collectorBaseBytes: memory.collector,
    rowCpu: beacon.store,
    rowDiskBytes,
    storeIdleCpu: idle.store,
    storeBaseBytes: memory.store,
    callCpu: call.api,
    databaseCallCpu: call.database,
    apiChangeCpu: change.api,
    apiNodeChangeCpu: nodeChange('api'),
    apiNodeCpu: node('api'),
    apiNodeBytes,
    apiIdleCpu: idle.api,
    apiBaseBytes: memory.api,
    workerChangeCpu: change.worker,
    workerIdleCpu: idle.worker,
    workerBaseBytes: memory.worker,
    databaseChangeCpu: change.database,
    databaseNodeChangeCpu: nodeChange('database'),
    databaseNodeCpu: node('database'),
    databaseIdleCpu: idle.database,
    databaseBaseBytes: memory.database,
    zoneRowBytes: zoneRow.zone,
    recordRowBytes: zoneRow.record,
  }
}

/** The model's word on a share of the whole beside what is used when that share is there. */
async function foretell(world: World, constants: Constants, scale: number, say: Say): Promise<void> {
  const { installation } = world
  const zones = WHOLE.zones / scale
  const nodes = Math.max(1, WHOLE.nodes / scale)
  for (let records = 10; world.zones.length < zones;)
    await fill(world, { zones: Math.min(500, zones - world.zones.length), records })
  const records = world.zones.reduce((sum, zone) => sum + zone.records, 0)
  const queriesPerSecond = WHOLE.queriesPerSecond / scale
  const beacons = WHOLE.beaconsPerSecond / scale
  using fleet = await startFleet(installation, nodes)
  void fleet
  await sleep(10_000)
  const demand = demandOf({
    organizations: 1,
    zones: world.zones.length,
    recordsPerZone: records / world.zones.length,
    // One name server answers here; the others follow the feed.
    dnsNodes: 1,
    edgeNodes: 1,
    queriesPerSecond,
    beaconsPerSecond: beacons,
    changesPerSecond: 1,
    callsPerSecond: 2,
  })
  const needs = capacityOf(demand, { ...MEASURED, of: constants })
  const followers = nodes * (constants.apiNodeCpu + constants.apiNodeChangeCpu)
  const seen = await coresDuring(installation, async () => {
    const until = Date.now() + 2 * LOAD_SECONDS * 1000
    await Promise.all([
      ask(world, queriesPerSecond, 2 * LOAD_SECONDS),
      send(world, 2 * LOAD_SECONDS, 8, beacons),
      paced(until, 1, () => changeRecords(world, 1)),
      paced(until, 2, () => callLists(world, 1)),
    ])
  })
  const databaseBytes = await world.databaseBytes()
  say(
    `\n1/${scale}: ${zones} zones, ${queriesPerSecond} queries and ${beacons} beacons a second, ${nodes} nodes\n${table(
      [
        ['role', 'cores foretold', 'seen', 'off by'],
        ...needs
          .filter(({ role }) => role !== 'edge')
          .map(({ role, cores }) => {
            const told = cores + (role === 'api' ? followers : 0)
            return [role, told.toFixed(3), seen[role].toFixed(3), off(told, seen[role])]
          }),
        ...disks(needs, world, databaseBytes),
      ],
    )}`,
  )
}

function disks(needs: ReturnType<typeof capacityOf>, { installation }: World, databaseBytes: number): string[][] {
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
  const of = (role: CapacityRole) => needs.find((need) => need.role === role)?.diskBytes ?? 0
  const rows: [string, number, number][] = [
    ['disk of DNS, MB', of('dns'), dnsDiskBytes(installation)],
    ['database, MB', of('database'), databaseBytes],
  ]
  return rows.map(([name, told, seen]) => [name, megabytes(told), megabytes(seen), off(told, seen)])
}

const off = (told: number, seen: number): string =>
  `${told >= seen ? '+' : ''}${((told / seen - 1) * 100).toFixed(0)} %`

/** From two mixes: what a zone adds, and each of its records. */
function perZone(few: number, many: number): { zone: number; record: number } {
  const [a, b] = MIXES
  const [fewEach, manyEach] = [few / a.zones, many / b.zones]
  const record = Math.max(0, (manyEach - fewEach) / (b.records - a.records))
  return { record, zone: Math.max(0, fewEach - record * a.records) }
}

async function fill(world: World, { zones, records }: { zones: number; records: number }) {
  const { installation } = world
  const before = { database: await world.databaseBytes(), dns: dnsDiskBytes(installation) }
  const text = Array.from({ length: records }, (_, i) => `h${i} 300 IN A 198.18.${(i >> 8) & 255}.${i & 255}\n`).join(
    '',
  )
  let next = world.zones.length
  const last = next + zones
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let at = next++; at < last; at = next++) {
        const name = `capacity${at}.example`
        const { data } = await installation.api(FEATURES.sites.routes.create, { domainName: name })
        await installation.api(FEATURES.zoneFiles.routes.apply, { site: data.id, format: 'bind', text })
        world.zones.push({ id: data.id, name, records })
      }
    }),
  )
  await sleep(8_000)
  return {
    databaseBytes: (await world.databaseBytes()) - before.database,
    dnsDiskBytes: dnsDiskBytes(installation) - before.dns,
  }
}

let changes = 0
async function changeRecords({ installation, zones }: World, count: number): Promise<void> {
  for (let i = 0; i < count; i++)
    await installation.api(FEATURES.dnsRecords.routes.create, {
      site: zones[(changes * 7) % zones.length]?.id ?? '',
      type: 'TXT',
      name: `change${changes++}`,
      value: 'changed',
    })
  if (count > 1) await sleep(3_000)
}

async function callLists({ installation, zones }: World, count: number): Promise<void> {
  for (let i = 0; i < count; i++)
    await (i % 2 === 0
      ? installation.api(FEATURES.dnsRecords.routes.list, { site: zones[i % zones.length]?.id ?? '' })
      : installation.api(FEATURES.sites.routes.list, { page_size: 20 }))
}

async function paced(until: number, perSecond: number, once: () => Promise<void>): Promise<void> {
  while (Date.now() < until) await Promise.all([once(), sleep(1000 / perSecond)])
}

function ask({ installation, zones }: World, queriesPerSecond: number, seconds = LOAD_SECONDS) {
  const queries = path.join(installation.config.home, 'capacity-queries.txt')
  fs.writeFileSync(queries, zones.map(({ name }, at) => `h${at % 10}.${name} A\n`).join(''))
  return dnsperf({ port: installation.config.dnsListen.port, queries, seconds, queriesPerSecond })
}

function send({ installation, key }: World, seconds: number, connections: number, perSecond?: number) {
  const { host, port } = installation.config.collectorListen
  return beaconLoad({
    url: `http://${host}:${port}`,
    key,
    seconds,
    connections,
    ...(perSecond === undefined ? {} : { perSecond }),
  })
}

const pidOf = (installation: Installation, role: CapacityRole): number => installation.roles()[role]?.pid ?? 0

function memoryOf(installation: Installation): Record<CapacityRole, number> {
  return eachRole((role) => memoryBytes(pidOf(installation, role)))
}

function eachRole(value: (role: CapacityRole) => number): Record<CapacityRole, number> {
  return Object.fromEntries(CAPACITY_ROLES.map((role) => [role, value(role)])) as Record<CapacityRole, number>
}

/** Cores in use by each role while it runs. */
async function coresDuring(installation: Installation, run: () => Promise<unknown>): Promise<Cores> {
  const before = eachRole((role) => cpuSeconds(pidOf(installation, role)))
  const startedAt = performance.now()
  await run()
  const seconds = (performance.now() - startedAt) / 1000
  return eachRole((role) => (cpuSeconds(pidOf(installation, role)) - before[role]) / seconds)
}

/** CPU seconds of each role for one of what was done, beyond what it uses with nothing to do. */
async function costOf(
  installation: Installation,
  idle: Cores,
  count: number | (() => number),
  run: () => Promise<unknown>,
): Promise<Cores> {
  const startedAt = performance.now()
  const cores = await coresDuring(installation, run)
  const seconds = (performance.now() - startedAt) / 1000
  const done = typeof count === 'number' ? count : count()
  return eachRole((role) => (Math.max(0, cores[role] - idle[role]) * seconds) / done)
}

const dnsDiskBytes = ({ config }: Installation): number => diskBytes(path.join(config.home, 'dns'))

function diskBytes(folder: string): number {
  return fs.existsSync(folder)
    ? 1024 * Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0])
    : 0
}

function constantRows(constants: Constants): string[][] {
  return [
    ['constant', 'value'],
    ...Object.entries(constants).map(([name, value]) => [
      name,
      name.endsWith('IdleCpu')
        ? `${(100 * value).toFixed(2)} %`
        : name.endsWith('Cpu')
          ? `${(1e6 * value).toFixed(2)} µs`
          : `${Math.round(value)} B`,
    ]),
  ]
}
