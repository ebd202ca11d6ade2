/** What one clock may be off another. */
const SLACK_SECONDS = 300

/**
 * Of rows that are tried by a schedule, in SQL: those due later than the wait after so many tries lets them be, as a
 * clock said that has been set right since. Nothing is written to be tried later at first.
 */
export const isBeyondWait = (schedule: readonly number[]): string =>
  [0, ...schedule]
    .map((wait, attempts) => {
      // `retryAfter` spreads by a tenth.
      const seconds = Math.ceil(wait * 1.1) + SLACK_SECONDS
      return `d.attempts = ${attempts} AND d.due_at > now() + make_interval(secs => ${seconds})`
    })
    .join(' OR ')
