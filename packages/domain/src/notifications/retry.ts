/** As Standard Webhooks proposes: the first tries follow each other, the last ones are days apart. */
export const WEBHOOK_RETRY_SECONDS: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
/** A mail server that is away is back within minutes or within a day. */
export const MAIL_RETRY_SECONDS: readonly number[] = [60, 300, 900, 3_600, 10_800, 21_600, 43_200, 86_400]

/**
 * Seconds until the next try after `attempts` of them; null when it was the last. `chance` is from 0 to 1 and spreads
 * what failed together by up to a tenth.
 */
export function retryAfter(schedule: readonly number[], attempts: number, chance: number): number | null {
  const seconds = schedule[attempts - 1]
  return seconds === undefined ? null : seconds * (1 + chance / 10)
}
