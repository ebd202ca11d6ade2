import { z } from 'zod'

/** Up to the end of this century: what is later is no date to a database, or none at all. */
export const LATEST_SECOND = 4_102_444_800

/** A moment in epoch seconds, as a query says it. */
export const EpochSeconds = z.coerce.number().int().min(0).max(LATEST_SECOND)
