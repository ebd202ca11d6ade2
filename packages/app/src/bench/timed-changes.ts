import { setTimeout as sleep } from 'node:timers/promises'
import { FEATURES } from '@fairway/contract'
import { type DnsClient, textOf } from '../dns-client.ts'
import type { Installation } from '../installation/start-installation.ts'
import { quantile, table } from './figures.ts'

export const CHANGES = 200
/** Changes of a zone that takes long for each end when this is over. */
const CHANGES_WITHIN_MS = 180_000

/** From the start of the call to its answer, and to the DNS answering by it. */
export type TimedChange = { answeredMs: number; servedMs: number }

/** Adds a record to one zone after the other, each when the one before is served; `prefix` names them. */
export async function timeChanges(
  installation: Installation,
  dns: DnsClient,
  zones: readonly { site: string; origin: string }[],
  prefix = 'bench',
): Promise<TimedChange[]> {
  const measured: TimedChange[] = []
  const begun = performance.now()
  for (let i = 0; i < CHANGES && performance.now() - begun < CHANGES_WITHIN_MS; i++) {
    const zone = zones[(i * 37) % zones.length]
    if (!zone) break
    const started = performance.now()
    await installation.api(FEATURES.dnsRecords.routes.create, {
      site: zone.site,
      type: 'TXT',
      name: `${prefix}${i}`,
      value: `change ${i}`,
    })
    const answeredMs = performance.now() - started
    const name = `${prefix}${i}.${zone.origin}`
    while (textOf(await dns.ask({ name, type: 'TXT' })) !== `change ${i}`) {
      if (performance.now() - started > 60_000) throw new Error(`${name} was not served within a minute`)
      await sleep(1)
    }
    measured.push({ answeredMs, servedMs: performance.now() - started })
  }
  return measured
}

/** A table of how long they took. */
export function tellChanges(say: (line: string) => void, where: string, changed: readonly TimedChange[]): void {
  say(`\n${where}; ${changed.length} changes, one after the other, time from the call's start`)
  const row = (name: string, values: number[]) => [
    name,
    ...[0.5, 0.95, 0.99, 1].map((share) => quantile(values, share).toFixed(0)),
  ]
  say(
    table([
      ['ms', 'p50', 'p95', 'p99', 'max'],
      row(
        'API answered',
        changed.map((one) => one.answeredMs),
      ),
      row(
        'DNS answers the change',
        changed.map((one) => one.servedMs),
      ),
    ]),
  )
}
