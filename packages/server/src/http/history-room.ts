import { LIMITS } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { Failure } from './failure.ts'

/** Smaller changes are counted by nobody: calls are bounded by what they take. */
const LARGE_BYTES = 16_384

/**
 * Counts a large change towards the day of its organisation. History keeps what was there before and after, so whoever
 * puts one zone in the place of another all day would fill the disk of the database with it.
 * @param bytes of the change as it is written down
 * @throws Failure 920905
 */
export async function countHistory(tx: Tx, organizationId: string, bytes: number): Promise<void> {
  if (bytes < LARGE_BYTES) return
  const [row] = await tx.query<{ fits: boolean }>(
    `INSERT INTO history_day AS h (organization_id, day, bytes) VALUES ($1, current_date, $2)
     ON CONFLICT (organization_id) DO UPDATE SET day = current_date, bytes = CASE WHEN h.day = current_date THEN h.bytes ELSE 0 END + $2
     RETURNING bytes <= $3 AS fits`,
    [organizationId, bytes, LIMITS.historyBytesPerDay],
  )
  if (row?.fits !== true) throw new Failure(920905)
}
