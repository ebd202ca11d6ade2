import type { Grain } from '../rollups/grain.ts'
import type { RawTable, TableName } from './tables.ts'

/**
 * What a table of the event store is: of this every statement is made that creates, widens or keeps it, for one server
 * and for a cluster (`statements.ts`).
 */
export type TableDescription = {
  name: TableName | 'fairway_migrations'
  kind: TableKind
  /** Columns without brackets. */
  orderBy: string
  /** As they were first released; what came later is added by migrations. */
  columns: string
}

/** Rows as they happened (`raw`), sums of them by their grain, and three tables of their own kind. */
type TableKind = 'raw' | 'shapes' | Grain | 'batches' | 'migrations'

type KindDescription = {
  engine: 'MergeTree' | 'ReplacingMergeTree(built)'
  partitionBy: string | null
  /** What a row's age is counted from. */
  age: string
  /** Days that rows were kept when the table was released; null is for ever. */
  days: number | null
  /** So many tokens of inserts are remembered. */
  tokens: number | null
}

// Raw rows are in parts of one day each, dropped whole. A batch repeated with its token within the last thousand is not
// written twice.
const RAW: KindDescription = {
  engine: 'MergeTree',
  partitionBy: 'toYYYYMMDD(at)',
  age: 'toDateTime(at)',
  days: 30,
  tokens: 1000,
}
// The newest build of a row replaces older ones, so a step can be run again over any range.
const SUMS = { engine: 'ReplacingMergeTree(built)', age: 'at', tokens: null } as const

export const KINDS: Record<TableKind, KindDescription> = {
  raw: RAW,
  // Learned from within seconds, and looked back at for a day.
  shapes: { ...RAW, days: 3 },
  minute: { ...SUMS, partitionBy: 'toYYYYMMDD(at)', days: 8 },
  hour: { ...SUMS, partitionBy: 'toYYYYMM(at)', days: 400 },
  day: { ...SUMS, partitionBy: 'toYear(at)', days: null },
  // All of a place is one part, so that its token is taken once, and tokens are known for longer than any insert may be
  // under way; names are remembered for as long as a collector may be away and come back with what another one was
  // sent again.
  batches: { ...RAW, partitionBy: 'intDiv(slot, 5000)', days: 3, tokens: 10_000 },
  migrations: { engine: 'MergeTree', partitionBy: null, age: 'applied_at', days: null, tokens: null },
}

const GRAINS = ['minute', 'hour', 'day'] as const

const raw = (name: RawTable, orderBy: string, columns: string): TableDescription => ({
  name,
  kind: 'raw',
  orderBy,
  columns,
})
/** One table for each grain. */
const sums = (base: string, orderBy: string, columns: string, grains: readonly Grain[] = GRAINS): TableDescription[] =>
  grains.map((grain) => ({ name: `${base}_${grain}` as TableName, kind: grain, orderBy, columns }))

export const NETWORK_REPORTS = raw(
  'network_reports',
  'organization, at',
  `
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), domain LowCardinality(String), cdn LowCardinality(String),
    continent LowCardinality(String), country LowCardinality(String), region LowCardinality(String), city LowCardinality(String), network LowCardinality(String),
    subnet UInt32, ok UInt8, type LowCardinality(String), weight UInt32
  `,
)

export const TAKEN_BATCHES: TableDescription = {
  name: 'taken_batches',
  kind: 'batches',
  orderBy: 'table, batch',
  columns: `
    table LowCardinality(String), batch UInt64, slot UInt64, segment String, at DateTime64(3, 'UTC') DEFAULT now64(3)
  `,
}

export const PLAYER_EVENTS = raw(
  'player_events',
  'organization, at',
  `
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), source LowCardinality(String), kind LowCardinality(String), view String, viewer UInt64,
    event LowCardinality(String), post UInt32, position_ms Int64, watched_ms UInt32, ms Int32, reached Int16, bitrate Int32, height Int32, cdn LowCardinality(String), buffer_ms Int32, throughput Int32,
    segment_age_ms Int32, error LowCardinality(String), fatal UInt8, session String, country LowCardinality(String), network LowCardinality(String), device LowCardinality(String), player LowCardinality(String)
  `,
)

export const STREAM_SEGMENTS = raw(
  'stream_segments',
  'organization, source, at',
  `
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), source LowCardinality(String), view String, cdn LowCardinality(String), node LowCardinality(String),
    country LowCardinality(String), network LowCardinality(String), path String, status UInt16, bytes UInt64, ms Float32, cache_status LowCardinality(String), object LowCardinality(String),
    bitrate Int32, throughput Int32, duration_ms Int32, buffer_ms Int32, starved UInt8
  `,
)

export const SECURITY_EVENTS = raw(
  'security_events',
  'organization, site, at',
  `
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), cdn LowCardinality(String),
    node LowCardinality(String), id String, part LowCardinality(String), action LowCardinality(String), rule LowCardinality(String), reason LowCardinality(String),
    address String, country LowCardinality(String), network LowCardinality(String), host LowCardinality(String), method LowCardinality(String), path String, query String, agent String,
    field LowCardinality(String), field_name String, matched String, status UInt16, bytes UInt64, weight UInt32
  `,
)

export const RECORDED_REQUESTS = raw(
  'recorded_requests',
  'organization, site, domain, at',
  `
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), node LowCardinality(String), id String,
    method LowCardinality(String), path String, country LowCardinality(String), request String CODEC(ZSTD), weight UInt32
  `,
)

export const REQUEST_SHAPES: TableDescription = {
  name: 'request_shapes',
  kind: 'shapes',
  orderBy: 'organization, site, domain, at',
  columns: `
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), node LowCardinality(String), id String,
    method LowCardinality(String), status UInt16, client String, shape String CODEC(ZSTD), weight UInt32
  `,
}

export const SECURITY_COUNTS = sums(
  'security_counts',
  'organization, site, at, domain, part, action, rule, reason, country',
  `
    at DateTime('UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), part LowCardinality(String), action LowCardinality(String),
    rule LowCardinality(String), reason LowCardinality(String), country LowCardinality(String), requests UInt64, bytes UInt64, built UInt64
  `,
)

export const DNS_REQUESTS = raw(
  'dns_requests',
  'organization, site, at',
  `
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), name LowCardinality(String), type LowCardinality(String), rcode LowCardinality(String),
    node LowCardinality(String), requests UInt32
  `,
)

export const DNS_NETWORKS = raw(
  'dns_networks',
  'organization, site, at',
  `
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), network LowCardinality(String), node LowCardinality(String), requests UInt32
  `,
)

export const DNS_SAMPLES = raw(
  'dns_samples',
  'organization, site, at',
  `
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), node LowCardinality(String), name String, type LowCardinality(String),
    rcode LowCardinality(String), cdn LowCardinality(String), strategy LowCardinality(String), country LowCardinality(String), network LowCardinality(String), client String, scoped UInt8, transport LowCardinality(String)
  `,
)

export const BEACONS = raw(
  'beacons',
  'organization, at',
  `
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), cdn LowCardinality(String),
    continent LowCardinality(String), country LowCardinality(String), region LowCardinality(String), city LowCardinality(String), network LowCardinality(String),
    ok UInt8, rtt_ms Float32
  `,
)

export const PROBES = raw(
  'probes',
  'organization, at',
  `
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), cdn LowCardinality(String), node LowCardinality(String),
    ok UInt8, rtt_ms Float32, error LowCardinality(String)
  `,
)

export const DNS_ANSWERS = raw(
  'dns_answers',
  'organization, site, at',
  `
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), cdn LowCardinality(String),
    country LowCardinality(String), node LowCardinality(String), answers UInt32
  `,
)

export const EDGE_REQUESTS = raw(
  'edge_requests',
  'organization, site, at',
  `
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), cdn LowCardinality(String),
    node LowCardinality(String), host LowCardinality(String), method LowCardinality(String), path String, status UInt16, bytes UInt64, ms Float32, cache_status LowCardinality(String),
    client String, country LowCardinality(String)
  `,
)

export const MEASURES = sums(
  'measures',
  'organization, source, at, cdn, country',
  `
    at DateTime('UTC') CODEC(DoubleDelta, ZSTD), source LowCardinality(String), organization LowCardinality(String), cdn LowCardinality(String), country LowCardinality(String),
    samples UInt64, successes UInt64, rtt Map(Int16, UInt64), built UInt64
  `,
)

export const WORLD_MEASURES = sums(
  'measures_world',
  'organization, source, at, cdn',
  `
    at DateTime('UTC') CODEC(DoubleDelta, ZSTD), source LowCardinality(String), organization LowCardinality(String), cdn LowCardinality(String),
    samples UInt64, successes UInt64, rtt Map(Int16, UInt64), built UInt64
  `,
  ['hour', 'day'],
)

export const DNS_ANSWER_COUNTS = sums(
  'dns_answers',
  'organization, site, at, domain, cdn, country',
  `
    at DateTime('UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), cdn LowCardinality(String), country LowCardinality(String),
    answers UInt64, built UInt64
  `,
)

export const DNS_REQUEST_COUNTS = sums(
  'dns_requests',
  'organization, site, at, name, type, rcode, node',
  `
    at DateTime('UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), name LowCardinality(String), type LowCardinality(String), rcode LowCardinality(String), node LowCardinality(String),
    requests UInt64, built UInt64
  `,
)

export const DNS_NETWORK_COUNTS = sums(
  'dns_networks',
  'organization, site, at, network, node',
  `
    at DateTime('UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), network LowCardinality(String), node LowCardinality(String), requests UInt64, built UInt64
  `,
)

export const EDGE_TRAFFIC = sums(
  'edge_traffic',
  'organization, site, at, domain, cdn, country, status, cache_status',
  `
    at DateTime('UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), cdn LowCardinality(String), country LowCardinality(String),
    status UInt16, cache_status LowCardinality(String), requests UInt64, bytes UInt64, built UInt64
  `,
)

// One row for all paths, so that a newer build replaces them all: which are the most requested changes with late rows.
export const EDGE_PATHS = sums(
  'edge_paths',
  'organization, site, at, domain',
  `
    at DateTime('UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String),
    requests Map(String, UInt64), bytes Map(String, UInt64), hits Map(String, UInt64), built UInt64
  `,
)

// One row for a bucket, so that what the vendor says later replaces all of it, values that are gone included.
// Dimensions are told each by itself: requests and bytes by value, nothing where the vendor tells nothing.
const TOLD = ['status', 'cache', 'country']
  .map((dimension) => `${dimension} Map(String, UInt64), ${dimension}_bytes Map(String, UInt64)`)
  .join(', ')

export const VENDOR_TRAFFIC = sums(
  'vendor_traffic',
  'organization, site, at, domain, cdn',
  `
    at DateTime('UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), cdn LowCardinality(String),
    seconds UInt32, billed UInt8, requests UInt64, bytes UInt64, ${TOLD}, built UInt64
  `,
)

/** Which migrations were done. */
export const DONE_MIGRATIONS: TableDescription = {
  name: 'fairway_migrations',
  kind: 'migrations',
  orderBy: 'number',
  columns: `number UInt32, name String, applied_at DateTime('UTC') DEFAULT now()`,
}
