import type { Demand } from './demand.ts'
import type { Measured } from './measured.ts'

export const CAPACITY_ROLES = ['dns', 'edge', 'collector', 'store', 'api', 'worker', 'database'] as const
export type CapacityRole = (typeof CAPACITY_ROLES)[number]

/** What a role needs, over all its processes. CPU in cores, sizes in bytes, traffic in bytes a second. */
export type Need = {
  role: CapacityRole
  /** Processes over which it is spread: nodes of DNS and edge, one of the others unless one core is too little. */
  nodes: number
  cores: number
  /** Of each node. */
  memoryBytes: number
  /** Of each node. */
  diskBytes: number
  trafficInBytes: number
  trafficOutBytes: number
}

/** A UDP question and answer with their IP and UDP headers, of an ordinary name. */
const QUESTION_BYTES = 28 + 55
const ANSWER_BYTES = 28 + 110
/** A request's and an answer's head over TLS, and a beacon with its answer. */
const REQUEST_BYTES = 900
const HEAD_BYTES = 700
const BEACON_BYTES = 1_400
const BEACON_ANSWER_BYTES = 400
const DAY_SECONDS = 86_400

/**
 * What each role needs for a demand, from measured constants: every term is a rate or an amount times what one of it
 * costs, and what a process costs that has nothing to do. Pure; nothing is left in reserve, which `machinesFor` does.
 */
export function capacityOf(demand: Demand, { of: c }: Measured): Need[] {
  const records = demand.zones * demand.recordsPerZone
  const nodes = demand.dnsNodes + demand.edgeNodes
  const rows = demand.beaconsPerSecond + demand.requestsPerSecond
  const hits = demand.requestsPerSecond * demand.hitShare
  const misses = demand.requestsPerSecond - hits
  const kept = rows * DAY_SECONDS * demand.keptDays
  const changeTraffic = demand.changesPerSecond * c.changeBytes
  return [
    {
      role: 'dns',
      nodes: demand.dnsNodes,
      cores:
        demand.queriesPerSecond * c.queryCpu +
        demand.dnsNodes * (c.dnsIdleCpu + demand.changesPerSecond * c.dnsChangeCpu),
      memoryBytes: c.dnsBaseBytes + demand.zones * c.dnsZoneBytes + records * c.dnsRecordBytes,
      diskBytes: demand.zones * c.dnsZoneDiskBytes + records * c.dnsRecordDiskBytes,
      trafficInBytes: demand.queriesPerSecond * QUESTION_BYTES + demand.dnsNodes * changeTraffic,
      trafficOutBytes: demand.queriesPerSecond * ANSWER_BYTES,
    },
    {
      role: 'edge',
      nodes: demand.edgeNodes,
      cores: hits * c.hitCpu + misses * c.missCpu + demand.edgeNodes * c.edgeIdleCpu,
      memoryBytes: c.edgeBaseBytes + demand.domains * c.edgeDomainBytes,
      diskBytes: demand.domains * c.edgeDomainBytes,
      trafficInBytes:
        demand.requestsPerSecond * REQUEST_BYTES + misses * demand.bytesPerAnswer + demand.edgeNodes * changeTraffic,
      trafficOutBytes: demand.requestsPerSecond * (HEAD_BYTES + demand.bytesPerAnswer) + misses * REQUEST_BYTES,
    },
    spread('collector', {
      cores: rows * c.beaconCpu + c.collectorIdleCpu,
      memoryBytes: c.collectorBaseBytes,
      diskBytes: 0,
      trafficInBytes: demand.beaconsPerSecond * BEACON_BYTES,
      trafficOutBytes: demand.beaconsPerSecond * BEACON_ANSWER_BYTES,
    }),
    spread('store', {
      cores: rows * c.rowCpu + c.storeIdleCpu,
      memoryBytes: c.storeBaseBytes,
      diskBytes: kept * c.rowDiskBytes,
      trafficInBytes: rows * c.rowBytes,
      trafficOutBytes: 0,
    }),
    spread('api', {
      cores:
        demand.callsPerSecond * c.callCpu +
        demand.changesPerSecond * (c.apiChangeCpu + nodes * c.apiNodeChangeCpu) +
        nodes * c.apiNodeCpu +
        c.apiIdleCpu,
      memoryBytes: c.apiBaseBytes + nodes * c.apiNodeBytes,
      diskBytes: 0,
      trafficInBytes: (demand.callsPerSecond + demand.changesPerSecond) * REQUEST_BYTES,
      trafficOutBytes: nodes * changeTraffic,
    }),
    spread('worker', {
      cores: demand.changesPerSecond * c.workerChangeCpu + c.workerIdleCpu,
      memoryBytes: c.workerBaseBytes,
      diskBytes: 0,
      trafficInBytes: 0,
      trafficOutBytes: 0,
    }),
    {
      role: 'database',
      nodes: 1,
      cores:
        demand.callsPerSecond * c.databaseCallCpu +
        demand.changesPerSecond * (c.databaseChangeCpu + nodes * c.databaseNodeChangeCpu) +
        nodes * c.databaseNodeCpu +
        c.databaseIdleCpu,
      memoryBytes: c.databaseBaseBytes + WORKING_SHARE * (demand.zones * c.zoneRowBytes + records * c.recordRowBytes),
      diskBytes: demand.zones * c.zoneRowBytes + records * c.recordRowBytes,
      trafficInBytes: 0,
      trafficOutBytes: 0,
    },
  ]
}

/** Of what a database holds, what it should have in memory. */
const WORKING_SHARE = 0.25

/** A role whose work is shared by as many processes as it takes cores; what each of them needs anew is its base. */
function spread(role: CapacityRole, { cores, ...need }: Omit<Need, 'role' | 'nodes'>): Need {
  return { role, nodes: Math.max(1, Math.ceil(cores)), cores, ...need, diskBytes: need.diskBytes }
}

/** A kind of machine, and how much of it may be in use: the rest is for what dies, and for a busier day. */
export type Machine = { cores: number; memoryBytes: number; diskBytes: number; usable: number }

/**
 * Machines of one kind for a role: as many as its processor, memory or disk asks for, no fewer than its nodes, and never
 * one alone. DNS and edge hold everything on each node.
 */
export function machinesFor(need: Need, machine: Machine): number {
  const byCores = need.cores / (machine.cores * machine.usable)
  if (need.role === 'dns' || need.role === 'edge') return Math.max(2, need.nodes, Math.ceil(byCores))
  const byMemory = (need.memoryBytes * need.nodes) / (machine.memoryBytes * machine.usable)
  const byDisk = need.diskBytes / (machine.diskBytes * machine.usable)
  return Math.max(2, Math.ceil(byCores), Math.ceil(byMemory), Math.ceil(byDisk))
}

/** What does not fit: a node of DNS, edge or database that needs more memory or disk than the machine has. */
export function tooSmall(need: Need, machine: Machine): 'memory' | 'disk' | null {
  if (need.role === 'collector' || need.role === 'worker' || need.role === 'api') return null
  if (need.memoryBytes > machine.memoryBytes * machine.usable) return 'memory'
  if (need.role !== 'store' && need.diskBytes > machine.diskBytes * machine.usable) return 'disk'
  return null
}
