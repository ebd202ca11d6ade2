const UNIT_SECONDS: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 }

/**
 * Seconds of a TTL, in seconds or with units as `1D2H`; null when it is none. Beyond 31 bits it counts as 0 (RFC 2181
 * 8).
 */
export function readTtl(text: string): number | null {
  const seconds = readPeriod(text)
  return seconds !== null && seconds > 0x7fffffff ? 0 : seconds
}

/** The same for the timers of an SOA, which have 32 bits. */
export function readPeriod(text: string): number | null {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  if (!/^(?:\d{1,20}|(?:\d{1,20}[wdhms])+)$/i.test(text)) return null
  let seconds = 0
  for (const [, digits, unit] of text.matchAll(/(\d+)([a-z]?)/gi))
    seconds += Number(digits) * (UNIT_SECONDS[unit?.toLowerCase() ?? ''] ?? 1)
  return seconds > 0xffffffff ? null : seconds
}
