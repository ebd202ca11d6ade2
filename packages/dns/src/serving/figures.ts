import type { Handler } from '../listen/handler.ts'
import type { EncryptedListeners } from '../listen/encrypted.ts'
import type { Listeners } from '../listen/listen.ts'
import type { RateLimit } from '../listen/rate-limit.ts'
import type { UdpTransport } from '../listen/udp-options.ts'
import type { Zones } from '../segment/zones.ts'
import type { Steering } from '../steering/steering.ts'
import type { Transfers } from '../transfer/transfers.ts'
import type { AnswerCounts } from './answer-counts.ts'
import type { QueryLog } from './query-log.ts'
import type { RequestLog } from './request-log.ts'
import type { ServedZones } from './served-zones.ts'

export type Measured = {
  counts: AnswerCounts
  handler: Handler
  limit: RateLimit
  transfers: Transfers
  listeners: Listeners
  encrypted: EncryptedListeners
  zones: Zones
  served: ServedZones
  steering: Steering
  queryLog: QueryLog
  requestLog: RequestLog
}

/** What a server has counted since it started, and its state now. */
export type Figures = {
  answers: ReturnType<AnswerCounts['all']>
  counts: Counts
  zones: number
  transport: UdpTransport[]
  residentBytes: number
}
export type Counts = Record<
  | 'steered_answers'
  | 'truncated_answers'
  | 'answer_failures'
  | 'rate_limited'
  | 'transfers'
  | 'transfers_refused'
  | 'notices'
  | 'notices_refused'
  | 'udp_received'
  | 'udp_dropped'
  | 'udp_send_errors'
  | 'udp_batch_faults'
  | 'tcp_connections'
  | 'tcp_refused'
  | 'tls_connections'
  | 'tls_refused'
  | 'https_connections'
  | 'https_refused'
  | 'decisions'
  | 'swaps'
  | 'refused_versions'
  | 'query_log_dropped',
  number
>

export function figuresOf({
  counts,
  handler,
  limit,
  transfers,
  listeners,
  encrypted,
  zones,
  served,
  steering,
  queryLog,
  requestLog,
}: Measured): Figures {
  const udp = (read: (counters: Listeners['udp'][number]['counters']) => number) =>
    listeners.udp.reduce((sum, { counters }) => sum + read(counters), 0)
  const tcp = (read: (counters: Listeners['tcp'][number]['counters']) => number) =>
    listeners.tcp.reduce((sum, { counters }) => sum + read(counters), 0)
  return {
    answers: counts.all(),
    counts: {
      steered_answers: counts.steered,
      truncated_answers: counts.truncated,
      answer_failures: handler.failures,
      rate_limited: limit.suppressed,
      transfers: transfers.served,
      transfers_refused: transfers.refused,
      notices: transfers.notices.heard,
      notices_refused: transfers.notices.refused,
      udp_received: udp((counters) => counters.received - counters.own),
      udp_dropped: udp((counters) => counters.dropped),
      udp_send_errors: udp((counters) => counters.sendErrors),
      udp_batch_faults: udp((counters) => counters.faults),
      tcp_connections: tcp((counters) => counters.accepted),
      tcp_refused: tcp((counters) => counters.refused),
      tls_connections: encrypted.tls?.counters.accepted ?? 0,
      tls_refused: encrypted.tls?.counters.refused ?? 0,
      https_connections: encrypted.https?.counters.accepted ?? 0,
      https_refused: encrypted.https?.counters.refused ?? 0,
      decisions: steering.decisions,
      swaps: served.swaps,
      refused_versions: served.refused,
      query_log_dropped: queryLog.dropped + requestLog.dropped,
    },
    zones: zones.size,
    transport: listeners.udp.map(({ transport }) => transport()),
    residentBytes: process.memoryUsage.rss(),
  }
}

type Counted = Pick<Figures, 'answers' | 'counts'>

/** What several servers have counted together. */
export function added(one: Counted | null, other: Counted): Counted {
  if (!one) return other
  const answers = new Map(one.answers.map((row) => [`${row.transport} ${row.rcode}`, row]))
  for (const row of other.answers) {
    const key = `${row.transport} ${row.rcode}`
    answers.set(key, { ...row, answers: row.answers + (answers.get(key)?.answers ?? 0) })
  }
  const counts = Object.fromEntries(
    Object.entries(one.counts).map(([name, count]) => [name, count + other.counts[name as keyof Counts]]),
  ) as Counts
  return { answers: [...answers.values()], counts }
}
