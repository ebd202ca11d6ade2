import type { EventStore } from '../store/store.ts'

/** Measurements by visitors' browsers in the last minute: one per CDN measured once. */
export async function beaconsPerMinute(store: EventStore, { organizationId, now }: { organizationId: string; /** Epoch ms. */ now: number }): Promise<number> {
  const rows = await store.query<{ n: number }>('SELECT count() AS n FROM beacons WHERE organization = {organization:String} AND at >= fromUnixTimestamp({from:Int64})', { organization: organizationId, from: Math.floor(now / 1000) - 60 })
  return rows[0]?.n ?? 0
}
