import { makeMetrics } from '@fairway/platform'
import { Counter, Gauge } from 'prom-client'
import type { Counts, Figures } from '../serving/figures.ts'
import type { BuilderLink } from './builder-link.ts'
import type { Servers } from './servers.ts'

export type Measured = { servers: Servers; builder: BuilderLink; isEncrypted: { tls: boolean; https: boolean } }

const HELP: Record<keyof Counts, string> = {
  steered_answers: 'Answers that steering decided',
  truncated_answers: 'Answers cut off at the size that the client takes',
  answer_failures: 'Answers that failed inside the server',
  rate_limited: 'Answers left out or cut because the same went to one network too often',
  transfers: 'Zone transfers given',
  transfers_refused: 'Zone transfers refused',
  notices: 'Notices of changes heard from primaries',
  notices_refused: 'Notices of changes refused',
  udp_received: 'Datagrams received',
  udp_dropped: 'Datagrams not answered because the kernel takes no more answers',
  udp_send_errors: 'Answers that the kernel refused',
  udp_batch_faults: 'Times that receiving and sending in batches was ended because it did not work',
  tcp_connections: 'TCP connections accepted',
  tcp_refused: 'TCP connections refused by a limit',
  tls_connections: 'TLS connections accepted',
  tls_refused: 'TLS connections refused by a limit',
  https_connections: 'HTTPS connections accepted',
  https_refused: 'HTTPS connections refused by a limit',
  decisions: 'Decisions made; each serves all alike visitors of one process until something changes',
  swaps: 'Zone versions put into service, by each process',
  refused_versions: 'Zone versions that could not be put into service',
  query_log_dropped: 'Rows of the query log that could not be delivered',
}

/** The node's figures in Prometheus form, summed over its processes, read when they are asked for. */
export function dnsMetrics({ servers, builder, isEncrypted }: Measured): () => Promise<string> {
  const registry = makeMetrics('dns')
  const registers = [registry]
  let read: { together: Pick<Figures, 'answers' | 'counts'> | null; each: Figures[] } = { together: null, each: [] }
  const total = (name: string, help: string, value: () => number) =>
    new Counter({
      name: `fairway_dns_${name}_total`,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(value())
      },
    })
  const now = (name: string, help: string, value: () => number) =>
    new Gauge({
      name: `fairway_dns_${name}`,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })

  const answers = new Counter({
    name: 'fairway_dns_answers_total',
    help: 'Answers by transport and response code',
    labelNames: ['transport', 'rcode'],
    registers,
  })
  const memory = new Gauge({
    name: 'fairway_dns_process_resident_bytes',
    help: 'Memory of each process that answers, with what it shares with others',
    labelNames: ['process'],
    registers,
  })
  for (const [name, help] of Object.entries(HELP)) {
    if ((name.startsWith('tls_') && !isEncrypted.tls) || (name.startsWith('https_') && !isEncrypted.https)) continue
    total(name, help, () => read.together?.counts[name as keyof Counts] ?? 0)
  }
  total('notifies', 'Notices of changes sent to secondaries', () => builder.notifies)
  total('builder_restarts', 'Times the builder process was started again', () => builder.restarts)
  total('process_restarts', 'Times a process that answers was started again', () =>
    servers.all().reduce((sum, { restarts }) => sum + restarts, 0),
  )
  now('processes', 'Processes that answer', () => servers.listening().length)
  now(
    'udp_batches',
    'Processes that take datagrams in batches',
    () => read.each.filter(({ transport }) => transport.includes('mmsg')).length,
  )
  now('zones', 'Zones in service', () => Math.max(0, ...read.each.map(({ zones }) => zones)))
  now('api_connected', '1 while the builder hears the API', () => Number(builder.state.connected))
  return async () => {
    read = await servers.figures()
    answers.reset()
    for (const { transport, rcode, answers: count } of read.together?.answers ?? [])
      answers.inc({ transport, rcode }, count)
    memory.reset()
    for (const { number, figures } of servers.all()) if (figures) memory.set({ process: number }, figures.residentBytes)
    return registry.metrics()
  }
}
