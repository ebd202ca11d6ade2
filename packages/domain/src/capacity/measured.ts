/**
 * What one of a thing costs, as `./fairway bench capacity` measures it. CPU in seconds of one core, `IdleCpu` in cores
 * of a process with nothing to do, sizes in bytes.
 */
export type Constants = {
  queryCpu: number
  dnsIdleCpu: number
  dnsChangeCpu: number
  dnsBaseBytes: number
  dnsZoneBytes: number
  dnsRecordBytes: number
  dnsZoneDiskBytes: number
  dnsRecordDiskBytes: number
  hitCpu: number
  missCpu: number
  edgeIdleCpu: number
  edgeBaseBytes: number
  edgeDomainBytes: number
  beaconCpu: number
  collectorIdleCpu: number
  collectorBaseBytes: number
  rowCpu: number
  rowBytes: number
  rowDiskBytes: number
  storeIdleCpu: number
  storeBaseBytes: number
  callCpu: number
  apiChangeCpu: number
  /** For each node that takes a change: sending, acknowledgement. */
  apiNodeChangeCpu: number
  /** For each node that is connected. */
  apiNodeCpu: number
  apiNodeBytes: number
  apiIdleCpu: number
  apiBaseBytes: number
  workerChangeCpu: number
  workerIdleCpu: number
  workerBaseBytes: number
  databaseCallCpu: number
  databaseChangeCpu: number
  databaseNodeChangeCpu: number
  databaseNodeCpu: number
  databaseIdleCpu: number
  databaseBaseBytes: number
  zoneRowBytes: number
  recordRowBytes: number
  /** A change on its way to a node. */
  changeBytes: number
}

/** Constants with where they come from. */
export type Measured = { at: string; machine: string; of: Constants }

/** On two shared cores; of a faster machine the CPU is less, the bytes are the same. */
export const MEASURED: Measured = {
  at: '2026-11-26',
  machine: 'two cores of a shared virtual machine',
  of: {
    queryCpu: 0,
    dnsIdleCpu: 0,
    dnsChangeCpu: 0,
    dnsBaseBytes: 0,
    dnsZoneBytes: 0,
    dnsRecordBytes: 0,
    dnsZoneDiskBytes: 0,
    dnsRecordDiskBytes: 0,
    // Of `bench edge`: plain nginx's cost of a hit and of a miss that may not be stored, times what is ours.
    hitCpu: 27e-6,
    missCpu: 120e-6,
    edgeIdleCpu: 0,
    edgeBaseBytes: 0,
    edgeDomainBytes: 5_200,
    beaconCpu: 0,
    collectorIdleCpu: 0,
    collectorBaseBytes: 0,
    rowCpu: 0,
    rowBytes: 0,
    rowDiskBytes: 0,
    storeIdleCpu: 0,
    storeBaseBytes: 0,
    callCpu: 0,
    apiChangeCpu: 0,
    apiNodeChangeCpu: 0,
    apiNodeCpu: 0,
    apiNodeBytes: 0,
    apiIdleCpu: 0,
    apiBaseBytes: 0,
    workerChangeCpu: 0,
    workerIdleCpu: 0,
    workerBaseBytes: 0,
    databaseCallCpu: 0,
    databaseChangeCpu: 0,
    databaseNodeChangeCpu: 0,
    databaseNodeCpu: 0,
    databaseIdleCpu: 0,
    databaseBaseBytes: 0,
    zoneRowBytes: 0,
    recordRowBytes: 0,
    changeBytes: 0,
  },
}
