/**
 * Of what is read of the log at once: an entry has up to megabytes of changes. The one with which it is reached comes
 * along.
 */
const MOST_BYTES = 16 << 20

/**
 * The start of a statement that reads entries of the organisation `$1` whole: `chosen` has the `number`s of as many of
 * the candidates as fit, at least one. Sizes are looked at one after the other, so that what does not fit is not read.
 *
 * @param candidates SQL for the numbers, in their order
 */
export const fitting = (candidates: string): string => `WITH RECURSIVE
  candidates AS MATERIALIZED (SELECT ARRAY(${candidates}) AS numbers),
  chosen AS (
    SELECT 0 AS place, NULL::bigint AS number, 0::bigint AS bytes
    UNION ALL SELECT place + 1, numbers[place + 1],
      bytes + coalesce((SELECT octet_length(z.changes::text) FROM audit_log z WHERE z.organization_id = $1 AND z.number = numbers[place + 1]), 0)
    FROM chosen, candidates WHERE bytes < ${MOST_BYTES} AND place < cardinality(numbers))`

/** A column for how many candidates there were. */
export const FOUND = '(SELECT cardinality(numbers) FROM candidates) AS found'

/** Whether a batch was the last one, as fewer than `most` candidates were found and all of them fitted. */
export const isLast = (rows: readonly { found: number }[], most: number): boolean =>
  rows.length < most && rows.length === (rows[0]?.found ?? 0)
