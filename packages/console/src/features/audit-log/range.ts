import { z } from 'zod'

export const AUDIT_RANGES = ['24h', '7d', '14d', '30d', 'all'] as const
type Preset = (typeof AUDIT_RANGES)[number]
export const DEFAULT_RANGE: Preset = '7d'

/** In the address: a preset, or two days `YYYY-MM-DD_YYYY-MM-DD`, both included. */
export const AuditRangeSearch = z
  .union([z.enum(AUDIT_RANGES), z.string().regex(/^\d{4}-\d{2}-\d{2}_\d{4}-\d{2}-\d{2}$/)])
  .optional()
  .catch(undefined)

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const BACK_MS: Readonly<Record<Exclude<Preset, 'all'>, number>> = {
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '14d': 14 * DAY_MS,
  '30d': 30 * DAY_MS,
}

/** The two days of a range of one's own; null for a preset. */
export function daysOf(range: string): { from: string; to: string } | null {
  const [from, to] = range.split('_')
  return from !== undefined && to !== undefined ? { from, to } : null
}

/**
 * What the call needs. The beginning of a preset moves by whole minutes, so that one view asks one question; days are
 * those of the browser's zone.
 */
export function boundsOf(range: string, now: number): { from?: string; to?: string } {
  const days = daysOf(range)
  if (days) {
    const [from, to] = [startOf(days.from), startOf(days.to)]
    return from === null || to === null
      ? {}
      : { from: from.toISOString(), to: new Date(to.getFullYear(), to.getMonth(), to.getDate() + 1).toISOString() }
  }
  const back = Object.entries(BACK_MS).find(([preset]) => preset === range)?.[1]
  return back === undefined ? {} : { from: new Date(Math.floor((now - back) / MINUTE_MS) * MINUTE_MS).toISOString() }
}

function startOf(day: string): Date | null {
  const date = new Date(`${day}T00:00:00`)
  return Number.isNaN(date.getTime()) ? null : date
}
