import type { Config } from '@fairway/platform'
import type { EventStore } from './store.ts'

/** Sets how long rows that tell of single visitors are kept: as the settings say, also for those written before. */
export async function keepFor(
  store: EventStore,
  { threatDays, recordedRequestDays }: Pick<Config, 'threatDays' | 'recordedRequestDays'>,
): Promise<void> {
  const days = { security_events: threatDays, recorded_requests: Math.max(recordedRequestDays, 1) }
  for (const [table, kept] of Object.entries(days))
    await store.command(`ALTER TABLE ${table} MODIFY TTL toDateTime(at) + INTERVAL ${kept} DAY`)
}
