/** How often it is looked whether counts are to be sent. */
export const TICK_MS = 2000
/** Counts are sent at the next look when they are so few. */
const FEW_ROWS = 2000
/** So long a bucket may be (`DnsAnswerCount`). */
const LONGEST_MS = 10_000

/**
 * Whether counts are closed now. Many rows are nearly the same names again: a longer bucket counts more queries in
 * each, and making rows costs less beside answering.
 */
export function isDue(rows: number, ageMs: number): boolean {
  return rows <= FEW_ROWS || ageMs + TICK_MS > LONGEST_MS
}
