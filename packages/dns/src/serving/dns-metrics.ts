import { makeMetrics } from '@fairway/platform'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { EncryptedListeners } from '../listen/encrypted.ts'
import type { Handler } from '../listen/handler.ts'
import type { RateLimit } from '../listen/rate-limit.ts'
import type { Notifier } from '../transfer/notifier.ts'
import type { Transfers } from '../transfer/transfers.ts'
import type { Listeners } from '../listen/listen.ts'
import type { Zones } from '../segment/zones.ts'
import type { Steering } from '../steering/steering.ts'
import type { AnswerCounts } from './answer-counts.ts'
import type { BuilderLink } from './builder-link.ts'
import type { QueryLog } from './query-log.ts'
import type { RequestLog } from './request-log.ts'
import type { ServedZones } from './served-zones.ts'

export type Measured = { counts: AnswerCounts; handler: Handler; limit: RateLimit; transfers: Transfers; notifier: Notifier; listeners: Listeners; encrypted: EncryptedListeners; zones: Zones; served: ServedZones; steering: Steering; builder: BuilderLink; queryLog: QueryLog; requestLog: RequestLog }

/** The role's figures in Prometheus form, read when they are asked for. */
export function dnsMetrics(measured: Measured): () => Promise<string> {
  const { counts, handler, limit, transfers, notifier, listeners, encrypted, zones, served, steering, builder, queryLog, requestLog } = measured
  const registers = [makeMetrics('dns')]
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const total = (name: string, help: string, read: () => number) => new Counter({ name: `fairway_dns_${name}_total`, help, registers, collect() { this.reset(); this.inc(read()) } })
  const now = (name: string, help: string, read: () => number) => new Gauge({ name: `fairway_dns_${name}`, help, registers, collect() { this.set(read()) } })

  byRcode(counts, registers)
  total('steered_answers', 'Answers that steering decided', () => counts.steered)
  total('truncated_answers', 'Answers cut off at the size that the client takes', () => counts.truncated)
  total('answer_failures', 'Answers that failed inside the server', () => handler.failures)
  total('rate_limited', 'Answers left out or cut because the same went to one network too often', () => limit.suppressed)
  total('transfers', 'Zone transfers given', () => transfers.served)
  total('transfers_refused', 'Zone transfers refused', () => transfers.refused)
  total('notices', 'Notices of changes heard from primaries', () => transfers.notices.heard)
  total('notices_refused', 'Notices of changes refused', () => transfers.notices.refused)
  total('notifies', 'Notices of changes sent to secondaries', () => notifier.sent)
  total('udp_received', 'Datagrams received', () => sum(listeners.udp.map(({ counters }) => counters.received - counters.own)))
  total('udp_dropped', 'Datagrams not answered because the kernel takes no more answers', () => sum(listeners.udp.map(({ counters }) => counters.dropped)))
  total('udp_send_errors', 'Answers that the kernel refused', () => sum(listeners.udp.map(({ counters }) => counters.sendErrors)))
  total('udp_batch_faults', 'Times that receiving and sending in batches was ended because it did not work', () => sum(listeners.udp.map(({ counters }) => counters.faults)))
  now('udp_batches', 'Addresses whose datagrams are taken in batches', () => listeners.udp.filter(({ transport }) => transport() === 'mmsg').length)
  total('tcp_connections', 'TCP connections accepted', () => sum(listeners.tcp.map(({ counters }) => counters.accepted)))
  total('tcp_refused', 'TCP connections refused by a limit', () => sum(listeners.tcp.map(({ counters }) => counters.refused)))
  for (const [name, title, listener] of [['tls', 'TLS', encrypted.tls], ['https', 'HTTPS', encrypted.https]] as const) {
    if (!listener) continue
    total(`${name}_connections`, `${title} connections accepted`, () => listener.counters.accepted)
    total(`${name}_refused`, `${title} connections refused by a limit`, () => listener.counters.refused)
  }
  total('decisions', 'Decisions made; each serves all alike visitors until something changes', () => steering.decisions)
  total('swaps', 'Zone versions put into service', () => served.swaps)
  total('refused_versions', 'Zone versions that could not be put into service', () => served.refused)
  total('builder_restarts', 'Times the builder process was started again', () => builder.restarts())
  total('query_log_dropped', 'Rows of the query log that could not be delivered', () => queryLog.dropped + requestLog.dropped)
  now('zones', 'Zones in service', () => zones.size)
  now('api_connected', '1 while the builder hears the API', () => Number(served.apiConnected))
  return () => registers[0]?.metrics() ?? Promise.resolve('')
}

function byRcode(counts: AnswerCounts, registers: Registry[]): Counter {
  return new Counter({
    name: 'fairway_dns_answers_total', help: 'Answers by transport and response code', labelNames: ['transport', 'rcode'], registers,
    collect() {
      this.reset()
      for (const { transport, rcode, answers } of counts.all()) this.inc({ transport, rcode }, answers)
    },
  })
}
