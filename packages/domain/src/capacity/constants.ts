/** What one thing costs. `value` is null where nobody has measured it yet: then nothing is counted, and it is said. */
export type Constant = { value: number | null; unit: string; by: string }

/**
 * What one query, beacon, request, change, node, organisation and zone cost, as measured on one core of the machine of
 * `docs/measurements.md`. CPU of all processes of the role that it names. `docs/capacity.md` shows them as they are here.
 */
export const CONSTANTS = {
  dnsCpuOfQuery: { value: 4.9, unit: 'µs', by: '`bench dns`, static zone, datagrams in batches' },
  dnsCpuOfChange: { value: null, unit: 'ms', by: 'for `bench capacity`, of each name server that takes it' },
  dnsCpuIdle: { value: 15, unit: 'ms/s', by: 'by hand, idle' },
  dnsMemory: { value: 161, unit: 'MB', by: 'by hand: role, two processes that answer, builder' },
  dnsMemoryOfZone: {
    value: 12,
    unit: 'kB',
    by: '`bench many`, all processes of a name server together: 100,000 zones beside 10,000',
  },
  dnsDiskOfZone: { value: 4.2, unit: 'kB', by: '`bench many 1000`: one block of the disk' },
  nodeCpuOfProbe: { value: null, unit: 'ms', by: 'not measured' },
  edgeCpuOfRequest: { value: null, unit: 'µs', by: 'not measured by itself: 1.23 times plain nginx (`bench edge`)' },
  edgeCpuIdle: { value: 6, unit: 'ms/s', by: 'by hand, idle' },
  edgeMemory: { value: 299, unit: 'MB', by: 'by hand, idle' },
  edgeMemoryOfDomain: { value: 5.2, unit: 'kB', by: '`bench edge`: 26 MB for 5,000' },
  collectorCpuOfBeacon: { value: 116, unit: 'µs', by: '`bench ingest`: 8,600 a second on one core' },
  collectorCpuIdle: { value: 8, unit: 'ms/s', by: 'by hand, idle' },
  collectorMemory: { value: 95, unit: 'MB', by: 'by hand, idle' },
  collectorCpuOfProbe: { value: null, unit: 'µs', by: 'not measured' },
  scoresCpuOfOrganization: { value: null, unit: 'ms', by: 'not measured; each round, in one process' },
  storeCpuOfBeacon: { value: null, unit: 'µs', by: 'for `bench capacity`' },
  storeDiskOfBeacon: { value: null, unit: 'B', by: 'for `bench capacity`' },
  storeCpuIdle: { value: 30, unit: 'ms/s', by: 'by hand, idle' },
  storeMemory: { value: 357, unit: 'MB', by: 'by hand, idle' },
  apiCpuOfScreen: { value: null, unit: 'ms', by: 'not measured without other work beside it' },
  apiCpuOfChange: { value: null, unit: 'ms', by: 'for `bench capacity`' },
  apiCpuOfConfirmation: {
    value: null,
    unit: 'ms',
    by: 'for `bench capacity`: a change sent to one node more, and its word',
  },
  apiCpuOfNode: { value: null, unit: 'ms/s', by: 'for `bench capacity`, a node that only follows' },
  apiCpuIdle: { value: 8, unit: 'ms/s', by: 'by hand, idle' },
  apiMemory: { value: 174, unit: 'MB', by: 'by hand, idle' },
  apiMemoryOfNode: { value: null, unit: 'kB', by: 'for `bench capacity`' },
  workerCpuOfChange: { value: null, unit: 'ms', by: 'for `bench capacity`' },
  workerCpuOfLook: { value: null, unit: 'ms', by: 'not measured; one look at a delegation' },
  workerCpuIdle: { value: 16, unit: 'ms/s', by: 'by hand, idle' },
  workerMemory: { value: 168, unit: 'MB', by: 'by hand, idle' },
  databaseCpuOfChange: { value: null, unit: 'ms', by: 'for `bench capacity`' },
  databaseCpuOfConfirmation: {
    value: null,
    unit: 'ms',
    by: 'for `bench capacity`: what one node more says of a change',
  },
  databaseCpuOfNode: { value: null, unit: 'ms/s', by: 'for `bench capacity`, a node that only follows' },
  databaseCpuIdle: { value: 28, unit: 'ms/s', by: 'by hand, idle' },
  databaseMemory: { value: 150, unit: 'MB', by: 'by hand, idle' },
  databaseDiskOfZone: {
    value: 5.4,
    unit: 'kB',
    by: '`bench many 1000`: five records, a version, a published document',
  },
  databaseDiskOfConfirmation: { value: 420, unit: 'B', by: '`bench many 1000`: what one node has said of one zone' },
} as const satisfies Record<string, Constant>

export type ConstantName = keyof typeof CONSTANTS
export type Constants = Record<ConstantName, Constant>
