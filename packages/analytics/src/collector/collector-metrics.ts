import { makeMetrics } from '@fairway/platform'
import { Counter, Gauge } from 'prom-client'
import type { Spool } from './spool.ts'

/** The collector's figures: every beacon ends in exactly one `result`. */
export function collectorMetrics(spools: () => Record<string, Spool>, isElected: () => boolean = () => true) {
  const registry = makeMetrics('collector')
  const registers = [registry]
  const beacons = new Counter({
    name: 'fairway_collector_beacons_total',
    help: 'Beacons by what became of them',
    labelNames: ['result'],
    registers,
  })
  const samples = new Counter({
    name: 'fairway_collector_samples_total',
    help: 'Measurements of beacons by what became of them',
    labelNames: ['result'],
    registers,
  })
  const reports = new Counter({
    name: 'fairway_collector_reports_total',
    help: 'Network errors that browsers reported, by what became of them; of a post that was refused, the post',
    labelNames: ['result'],
    registers,
  })
  const views = new Counter({
    name: 'fairway_collector_view_posts_total',
    help: 'Posts of video players by what became of them',
    labelNames: ['result'],
    registers,
  })
  const feedPosts = new Counter({
    name: 'fairway_collector_feed_posts_total',
    help: 'Posts of outside feeds by what became of them',
    labelNames: ['result'],
    registers,
  })
  const posts = new Counter({
    name: 'fairway_collector_posts_total',
    help: 'Posts of nodes by path and status',
    labelNames: ['path', 'status'],
    registers,
  })
  const steering = new Counter({
    name: 'fairway_collector_steering_total',
    help: 'Questions of video players which CDN to take, by what became of them',
    labelNames: ['result'],
    registers,
  })
  const peers = new Counter({
    name: 'fairway_collector_peers_total',
    help: 'Questions of video players for their peers, and connections to rooms where they meet, by what became of them',
    labelNames: ['result'],
    registers,
  })
  const perTable = (name: string, help: string, figure: (state: ReturnType<Spool['state']>) => number) =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ['table'],
        registers: [],
        collect() {
          for (const [table, spool] of Object.entries(spools())) this.set({ table }, figure(spool.state()))
        },
      }),
    )
  perTable('fairway_collector_spool_bytes', 'Bytes that wait for the event store', (state) => state.waitingBytes)
  registry.registerMetric(
    new Counter({
      name: 'fairway_collector_stored_rows_total',
      help: 'Rows inserted since the start',
      labelNames: ['table'],
      registers: [],
      collect() {
        this.reset()
        for (const [table, spool] of Object.entries(spools())) this.inc({ table }, spool.state().storedRows)
      },
    }),
  )
  registry.registerMetric(
    new Counter({
      name: 'fairway_collector_repeated_batches_total',
      help: 'Batches that were left out because another collector had brought them to the event store',
      labelNames: ['table'],
      registers: [],
      collect() {
        this.reset()
        for (const [table, spool] of Object.entries(spools())) this.inc({ table }, spool.state().repeatedBatches)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'fairway_collector_elected',
      help: '1 while this collector is the one that publishes scores and keeps the rollups',
      registers: [],
      collect() {
        this.set(isElected() ? 1 : 0)
      },
    }),
  )
  perTable(
    'fairway_collector_refused_segments',
    'Files of rows that the store refused, kept for a look',
    (state) => state.refusedSegments,
  )
  return { registry, beacons, samples, reports, views, feedPosts, posts, steering, peers }
}
export type CollectorMetrics = ReturnType<typeof collectorMetrics>
