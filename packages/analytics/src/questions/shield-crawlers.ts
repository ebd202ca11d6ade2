import type { EventStore } from '../store/store.ts'
import { chartGrain } from './grain.ts'
import { type ShieldInput, shieldParameters, shieldRows } from './shield-source.ts'

type CrawlerCounts = { agent: string; verified: number; unverified: number; false: number }

/** Requests that bore a crawler's name, by what was known of their addresses. */
export async function shieldCrawlers(store: EventStore, input: ShieldInput): Promise<CrawlerCounts[]> {
  const now = Math.floor(input.now / 1000)
  const { level, from, until } = chartGrain(input.seconds, input.until ?? now, now)
  const { rows, count } = shieldRows(level, input)
  return store.query<CrawlerCounts>(
    `SELECT rule AS agent, ${['verified', 'unverified', 'false'].map((word) => `sumIf(${count}, reason = '${word}-crawler') AS ${word}`).join(', ')}
     FROM ${rows} AND part = 'bot-management' AND endsWith(reason, '-crawler') GROUP BY agent ORDER BY verified + unverified + false DESC, agent`,
    { ...shieldParameters(input), from, until },
  )
}
