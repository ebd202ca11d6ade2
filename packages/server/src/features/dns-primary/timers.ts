import type { FetchedRecord } from '@fairway/domain'

export type SoaTimers = { serial: number; refreshSeconds: number; retrySeconds: number; expireSeconds: number }

/** However often a zone wants it: nobody may have us ask all the time. */
const LEAST_SECONDS = 30
const MOST_SECONDS = 86_400

/** What a SOA says of how it is to be followed (RFC 1035 3.3.13). */
export function timersOf({ rdata }: Pick<FetchedRecord, 'rdata'>): SoaTimers {
  const [serial = 0, refresh = 0, retry = 0, expire = 0] = rdata.split(' ').slice(2).map(Number)
  const within = (seconds: number) => Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, seconds))
  return { serial, refreshSeconds: within(refresh), retrySeconds: within(retry), expireSeconds: expire }
}

/** When a zone that is not reached any more expires; null when it never was. */
export function expiryOf({ soa, refreshed_at }: { soa: FetchedRecord | null; refreshed_at: Date | null }): Date | null {
  return soa && refreshed_at ? new Date(refreshed_at.getTime() + timersOf(soa).expireSeconds * 1000) : null
}
