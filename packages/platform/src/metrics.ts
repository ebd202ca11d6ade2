import { Registry, collectDefaultMetrics } from 'prom-client'

/** A registry with the process's own figures; every series carries the role. */
export function makeMetrics(role: string): Registry {
  const registry = new Registry()
  registry.setDefaultLabels({ role })
  collectDefaultMetrics({ register: registry, prefix: 'fairway_' })
  return registry
}
