/** Columns of the raw tables as rows are written; times are `YYYY-MM-DD hh:mm:ss.mmm` in UTC. */
type SentRow = {
  at: string
  organization: string
  cdn: string
  continent: string
  country: string
  region: string
  city: string
  network: string
  /** Keyed hash of the /24 or /48, another one each day; 0 in rows from before it was kept. */
  subnet: number
  ok: 0 | 1
}
export type BeaconRow = SentRow & {
  /** First byte: from the request's start to the answer's. */
  rtt_ms: number
  /** Names the post; 0 in rows from before it was kept. What follows is 0 where it was not measured. */
  post?: number
  connect_ms?: number
  tls_ms?: number
  round_ms?: number
  mbps?: number
  /** What the script cost the page so far, in the first row of a post. */
  requests?: number
  page_bytes?: number
  task_ms?: number
}
/** A request that a browser reports (Network Error Logging): that it failed, or one of those that did not. */
export type NetworkReportRow = SentRow & {
  domain: string
  /** `ok`, or what failed, such as `tcp.timed_out`. */
  type: string
  /** How many requests it stands for: of those that did not fail only a part is reported. */
  weight: number
}
export type ProbeRow = {
  at: string
  organization: string
  cdn: string
  node: string
  ok: 0 | 1
  rtt_ms: number
  error: string
}
export type DnsAnswerRow = {
  at: string
  organization: string
  site: string
  domain: string
  cdn: string
  country: string
  node: string
  answers: number
}
export type DnsRequestRow = {
  at: string
  organization: string
  site: string
  name: string
  type: string
  rcode: string
  node: string
  requests: number
}
export type DnsNetworkRow = {
  at: string
  organization: string
  site: string
  network: string
  node: string
  requests: number
}
export type DnsSampleRow = {
  at: string
  organization: string
  site: string
  domain: string
  node: string
  name: string
  type: string
  rcode: string
  cdn: string
  strategy: string
  country: string
  network: string
  client: string
  scoped: 0 | 1
  transport: string
}
export type EdgeRequestRow = {
  at: string
  organization: string
  site: string
  domain: string
  cdn: string
  node: string
  host: string
  method: string
  path: string
  status: number
  bytes: number
  ms: number
  cache_status: string
  client: string
  country: string
  /** Request id. */
  id: string
  /** Why it did not come from the cache. */
  why: string
  /** How many requests the row stands for; `bytes` are those of all of them. */
  weight: number
  /** The kernel's round trip to the visitor; 0 is not told. */
  rtt_ms: number
  network: string
}
/** A request that rules are tried on: `request` is a `RecordedRequest` of the contract as JSON. */
export type RecordedRequestRow = {
  at: string
  organization: string
  site: string
  domain: string
  node: string
  id: string
  method: string
  path: string
  country: string
  request: string
  weight: number
}
/** The form of a request that was answered: `shape` is a `RequestShape` of the contract as JSON. */
export type RequestShapeRow = {
  at: string
  organization: string
  site: string
  domain: string
  node: string
  id: string
  method: string
  status: number
  client: string
  shape: string
  weight: number
}
/** What web security made of a request. Texts that are not known are empty. */
export type SecurityEventRow = {
  at: string
  organization: string
  site: string
  domain: string
  cdn: string
  node: string
  id: string
  part: string
  action: string
  rule: string
  reason: string
  address: string
  country: string
  network: string
  host: string
  method: string
  path: string
  query: string
  agent: string
  field: string
  field_name: string
  matched: string
  status: number
  bytes: number
  /** How many requests the row stands for. */
  weight: number
}
/** What a player told of a view. Texts that are not known are empty, numbers -1; `watched_ms` is 0 then. */
export type PlayerEventRow = {
  at: string
  organization: string
  source: string
  kind: 'asset' | 'live'
  view: string
  /** Keyed hash of address and device, another one each day; 53 bits. */
  viewer: number
  event: string
  post: number
  position_ms: number
  watched_ms: number
  ms: number
  reached: number
  bitrate: number
  height: number
  cdn: string
  buffer_ms: number
  throughput: number
  segment_age_ms: number
  error: string
  fatal: 0 | 1
  session: string
  country: string
  network: string
  device: string
  player: string
  /** Empty where peers are off, or nothing of them was told. */
  peer_group: '' | 'peers' | 'control'
  peer_bytes: number
  cdn_bytes: number
  refused_pieces: number
}
/** A segment of a video that a player which tells of itself (CMCD) was answered. */
export type StreamSegmentRow = {
  at: string
  organization: string
  source: string
  view: string
  cdn: string
  node: string
  country: string
  network: string
  path: string
  status: number
  bytes: number
  ms: number
  cache_status: string
  object: string
  bitrate: number
  throughput: number
  duration_ms: number
  buffer_ms: number
  starved: 0 | 1
}
/**
 * A rollup row of measurements. `rtt` counts successful round trips by logarithm (see `log-histogram.ts`); empty
 * country is "not told".
 */
export type MeasureRollupRow = {
  at: string
  source: 'rum' | 'sum'
  organization: string
  cdn: string
  country: string
  samples: number
  successes: number
  rtt: Record<string, number>
  built: number
}
export type DnsRequestRollupRow = {
  at: string
  organization: string
  site: string
  name: string
  type: string
  rcode: string
  node: string
  requests: number
  built: number
}
export type DnsRollupRow = {
  at: string
  organization: string
  site: string
  domain: string
  cdn: string
  country: string
  answers: number
  built: number
}

/** Requests at the edge and the bytes sent for them. */
export type EdgeTrafficRow = {
  at: string
  organization: string
  site: string
  domain: string
  cdn: string
  country: string
  status: number
  cache_status: string
  requests: number
  bytes: number
  built: number
}
/** The most requested paths of a domain by what they cost; the empty path is all others. */
export type EdgePathsRow = {
  at: string
  organization: string
  site: string
  domain: string
  requests: Record<string, number>
  bytes: Record<string, number>
  hits: Record<string, number>
  built: number
}

type Counts = Record<string, number>
/**
 * What a vendor's CDN served in `seconds` from `at` on. What is missing in a dimension to the whole is not told.
 * `billed`: it came through an account of the operator.
 */
export type VendorTrafficRow = {
  at: string
  organization: string
  site: string
  domain: string
  cdn: string
  seconds: number
  billed: 0 | 1
  requests: number
  bytes: number
  status: Counts
  status_bytes: Counts
  cache: Counts
  cache_bytes: Counts
  country: Counts
  country_bytes: Counts
  built: number
}

export type RawTable =
  | 'beacons'
  | 'probes'
  | 'network_reports'
  | 'dns_answers'
  | 'dns_requests'
  | 'dns_networks'
  | 'dns_samples'
  | 'edge_requests'
  | 'security_events'
  | 'recorded_requests'
  | 'request_shapes'
  | 'player_events'
  | 'stream_segments'
export type TableName =
  | RawTable
  | 'taken_batches'
  | `measures_${'minute' | 'hour' | 'day'}`
  | `measures_world_${'hour' | 'day'}`
  | `dns_${'answers' | 'requests' | 'networks'}_${'minute' | 'hour' | 'day'}`
  | `edge_${'traffic' | 'paths'}_${'minute' | 'hour' | 'day'}`
  | `security_counts_${'minute' | 'hour' | 'day'}`
  | `vendor_traffic_${'minute' | 'hour' | 'day'}`

/** Epoch milliseconds as the tables take them. */
export function storeTime(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').slice(0, 23)
}

/** Epoch milliseconds as rollup tables and questions take them: whole seconds. */
export function storeSecond(ms: number): string {
  return storeTime(ms).slice(0, 19)
}
