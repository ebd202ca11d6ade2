import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FEATURES } from '@fairway/contract'
import {
  type CapacityRole,
  type ConstantName,
  type Constants,
  CONSTANTS,
  DEFAULT_DEMAND,
  type Demand,
  needsOf,
} from '@fairway/domain'
import { makeLog, openDatabase } from '@fairway/platform'
import { DnsClient } from '../../dns-client.ts'
import { type Installation, startInstallation } from '../../installation/start-installation.ts'
import { beaconLoad, measuredCdn } from '../bench-ingest.ts'
import { dnsperf } from '../dns/dnsperf.ts'
import { table } from '../figures.ts'
import { fillMany, publishOthers, publishOwn, untilServed } from '../many/fill-many.ts'
import { startFleet } from '../nodes/bench-nodes.ts'
import { registerOperator } from '../operator.ts'
import { cpuSeconds, memoryBytes } from '../process-cpu.ts'
import { timeChanges } from '../timed-changes.ts'

/** What the constants are measured with: enough of each for it to be seen. */
const CALIBRATION = { organizations: 20, zones: 2_000, nodes: 51, queries: 10_000, beacons: 2_000 }
/** Parts of the demand that predictions are looked at. */
const PARTS = [1_000, 100]
const IDLE_SECONDS = 10
const LOAD_SECONDS = 10
/** After a start everything is compiled, read and looked at once. */
const SETTLE_MS = 12_000
const ROLES = ['database', 'store', 'api', 'worker', 'collector', 'dns', 'edge'] as const
type Role = (typeof ROLES)[number]
type Size = Pick<Demand, 'organizations' | 'zones' | 'nodes' | 'queries' | 'beacons'>
type PerRole = Record<Role, number>

/**
 * Measures what the capacity model is made of, then fills installations with a thousandth and a hundredth of its demand
 * and compares what they take with what it predicts from those. CPU time, memory and bytes on disk: what else the
 * machine does changes them little. With `part`, only that part of the demand is compared, with the model's constants.
 */
export async function benchCapacity(say: (line: string) => void, part?: number): Promise<void> {
  let constants: Constants = CONSTANTS
  if (part === undefined) {
    const now = constantsOf(await measure(CALIBRATION, say))
    tellConstants(now, say)
    // What was just measured on this machine at one size predicts the others; what was not is as it is in the model.
    constants = Object.fromEntries(
      Object.entries(CONSTANTS).map(([name, known]) => [
        name,
        { ...known, value: now[name as ConstantName] ?? known.value },
      ]),
    ) as Constants
  }
  for (const parts of part === undefined ? PARTS : [part]) {
    const { organizations, zones, nodes, queries, beacons } = DEFAULT_DEMAND
    const size = { organizations, zones, nodes, queries, beacons }
    const scaled = Object.fromEntries(
      Object.entries(size).map(([key, value]) => [key, Math.max(1, Math.round(value / parts))]),
    ) as Size
    say(`\n1/${parts} of the demand`)
    compare(await measure(scaled, say), constants, say)
  }
}

type Changes = { cores: PerRole; perSecond: number }
type Measured = {
  size: Size
  /** Cores in use, by role: empty, filled, with the nodes, and what each load adds to that. */
  idle: { empty: PerRole; filled: PerRole; nodes: PerRole }
  queries: { cores: PerRole; perSecond: number }
  beacons: { cores: PerRole; perSecond: number; bytes: number }
  /** With one name server, and with all. */
  changes: { alone: Changes; nodes: Changes }
  memory: { empty: PerRole; filled: PerRole; nodes: PerRole }
  disk: Record<'empty' | 'filled' | 'nodes', { database: number; zones: number }>
}

async function measure(size: Size, say: (line: string) => void): Promise<Measured> {
  await using installation = await startInstallation({
    command: 'up',
    words: ['--roles', ROLES.join()],
    settings: { FAIRWAY_TRUSTED_PROXIES: '127.0.0.1', FAIRWAY_DOMAIN_PROOF: 'off' },
  })
  const { organizationId } = await registerOperator(installation)
  const { key } = await installation.api(FEATURES.pulse.routes.update, {
    startDelaySeconds: 2,
    repeatDelaySeconds: 30,
    batchNumber: 3,
  })
  await measuredCdn(installation)
  await sleep(SETTLE_MS)
  const here = () => ({ memory: memoryOf(installation), disk: diskOf(installation) })
  const idleEmpty = await coresOver(installation, IDLE_SECONDS)
  const empty = here()
  await using database = openDatabase(installation.config, makeLog('bench', { logLevel: 'error' }), { connections: 2 })
  await fillMany(database, organizationId, size.organizations, () => {})
  await publishOwn(database, organizationId)
  await publishOthers(database, organizationId, size.organizations)
  await untilServed(database, say)
  await sleep(SETTLE_MS)
  const idleFilled = await coresOver(installation, IDLE_SECONDS)
  const filled = here()
  const names = await database.system((tx) =>
    tx.query<{ site: string; origin: string }>(
      `SELECT id AS site, domain_name AS origin FROM site WHERE organization_id = $1 AND domain_name LIKE 'zone%' ORDER BY domain_name`,
      [organizationId],
    ),
  )
  const alone = await underChanges(installation, names, idleFilled, 'alone')
  using _fleet = size.nodes > 1 ? await startFleet(installation, size.nodes - 1) : undefined
  await untilServed(database, say, size.nodes)
  await sleep(SETTLE_MS)
  const idleNodes = await coresOver(installation, IDLE_SECONDS)
  const nodes = here()
  const queries = await underQueries(installation, size, names, idleNodes)
  const beacons = await underBeacons(installation, size, key, idleNodes)
  await sleep(5_000)
  const changes = await underChanges(installation, names, idleNodes, 'nodes')
  return {
    size,
    idle: { empty: idleEmpty, filled: idleFilled, nodes: idleNodes },
    queries,
    beacons,
    changes: { alone, nodes: changes },
    memory: { empty: empty.memory, filled: filled.memory, nodes: nodes.memory },
    disk: { empty: empty.disk, filled: filled.disk, nodes: nodes.disk },
  }
}

async function underQueries(installation: Installation, size: Size, zones: { origin: string }[], idle: PerRole) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-capacity-'))
  try {
    const file = path.join(folder, 'queries')
    fs.writeFileSync(file, zones.map(({ origin }, at) => `host${2 + (at % 4)}.${origin} A\n`).join(''))
    let answered = 0
    const cores = await coresDuring(installation, idle, async () => {
      const load = await dnsperf({
        port: installation.config.dnsListen.port,
        queries: file,
        seconds: LOAD_SECONDS,
        queriesPerSecond: size.queries,
      })
      answered = load.answered
      return LOAD_SECONDS
    })
    return { cores, perSecond: answered / LOAD_SECONDS }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

async function underBeacons(installation: Installation, size: Size, key: string, idle: PerRole) {
  const { host, port } = installation.config.collectorListen
  let accepted = 0
  const before = folderBytes(path.join(installation.config.home, 'store'))
  const cores = await coresDuring(installation, idle, async () => {
    const options = {
      url: `http://${host}:${port}`,
      key,
      seconds: LOAD_SECONDS,
      connections: 16,
      perSecond: size.beacons,
    }
    accepted = (await beaconLoad(options)).accepted
    return LOAD_SECONDS
  })
  await sleep(5_000)
  const bytes = folderBytes(path.join(installation.config.home, 'store')) - before
  return { cores, perSecond: accepted / LOAD_SECONDS, bytes: bytes / Math.max(1, accepted) }
}

async function underChanges(
  installation: Installation,
  zones: { site: string; origin: string }[],
  idle: PerRole,
  prefix: string,
): Promise<Changes> {
  using dns = new DnsClient(installation.config.dnsListen)
  let count = 0
  let took = 1
  const cores = await coresDuring(installation, idle, async () => {
    const began = performance.now()
    count = (await timeChanges(installation, dns, zones, prefix)).length
    took = (performance.now() - began) / 1000
    return took
  })
  return { cores, perSecond: count / took }
}

const perRole = (of: (role: Role) => number): PerRole =>
  Object.fromEntries(ROLES.map((role) => [role, of(role)])) as PerRole
const pidOf = (installation: Installation, role: Role) => installation.roles()[role]?.pid ?? 0
const cpuOf = (installation: Installation) => perRole((role) => cpuSeconds(pidOf(installation, role)))
const memoryOf = (installation: Installation) => perRole((role) => memoryBytes(pidOf(installation, role)))

async function coresOver(installation: Installation, seconds: number): Promise<PerRole> {
  const before = cpuOf(installation)
  await sleep(seconds * 1000)
  const after = cpuOf(installation)
  return perRole((role) => (after[role] - before[role]) / seconds)
}

/** What a load adds to doing nothing. `load` answers how many seconds it took. */
async function coresDuring(installation: Installation, idle: PerRole, load: () => Promise<number>): Promise<PerRole> {
  const before = cpuOf(installation)
  const began = performance.now()
  const seconds = await load()
  // What it left to be done belongs to it.
  await sleep(2_000)
  const after = cpuOf(installation)
  const passed = (performance.now() - began) / 1000
  return perRole((role) => Math.max(0, after[role] - before[role] - idle[role] * passed) / seconds)
}

function diskOf({ config }: Installation): { database: number; zones: number } {
  return {
    // The log that PostgreSQL writes ahead is bounded, and grows with what is written, not with what is kept.
    database: folderBytes(path.join(config.home, 'database'), 'pg_wal'),
    zones: folderBytes(path.join(config.home, 'nodes', 'dns', 'zones')),
  }
}

/** Bytes that a folder takes on the disk, without one of its folders. */
function folderBytes(folder: string, without = ''): number {
  let sum = 0
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name)
    if (entry.isDirectory()) sum += entry.name === without ? 0 : folderBytes(at)
    else sum += 512 * (fs.statSync(at, { throwIfNoEntry: false })?.blocks ?? 0)
  }
  return sum
}

/** The constants that one run tells, in their units. */
function constantsOf({
  size,
  idle,
  queries,
  beacons,
  changes,
  memory,
  disk,
}: Measured): Partial<Record<ConstantName, number>> {
  const { zones, nodes } = size
  const fleet = Math.max(1, nodes - 1)
  const { alone } = changes
  const ofChange = (role: Role) => (alone.cores[role] / alone.perSecond) * 1e3
  const ofConfirmation = (role: Role) =>
    Math.max(0, (changes.nodes.cores[role] / changes.nodes.perSecond) * 1e3 - ofChange(role)) / fleet
  const more = (of: { filled: PerRole; nodes: PerRole }, role: Role) =>
    Math.max(0, of.nodes[role] - of.filled[role]) / fleet
  return {
    dnsCpuOfQuery: (queries.cores.dns / queries.perSecond) * 1e6,
    dnsCpuOfChange: ofChange('dns'),
    dnsCpuIdle: idle.empty.dns * 1e3,
    dnsMemory: memory.empty.dns / 1e6,
    dnsMemoryOfZone: (memory.filled.dns - memory.empty.dns) / zones / 1e3,
    dnsDiskOfZone: (disk.filled.zones - disk.empty.zones) / zones / 1e3,
    edgeCpuIdle: idle.empty.edge * 1e3,
    edgeMemory: memory.empty.edge / 1e6,
    collectorCpuOfBeacon: (beacons.cores.collector / beacons.perSecond) * 1e6,
    collectorCpuIdle: idle.empty.collector * 1e3,
    collectorMemory: memory.empty.collector / 1e6,
    storeCpuOfBeacon: (beacons.cores.store / beacons.perSecond) * 1e6,
    storeDiskOfBeacon: beacons.bytes,
    storeCpuIdle: idle.empty.store * 1e3,
    storeMemory: memory.empty.store / 1e6,
    apiCpuOfChange: ofChange('api'),
    apiCpuOfConfirmation: ofConfirmation('api'),
    apiCpuOfNode: more(idle, 'api') * 1e3,
    apiCpuIdle: idle.empty.api * 1e3,
    apiMemory: memory.empty.api / 1e6,
    apiMemoryOfNode: more(memory, 'api') / 1e3,
    workerCpuOfChange: ofChange('worker'),
    workerCpuIdle: idle.empty.worker * 1e3,
    workerMemory: memory.empty.worker / 1e6,
    databaseCpuOfChange: ofChange('database'),
    databaseCpuOfConfirmation: ofConfirmation('database'),
    databaseCpuOfNode: more(idle, 'database') * 1e3,
    databaseCpuIdle: idle.empty.database * 1e3,
    databaseMemory: memory.empty.database / 1e6,
    databaseDiskOfZone: (disk.filled.database - disk.empty.database) / zones / 1e3,
    databaseDiskOfConfirmation: (disk.nodes.database - disk.filled.database) / zones / fleet,
  }
}

function tellConstants(now: ReturnType<typeof constantsOf>, say: (line: string) => void): void {
  const rows = Object.entries(now).map(([name, value]) => {
    const known = CONSTANTS[name as ConstantName]
    return [name, value.toPrecision(3), known.value === null ? '-' : String(known.value), known.unit]
  })
  say(table([['constant', 'now', 'in the model', 'unit'], ...rows]))
}

/** What the model says of a role here, and how much of what was measured that is. */
function compare(
  { size, idle, queries, beacons, changes, memory, disk }: Measured,
  constants: Constants,
  say: (line: string) => void,
): void {
  const demand: Demand = {
    ...DEFAULT_DEMAND,
    ...size,
    queries: queries.perSecond,
    beacons: beacons.perSecond,
    changes: changes.nodes.perSecond,
    screens: 0,
    // One node answers here; the others only follow.
    nodes: size.nodes,
  }
  const needs = needsOf(demand, constants)
  const one = needsOf({ ...demand, nodes: 1 }, constants)
  const cores = (role: Role) => idle.nodes[role] + queries.cores[role] + beacons.cores[role] + changes.nodes.cores[role]
  const rows: [string, number, number, string][] = [
    ['processor: name server and edge', one.node.cores, cores('dns') + cores('edge'), 'cores'],
    ...(['collector', 'store', 'api', 'worker', 'database'] as const satisfies readonly CapacityRole[]).map(
      (role): [string, number, number, string] => [`processor: ${role}`, needs[role].cores, cores(role), 'cores'],
    ),
    ['memory: name server and edge', one.node.memoryBytes / 1e6, (memory.nodes.dns + memory.nodes.edge) / 1e6, 'MB'],
    ['memory: api', needs.api.memoryBytes / 1e6, memory.nodes.api / 1e6, 'MB'],
    ['disk: zones of a name server', one.node.diskBytes / 2 / 1e6, (disk.nodes.zones - disk.empty.zones) / 1e6, 'MB'],
    [
      'disk: database, what was added',
      needs.database.diskBytes / 1e6,
      (disk.nodes.database - disk.empty.database) / 1e6,
      'MB',
    ],
    ['disk: a beacon in the store', constants.storeDiskOfBeacon.value ?? 0, beacons.bytes, 'B'],
  ]
  say(
    table([
      ['', 'predicted', 'measured', '', 'ratio'],
      ...rows.map(([what, predicted, measured, unit]) => [
        what,
        predicted.toPrecision(3),
        measured.toPrecision(3),
        unit,
        (predicted / measured).toFixed(2),
      ]),
    ]),
  )
  const within = rows.filter(([, predicted, measured]) => Math.abs(predicted / measured - 1) <= 0.2).length
  say(`${within} of ${rows.length} within 20 %`)
}
