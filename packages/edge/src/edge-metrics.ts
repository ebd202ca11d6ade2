import { makeMetrics } from '@fairway/platform'
import { Counter, Gauge } from 'prom-client'
import type { EdgeAgent } from './agent.ts'
import type { Shipper } from './requests/ship.ts'

/** Figures for Prometheus: what the agent knows, what nginx counted since its start, what was shipped. */
export function edgeMetrics(agent: EdgeAgent, shipper: Shipper): () => Promise<string> {
  const registry = makeMetrics('edge')
  const registers = [registry]
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers })
  const up = new Gauge({ name: 'fairway_edge_nginx_up', help: '1 while nginx serves', registers })
  const restarts = counter('fairway_edge_nginx_restarts_total', 'Restarts of nginx since the agent started')
  const events = counter('fairway_edge_events_total', 'Counted by nginx since its start', ['what'])
  const requests = counter('fairway_edge_log_requests_total', 'Logged requests by what became of them', ['outcome'])
  const spoolBytes = new Gauge({
    name: 'fairway_edge_log_spool_bytes',
    help: 'Logged requests waiting for the collector',
    registers,
  })
  const free = new Gauge({
    name: 'fairway_edge_policies_free_bytes',
    help: 'Room for what customers set',
    registers,
  })
  const size = new Gauge({
    name: 'fairway_edge_policies_size_bytes',
    help: 'Memory for what customers set, all of it',
    registers,
  })
  return async () => {
    // Others count: what they say now takes the place of what they said before.
    for (const one of [restarts, events, requests]) one.reset()
    up.set(agent.nginx.running() ? 1 : 0)
    restarts.inc(agent.nginx.restarts())
    const state = await agent.state()
    for (const [what, value] of Object.entries(state?.counters ?? {})) events.inc({ what }, value)
    free.set(state?.policies.free ?? 0)
    size.set(state?.policies.size ?? 0)
    const { spoolBytes: waiting, ...outcomes } = shipper.counts()
    for (const [outcome, value] of Object.entries(outcomes)) requests.inc({ outcome }, value)
    spoolBytes.set(waiting)
    return registry.metrics()
  }
}
