import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client'

/** The library's own histogram is left asleep: by its timer each process would wake a hundred times a second. */
const ASLEEP_MS = 3_600_000

type Histogram = ReturnType<typeof monitorEventLoopDelay>
const LAGS: readonly [name: string, of: (histogram: Histogram) => number][] = [
  ['min', (histogram) => histogram.min],
  ['max', (histogram) => histogram.max],
  ['mean', (histogram) => histogram.mean],
  ['stddev', (histogram) => histogram.stddev],
  ['p50', (histogram) => histogram.percentile(50)],
  ['p90', (histogram) => histogram.percentile(90)],
  ['p99', (histogram) => histogram.percentile(99)],
]

/** A registry with the process's own figures; every series carries the role. */
export function makeMetrics(role: string): Registry {
  const registry = new Registry()
  registry.setDefaultLabels({ role })
  collectDefaultMetrics({ register: registry, prefix: 'fairway_', eventLoopMonitoringPrecision: ASLEEP_MS })
  measureLag(registry)
  return registry
}

/** How long each turn of the event loop took since it was last asked, under the names that the library has for it. */
function measureLag(registry: Registry): void {
  const histogram = monitorEventLoopDelay({ samplePerIteration: true })
  histogram.enable()
  // In its order, so the last one begins anew.
  for (const [at, [name, of]] of LAGS.entries()) {
    const full = `fairway_nodejs_eventloop_lag_${name}_seconds`
    registry.removeSingleMetric(full)
    const gauge = new Gauge({
      name: full,
      help: `Turns of the event loop without waiting, ${name}.`,
      registers: [],
      collect() {
        this.set(histogram.count === 0 ? 0 : of(histogram) / 1e9)
        if (at === LAGS.length - 1) histogram.reset()
      },
    })
    registry.registerMetric(gauge)
  }
}
