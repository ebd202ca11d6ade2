import { makeMetrics } from '@fairway/platform'
import { Gauge } from 'prom-client'
import type { EdgeAgent } from './agent.ts'
import type { Shipper } from './requests/ship.ts'

/** Figures for Prometheus: what the agent knows, what nginx counted since its start, what was shipped. */
export function edgeMetrics(agent: EdgeAgent, shipper: Shipper): () => Promise<string> {
  const registers = [makeMetrics('edge')]
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers })
  const up = gauge('fairway_edge_nginx_up', '1 while nginx serves')
  const restarts = gauge('fairway_edge_nginx_restarts', 'Restarts of nginx since the agent started')
  const events = gauge('fairway_edge_events', 'Counted by nginx since its start', ['what'])
  const requests = gauge('fairway_edge_log_requests', 'Logged requests by what became of them', ['outcome'])
  const spoolBytes = gauge('fairway_edge_log_spool_bytes', 'Logged requests waiting for the collector')
  return async () => {
    up.set(agent.nginx.running() ? 1 : 0)
    restarts.set(agent.nginx.restarts())
    for (const [what, value] of Object.entries((await agent.state())?.counters ?? {})) events.set({ what }, value)
    const { spoolBytes: waiting, ...outcomes } = shipper.counts()
    for (const [outcome, value] of Object.entries(outcomes)) requests.set({ outcome }, value)
    spoolBytes.set(waiting)
    return (await Promise.all(registers.map((registry) => registry.metrics()))).join('\n')
  }
}
