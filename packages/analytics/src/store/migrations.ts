// Raw rows live 30 days in parts of one day each, dropped whole. A batch repeated with its token within the last
// thousand is not written twice.
const RAW = `PARTITION BY toYYYYMMDD(at) TTL toDateTime(at) + INTERVAL 30 DAY SETTINGS ttl_only_drop_parts = 1, non_replicated_deduplication_window = 1000`

type Grain = 'minute' | 'hour' | 'day'
// The newest build of a row replaces older ones, so a step can be run again over any range.
const KEPT: Record<Grain, string> = {
  minute: 'PARTITION BY toYYYYMMDD(at) TTL at + INTERVAL 8 DAY SETTINGS ttl_only_drop_parts = 1',
  hour: 'PARTITION BY toYYYYMM(at) TTL at + INTERVAL 400 DAY SETTINGS ttl_only_drop_parts = 1',
  day: 'PARTITION BY toYear(at)',
}

/** Forward only: a step, once released, is never changed; the next one corrects it. Every statement may run twice. */
export const MIGRATIONS: { number: number; name: string; statements: string[] }[] = [
  { number: 1, name: 'raw tables', statements: [beacons(), probes(), dnsAnswers(), edgeRequests()] },
  {
    number: 2,
    name: 'rollups',
    statements: [
      ...(['minute', 'hour', 'day'] as const).map(measures),
      ...(['minute', 'hour', 'day'] as const).map(dnsAnswerCounts),
    ],
  },
  {
    number: 3,
    name: 'DNS requests',
    statements: [
      dnsRequests(),
      dnsNetworks(),
      dnsSamples(),
      ...(['minute', 'hour', 'day'] as const).flatMap((grain) => [dnsRequestCounts(grain), dnsNetworkCounts(grain)]),
    ],
  },
  {
    number: 4,
    name: 'edge traffic',
    statements: [
      `ALTER TABLE edge_requests ADD COLUMN IF NOT EXISTS id String`,
      ...(['minute', 'hour', 'day'] as const).flatMap((grain) => [edgeTraffic(grain), edgePaths(grain)]),
    ],
  },
  { number: 5, name: 'traffic of vendors', statements: (['minute', 'hour', 'day'] as const).map(vendorTraffic) },
  {
    number: 6,
    name: 'why the cache was passed',
    statements: [`ALTER TABLE edge_requests ADD COLUMN IF NOT EXISTS why LowCardinality(String)`],
  },
  {
    number: 7,
    name: 'who beacons come from, as a hash',
    statements: [`ALTER TABLE beacons ADD COLUMN IF NOT EXISTS subnet UInt32`],
  },
  {
    number: 8,
    name: 'what web security did',
    statements: [
      `ALTER TABLE edge_requests ADD COLUMN IF NOT EXISTS weight UInt32 DEFAULT 1`,
      securityEvents(),
      ...(['minute', 'hour', 'day'] as const).map(securityCounts),
    ],
  },
  { number: 9, name: 'requests that rules are tried on', statements: [recordedRequests()] },
  {
    number: 10,
    name: 'posts, and what is measured apart',
    // A column each: `rtt_ms` stays the first byte in old rows and new ones.
    statements: [
      ['post', 'UInt64'],
      ...['connect_ms', 'tls_ms', 'round_ms', 'mbps', 'task_ms'].map((column) => [column, 'Float32']),
      ['requests', 'UInt16'],
      ['page_bytes', 'UInt32'],
    ].map(([column, type]) => `ALTER TABLE beacons ADD COLUMN IF NOT EXISTS ${column} ${type}`),
  },
  {
    number: 11,
    name: 'round trips of the edge',
    statements: [
      'ALTER TABLE edge_requests ADD COLUMN IF NOT EXISTS rtt_ms Float32',
      'ALTER TABLE edge_requests ADD COLUMN IF NOT EXISTS network LowCardinality(String)',
    ],
  },
  { number: 12, name: 'failed requests that browsers report', statements: [networkReports()] },
  { number: 13, name: 'forms of requests, that schemas are learned from', statements: [requestShapes()] },
  { number: 14, name: 'what players of videos tell', statements: [playerEvents(), streamSegments()] },
  {
    number: 15,
    name: 'measurements of the whole world, for lines over time',
    statements: (['hour', 'day'] as const).map(worldMeasures),
  },
  {
    number: 16,
    name: 'what viewers got from each other',
    statements: [
      ['peer_group', 'LowCardinality(String)'],
      ['peer_bytes', 'UInt64'],
      ['cdn_bytes', 'UInt64'],
      ['refused_pieces', 'UInt32'],
    ].map(([column, type]) => `ALTER TABLE player_events ADD COLUMN IF NOT EXISTS ${column} ${type}`),
  },
  { number: 17, name: 'which batches were taken', statements: [takenBatches()] },
]

function networkReports(): string {
  return `CREATE TABLE IF NOT EXISTS network_reports (
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), domain LowCardinality(String), cdn LowCardinality(String),
    continent LowCardinality(String), country LowCardinality(String), region LowCardinality(String), city LowCardinality(String), network LowCardinality(String),
    subnet UInt32, ok UInt8, type LowCardinality(String), weight UInt32
  ) ENGINE = MergeTree ORDER BY (organization, at) ${RAW}`
}

// What several collectors took, in one order. All of a place is one part, so that its token is taken once, and tokens
// are known for longer than any insert may be under way; names are remembered for as long as a collector may be away and come back with what another one was sent again.
function takenBatches(): string {
  return `CREATE TABLE IF NOT EXISTS taken_batches (
    table LowCardinality(String), batch UInt64, slot UInt64, segment String, at DateTime64(3, 'UTC') DEFAULT now64(3)
  ) ENGINE = MergeTree ORDER BY (table, batch) PARTITION BY intDiv(slot, 5000) TTL toDateTime(at) + INTERVAL 3 DAY SETTINGS ttl_only_drop_parts = 1, non_replicated_deduplication_window = 10000`
}

function playerEvents(): string {
  return `CREATE TABLE IF NOT EXISTS player_events (
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), source LowCardinality(String), kind LowCardinality(String), view String, viewer UInt64,
    event LowCardinality(String), post UInt32, position_ms Int64, watched_ms UInt32, ms Int32, reached Int16, bitrate Int32, height Int32, cdn LowCardinality(String), buffer_ms Int32, throughput Int32,
    segment_age_ms Int32, error LowCardinality(String), fatal UInt8, session String, country LowCardinality(String), network LowCardinality(String), device LowCardinality(String), player LowCardinality(String)
  ) ENGINE = MergeTree ORDER BY (organization, at) ${RAW}`
}

function streamSegments(): string {
  return `CREATE TABLE IF NOT EXISTS stream_segments (
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), source LowCardinality(String), view String, cdn LowCardinality(String), node LowCardinality(String),
    country LowCardinality(String), network LowCardinality(String), path String, status UInt16, bytes UInt64, ms Float32, cache_status LowCardinality(String), object LowCardinality(String),
    bitrate Int32, throughput Int32, duration_ms Int32, buffer_ms Int32, starved UInt8
  ) ENGINE = MergeTree ORDER BY (organization, source, at) ${RAW}`
}

function securityEvents(): string {
  return `CREATE TABLE IF NOT EXISTS security_events (
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), cdn LowCardinality(String),
    node LowCardinality(String), id String, part LowCardinality(String), action LowCardinality(String), rule LowCardinality(String), reason LowCardinality(String),
    address String, country LowCardinality(String), network LowCardinality(String), host LowCardinality(String), method LowCardinality(String), path String, query String, agent String,
    field LowCardinality(String), field_name String, matched String, status UInt16, bytes UInt64, weight UInt32
  ) ENGINE = MergeTree ORDER BY (organization, site, at) ${RAW}`
}

function recordedRequests(): string {
  return `CREATE TABLE IF NOT EXISTS recorded_requests (
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), node LowCardinality(String), id String,
    method LowCardinality(String), path String, country LowCardinality(String), request String CODEC(ZSTD), weight UInt32
  ) ENGINE = MergeTree ORDER BY (organization, site, domain, at) ${RAW}`
}

// Learned from within seconds, and looked back at for a day.
function requestShapes(): string {
  return `CREATE TABLE IF NOT EXISTS request_shapes (
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), node LowCardinality(String), id String,
    method LowCardinality(String), status UInt16, client String, shape String CODEC(ZSTD), weight UInt32
  ) ENGINE = MergeTree ORDER BY (organization, site, domain, at) ${RAW.replace('30 DAY', '3 DAY')}`
}

function securityCounts(grain: Grain): string {
  return `CREATE TABLE IF NOT EXISTS security_counts_${grain} (
    at DateTime('UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), part LowCardinality(String), action LowCardinality(String),
    rule LowCardinality(String), reason LowCardinality(String), country LowCardinality(String), requests UInt64, bytes UInt64, built UInt64
  ) ENGINE = ReplacingMergeTree(built) ORDER BY (organization, site, at, domain, part, action, rule, reason, country) ${KEPT[grain]}`
}

function dnsRequests(): string {
  return `CREATE TABLE IF NOT EXISTS dns_requests (
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), name LowCardinality(String), type LowCardinality(String), rcode LowCardinality(String),
    node LowCardinality(String), requests UInt32
  ) ENGINE = MergeTree ORDER BY (organization, site, at) ${RAW}`
}

function dnsNetworks(): string {
  return `CREATE TABLE IF NOT EXISTS dns_networks (
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), network LowCardinality(String), node LowCardinality(String), requests UInt32
  ) ENGINE = MergeTree ORDER BY (organization, site, at) ${RAW}`
}

function dnsSamples(): string {
  return `CREATE TABLE IF NOT EXISTS dns_samples (
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), node LowCardinality(String), name String, type LowCardinality(String),
    rcode LowCardinality(String), cdn LowCardinality(String), strategy LowCardinality(String), country LowCardinality(String), network LowCardinality(String), client String, scoped UInt8, transport LowCardinality(String)
  ) ENGINE = MergeTree ORDER BY (organization, site, at) ${RAW}`
}

function beacons(): string {
  return `CREATE TABLE IF NOT EXISTS beacons (
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), cdn LowCardinality(String),
    continent LowCardinality(String), country LowCardinality(String), region LowCardinality(String), city LowCardinality(String), network LowCardinality(String),
    ok UInt8, rtt_ms Float32
  ) ENGINE = MergeTree ORDER BY (organization, at) ${RAW}`
}

function probes(): string {
  return `CREATE TABLE IF NOT EXISTS probes (
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), cdn LowCardinality(String), node LowCardinality(String),
    ok UInt8, rtt_ms Float32, error LowCardinality(String)
  ) ENGINE = MergeTree ORDER BY (organization, at) ${RAW}`
}

function dnsAnswers(): string {
  return `CREATE TABLE IF NOT EXISTS dns_answers (
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), cdn LowCardinality(String),
    country LowCardinality(String), node LowCardinality(String), answers UInt32
  ) ENGINE = MergeTree ORDER BY (organization, site, at) ${RAW}`
}

function edgeRequests(): string {
  return `CREATE TABLE IF NOT EXISTS edge_requests (
    at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), cdn LowCardinality(String),
    node LowCardinality(String), host LowCardinality(String), method LowCardinality(String), path String, status UInt16, bytes UInt64, ms Float32, cache_status LowCardinality(String),
    client String, country LowCardinality(String)
  ) ENGINE = MergeTree ORDER BY (organization, site, at) ${RAW}`
}

function measures(grain: Grain): string {
  return `CREATE TABLE IF NOT EXISTS measures_${grain} (
    at DateTime('UTC') CODEC(DoubleDelta, ZSTD), source LowCardinality(String), organization LowCardinality(String), cdn LowCardinality(String), country LowCardinality(String),
    samples UInt64, successes UInt64, rtt Map(Int16, UInt64), built UInt64
  ) ENGINE = ReplacingMergeTree(built) ORDER BY (organization, source, at, cdn, country) ${KEPT[grain]}`
}

function worldMeasures(grain: Grain): string {
  return `CREATE TABLE IF NOT EXISTS measures_world_${grain} (
    at DateTime('UTC') CODEC(DoubleDelta, ZSTD), source LowCardinality(String), organization LowCardinality(String), cdn LowCardinality(String),
    samples UInt64, successes UInt64, rtt Map(Int16, UInt64), built UInt64
  ) ENGINE = ReplacingMergeTree(built) ORDER BY (organization, source, at, cdn) ${KEPT[grain]}`
}

function dnsAnswerCounts(grain: Grain): string {
  return `CREATE TABLE IF NOT EXISTS dns_answers_${grain} (
    at DateTime('UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), cdn LowCardinality(String), country LowCardinality(String),
    answers UInt64, built UInt64
  ) ENGINE = ReplacingMergeTree(built) ORDER BY (organization, site, at, domain, cdn, country) ${KEPT[grain]}`
}

function dnsRequestCounts(grain: Grain): string {
  return `CREATE TABLE IF NOT EXISTS dns_requests_${grain} (
    at DateTime('UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), name LowCardinality(String), type LowCardinality(String), rcode LowCardinality(String), node LowCardinality(String),
    requests UInt64, built UInt64
  ) ENGINE = ReplacingMergeTree(built) ORDER BY (organization, site, at, name, type, rcode, node) ${KEPT[grain]}`
}

function dnsNetworkCounts(grain: Grain): string {
  return `CREATE TABLE IF NOT EXISTS dns_networks_${grain} (
    at DateTime('UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), network LowCardinality(String), node LowCardinality(String), requests UInt64, built UInt64
  ) ENGINE = ReplacingMergeTree(built) ORDER BY (organization, site, at, network, node) ${KEPT[grain]}`
}

function edgeTraffic(grain: Grain): string {
  return `CREATE TABLE IF NOT EXISTS edge_traffic_${grain} (
    at DateTime('UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), cdn LowCardinality(String), country LowCardinality(String),
    status UInt16, cache_status LowCardinality(String), requests UInt64, bytes UInt64, built UInt64
  ) ENGINE = ReplacingMergeTree(built) ORDER BY (organization, site, at, domain, cdn, country, status, cache_status) ${KEPT[grain]}`
}

// One row for all paths, so that a newer build replaces them all: which are the most requested changes with late rows.
function edgePaths(grain: Grain): string {
  return `CREATE TABLE IF NOT EXISTS edge_paths_${grain} (
    at DateTime('UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String),
    requests Map(String, UInt64), bytes Map(String, UInt64), hits Map(String, UInt64), built UInt64
  ) ENGINE = ReplacingMergeTree(built) ORDER BY (organization, site, at, domain) ${KEPT[grain]}`
}

// One row for a bucket, so that what the vendor says later replaces all of it, values that are gone included.
// Dimensions are told each by itself: requests and bytes by value, nothing where the vendor tells nothing.
function vendorTraffic(grain: Grain): string {
  const told = ['status', 'cache', 'country']
    .map((dimension) => `${dimension} Map(String, UInt64), ${dimension}_bytes Map(String, UInt64)`)
    .join(', ')
  return `CREATE TABLE IF NOT EXISTS vendor_traffic_${grain} (
    at DateTime('UTC') CODEC(DoubleDelta, ZSTD), organization LowCardinality(String), site LowCardinality(String), domain LowCardinality(String), cdn LowCardinality(String),
    seconds UInt32, billed UInt8, requests UInt64, bytes UInt64, ${told}, built UInt64
  ) ENGINE = ReplacingMergeTree(built) ORDER BY (organization, site, at, domain, cdn) ${KEPT[grain]}`
}
