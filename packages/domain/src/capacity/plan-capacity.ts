import { type ConstantName, type Constants, CONSTANTS } from './constants.ts'

/** What an installation is for. Rates are a second, at their highest. */
export type Demand = {
  organizations: number
  zones: number
  /** Places that answer: each a name server and an edge. */
  nodes: number
  queries: number
  beacons: number
  requests: number
  /** Changes of zones, and screens that are opened. */
  changes: number
  screens: number
  /** CDNs of an organisation that are probed. */
  cdns: number
  /** Of zones, those with a domain that CDNs serve. */
  steeredShare: number
  beaconsKeptDays: number
  /** What the edge sends for a request, in the mean. */
  bytesOfRequest: number
}

export const DEFAULT_DEMAND: Demand = {
  organizations: 10_000,
  zones: 1_000_000,
  nodes: 1_000,
  queries: 1_000_000,
  beacons: 200_000,
  requests: 0,
  changes: 10,
  screens: 100,
  cdns: 2,
  steeredShare: 0.1,
  beaconsKeptDays: 30,
  bytesOfRequest: 50_000,
}

/** Of all machines alike. A machine is planned to be this much in use, for what comes in gusts and for those that fail. */
export type MachineKind = {
  cores: number
  memoryGb: number
  diskGb: number
  monthly: number
  monthlyPerTerabyte: number
  inUse: number
}

export const DEFAULT_MACHINE: MachineKind = {
  cores: 16,
  memoryGb: 64,
  diskGb: 2_000,
  monthly: 200,
  monthlyPerTerabyte: 1,
  inUse: 0.6,
}

export const CAPACITY_ROLES = ['node', 'collector', 'store', 'api', 'worker', 'database'] as const
export type CapacityRole = (typeof CAPACITY_ROLES)[number]

/** Of all machines of a role together; `memoryBytes` of each of them. */
export type RoleNeeds = { cores: number; memoryBytes: number; diskBytes: number; bytesPerSecond: number }
export type RolePlan = RoleNeeds & { machines: number; bound: 'processor' | 'memory' | 'disk' | 'places' }
/** What does not grow with machines and has less than it needs, both in cores or bytes. */
export type Limit = {
  what: 'score-builder' | 'database-writer' | 'memory-of-node' | 'memory-of-database' | 'disk-of-database'
  needs: number
  has: number
}
export type CapacityPlan = {
  roles: Record<CapacityRole, RolePlan>
  machines: number
  bytesPerSecond: number
  monthly: number
  limits: Limit[]
  /** Constants that nobody has measured, and which this demand would need. */
  notKnown: ConstantName[]
}

const [KB, MB, GB, TB] = [1e3, 1e6, 1e9, 1e12]
const MONTH_SECONDS = 30 * 86_400
const DAY_SECONDS = 86_400
/** A question with its answer, a beacon with its headers, a published zone. */
const BYTES = { query: 220, beacon: 900, document: 2_000 }
/** Scores are built in each round, and a delegation is looked at once an hour. */
const SCORE_ROUND_SECONDS = 2
const LOOK_SECONDS = 3_600
/** A name server's machine keeps a zone twice on disk, for the newest may turn out damaged. */
const KEPT_SEGMENTS = 2
/** Of what a database holds, what it needs in memory to stay quick. */
const DATABASE_IN_MEMORY = 0.25

/**
 * What each role needs: processor of all its machines, memory of one, disk and traffic. It is made of sums alone, so
 * that more of anything never needs less. Constants that are not known count nothing.
 */
export function needsOf(demand: Demand, constants: Constants = CONSTANTS): Record<CapacityRole, RoleNeeds> {
  const of = (name: ConstantName): number => constants[name].value ?? 0
  const { organizations, zones, nodes, queries, beacons, requests, changes, screens } = demand
  const probed = organizations * demand.cdns
  const domains = zones * demand.steeredShare
  const databaseBytes = zones * of('databaseDiskOfZone') * KB + zones * nodes * of('databaseDiskOfConfirmation')
  return {
    node: {
      cores:
        (queries * of('dnsCpuOfQuery')) / 1e6 +
        (requests * of('edgeCpuOfRequest')) / 1e6 +
        nodes *
          ((changes * of('dnsCpuOfChange') + of('dnsCpuIdle') + of('edgeCpuIdle') + probed * of('nodeCpuOfProbe')) /
            1e3),
      memoryBytes:
        (of('dnsMemory') + of('edgeMemory')) * MB +
        zones * of('dnsMemoryOfZone') * KB +
        domains * of('edgeMemoryOfDomain') * KB,
      diskBytes: nodes * zones * of('dnsDiskOfZone') * KEPT_SEGMENTS * KB,
      bytesPerSecond: queries * BYTES.query + requests * demand.bytesOfRequest,
    },
    collector: {
      cores:
        of('collectorCpuIdle') / 1e3 +
        (beacons * of('collectorCpuOfBeacon') + nodes * probed * of('collectorCpuOfProbe')) / 1e6 +
        (organizations * of('scoresCpuOfOrganization')) / 1e3 / SCORE_ROUND_SECONDS,
      memoryBytes: of('collectorMemory') * MB,
      diskBytes: 0,
      bytesPerSecond: beacons * BYTES.beacon,
    },
    store: {
      cores: of('storeCpuIdle') / 1e3 + (beacons * of('storeCpuOfBeacon')) / 1e6,
      memoryBytes: of('storeMemory') * MB,
      diskBytes: beacons * DAY_SECONDS * demand.beaconsKeptDays * of('storeDiskOfBeacon'),
      bytesPerSecond: 0,
    },
    api: {
      cores:
        (of('apiCpuIdle') +
          screens * of('apiCpuOfScreen') +
          changes * (of('apiCpuOfChange') + nodes * of('apiCpuOfConfirmation')) +
          nodes * of('apiCpuOfNode')) /
        1e3,
      memoryBytes: of('apiMemory') * MB + nodes * of('apiMemoryOfNode') * KB,
      diskBytes: 0,
      bytesPerSecond: changes * nodes * BYTES.document,
    },
    worker: {
      cores:
        (of('workerCpuIdle') + changes * of('workerCpuOfChange') + (zones / LOOK_SECONDS) * of('workerCpuOfLook')) /
        1e3,
      memoryBytes: of('workerMemory') * MB,
      diskBytes: 0,
      bytesPerSecond: 0,
    },
    database: {
      cores:
        (of('databaseCpuIdle') +
          changes * (of('databaseCpuOfChange') + nodes * of('databaseCpuOfConfirmation')) +
          nodes * of('databaseCpuOfNode')) /
        1e3,
      memoryBytes: of('databaseMemory') * MB + databaseBytes * DATABASE_IN_MEMORY,
      diskBytes: databaseBytes,
      bytesPerSecond: 0,
    },
  }
}

/** Machines, traffic and cost for a demand, and what would be in its way. */
export function planCapacity(
  demand: Demand,
  machine: MachineKind = DEFAULT_MACHINE,
  constants: Constants = CONSTANTS,
): CapacityPlan {
  const needs = needsOf(demand, constants)
  const planned = Object.fromEntries(
    CAPACITY_ROLES.map((role) => [role, machinesFor(role, needs[role], demand, machine)]),
  ) as Record<CapacityRole, RolePlan>
  const all = Object.values(planned)
  const machines = all.reduce((sum, role) => sum + role.machines, 0)
  const bytesPerSecond = all.reduce((sum, role) => sum + role.bytesPerSecond, 0)
  return {
    roles: planned,
    machines,
    bytesPerSecond,
    monthly: machines * machine.monthly + ((bytesPerSecond * MONTH_SECONDS) / TB) * machine.monthlyPerTerabyte,
    limits: limitsOf(demand, needs, machine, constants),
    notKnown: (Object.keys(constants) as ConstantName[]).filter((name) => constants[name].value === null),
  }
}

/** Whoever must not fall silent has two; the database's second follows the first and takes no work from it. */
const LEAST: Record<CapacityRole, number> = { node: 2, collector: 2, store: 2, api: 2, worker: 2, database: 2 }

function machinesFor(role: CapacityRole, needs: RoleNeeds, demand: Demand, machine: MachineKind): RolePlan {
  const places = role === 'node' ? Math.max(LEAST.node, demand.nodes) : LEAST[role]
  const byProcessor = Math.ceil(needs.cores / (machine.cores * machine.inUse))
  // One database takes all writes: more machines hold copies of it, no parts.
  const byDisk = role === 'database' ? 0 : Math.ceil(needs.diskBytes / (machine.diskGb * GB * machine.inUse))
  const machines = Math.max(places, role === 'database' ? 0 : byProcessor, byDisk)
  const bound = machines === places ? 'places' : machines === byDisk ? 'disk' : 'processor'
  const isShortOfMemory = needs.memoryBytes > machine.memoryGb * GB
  return { ...needs, machines, bound: isShortOfMemory ? 'memory' : bound }
}

function limitsOf(
  demand: Demand,
  needs: Record<CapacityRole, RoleNeeds>,
  machine: MachineKind,
  constants: Constants,
): Limit[] {
  const scores = (demand.organizations * (constants.scoresCpuOfOrganization.value ?? 0)) / 1e3 / SCORE_ROUND_SECONDS
  const all: Limit[] = [
    // One process builds all scores.
    { what: 'score-builder', needs: scores, has: 1 },
    { what: 'database-writer', needs: needs.database.cores, has: machine.cores * machine.inUse },
    { what: 'memory-of-node', needs: needs.node.memoryBytes, has: machine.memoryGb * GB },
    { what: 'memory-of-database', needs: needs.database.memoryBytes, has: machine.memoryGb * GB },
    { what: 'disk-of-database', needs: needs.database.diskBytes, has: machine.diskGb * GB * machine.inUse },
  ]
  return all.filter((limit) => limit.needs > limit.has)
}
