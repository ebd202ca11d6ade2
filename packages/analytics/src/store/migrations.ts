import * as tables from './table-descriptions.ts'
import type { TableDescription } from './table-descriptions.ts'
import type { RawTable } from './tables.ts'

/** A step of a migration: a table, or a column of one that is there. Each may be done twice. */
export type Change = { create: TableDescription } | { widen: RawTable; column: string; type: string }

const create = (...described: TableDescription[]): Change[] => described.map((one) => ({ create: one }))
const widen = (table: RawTable, columns: Record<string, string>): Change[] =>
  Object.entries(columns).map(([column, type]) => ({ widen: table, column, type }))
/** The tables of each grain together: all of the minutes, then all of the hours. */
const byGrain = (...all: TableDescription[][]): TableDescription[] =>
  (all[0] ?? []).flatMap((_, grain) => all.flatMap((one) => one[grain] ?? []))

/** Forward only: a step, once released, is never changed; the next one corrects it. */
export const MIGRATIONS: { number: number; name: string; changes: Change[] }[] = [
  {
    number: 1,
    name: 'raw tables',
    changes: create(tables.BEACONS, tables.PROBES, tables.DNS_ANSWERS, tables.EDGE_REQUESTS),
  },
  { number: 2, name: 'rollups', changes: create(...tables.MEASURES, ...tables.DNS_ANSWER_COUNTS) },
  {
    number: 3,
    name: 'DNS requests',
    changes: create(
      tables.DNS_REQUESTS,
      tables.DNS_NETWORKS,
      tables.DNS_SAMPLES,
      ...byGrain(tables.DNS_REQUEST_COUNTS, tables.DNS_NETWORK_COUNTS),
    ),
  },
  {
    number: 4,
    name: 'edge traffic',
    changes: [
      ...widen('edge_requests', { id: 'String' }),
      ...create(...byGrain(tables.EDGE_TRAFFIC, tables.EDGE_PATHS)),
    ],
  },
  { number: 5, name: 'traffic of vendors', changes: create(...tables.VENDOR_TRAFFIC) },
  {
    number: 6,
    name: 'why the cache was passed',
    changes: widen('edge_requests', { why: 'LowCardinality(String)' }),
  },
  { number: 7, name: 'who beacons come from, as a hash', changes: widen('beacons', { subnet: 'UInt32' }) },
  {
    number: 8,
    name: 'what web security did',
    changes: [
      ...widen('edge_requests', { weight: 'UInt32 DEFAULT 1' }),
      ...create(tables.SECURITY_EVENTS, ...tables.SECURITY_COUNTS),
    ],
  },
  { number: 9, name: 'requests that rules are tried on', changes: create(tables.RECORDED_REQUESTS) },
  {
    number: 10,
    name: 'posts, and what is measured apart',
    // A column each: `rtt_ms` stays the first byte in old rows and new ones.
    changes: widen('beacons', {
      post: 'UInt64',
      connect_ms: 'Float32',
      tls_ms: 'Float32',
      round_ms: 'Float32',
      mbps: 'Float32',
      task_ms: 'Float32',
      requests: 'UInt16',
      page_bytes: 'UInt32',
    }),
  },
  {
    number: 11,
    name: 'round trips of the edge',
    changes: widen('edge_requests', { rtt_ms: 'Float32', network: 'LowCardinality(String)' }),
  },
  { number: 12, name: 'failed requests that browsers report', changes: create(tables.NETWORK_REPORTS) },
  { number: 13, name: 'forms of requests, that schemas are learned from', changes: create(tables.REQUEST_SHAPES) },
  {
    number: 14,
    name: 'what players of videos tell',
    changes: create(tables.PLAYER_EVENTS, tables.STREAM_SEGMENTS),
  },
  {
    number: 15,
    name: 'measurements of the whole world, for lines over time',
    changes: create(...tables.WORLD_MEASURES),
  },
  {
    number: 16,
    name: 'what viewers got from each other',
    changes: widen('player_events', {
      peer_group: 'LowCardinality(String)',
      peer_bytes: 'UInt64',
      cdn_bytes: 'UInt64',
      refused_pieces: 'UInt32',
    }),
  },
  { number: 17, name: 'which batches were taken', changes: create(tables.TAKEN_BATCHES) },
]

/** Every table that holds events or sums of them. */
export const EVENT_TABLES: TableDescription[] = MIGRATIONS.flatMap(({ changes }) =>
  changes.flatMap((change) => ('create' in change ? [change.create] : [])),
)

/** Columns of a table with those that migrations have added, as a server that comes later has to make them. */
export function columnsOf(table: TableDescription): string {
  const added = MIGRATIONS.flatMap(({ changes }) =>
    changes.flatMap((change) =>
      'widen' in change && change.widen === table.name ? [`${change.column} ${change.type}`] : [],
    ),
  )
  return [table.columns.trim(), ...added].join(', ')
}
