import type { EventStore } from '../store/store.ts'

/** Answers of these seconds before and of as many after are compared. */
const AROUND_SECONDS = 600
/** Answers that resolvers had kept are over by then. */
const SETTLED_SECONDS = 60
/** Rows by the minute are kept for eight days, and dropped by whole ones. */
const KEPT_SECONDS = 8 * 86_400

/** DNS answers by CDN around the moment when one of them failed. */
type AnswersAround = { cdnId: string; before: number; during: number }[]

/**
 * What the domains that had answered with a CDN answered before it failed and while it was gone (`from`, `until`: epoch
 * ms). Null when the failure was too short or is too long ago to tell.
 */
export async function answersAround(
  store: EventStore,
  {
    organizationId,
    cdnId,
    from,
    until,
    now,
  }: { organizationId: string; cdnId: string; from: number; until: number; now: number },
): Promise<AnswersAround | null> {
  const minute = (ms: number, round: (value: number) => number) => round(ms / 60_000) * 60
  const failed = minute(from, Math.floor)
  const gone = minute(from + SETTLED_SECONDS * 1000, Math.ceil)
  const end = Math.min(gone + AROUND_SECONDS, minute(until, Math.floor))
  const start = failed - AROUND_SECONDS
  if (end <= gone || now / 1000 - start > KEPT_SECONDS) return null
  const rows = await store.query<{ cdn: string; before: number; during: number }>(
    `SELECT cdn, sumIf(answers, at < fromUnixTimestamp({failed:Int64})) AS before, sumIf(answers, at >= fromUnixTimestamp({gone:Int64})) AS during FROM dns_answers_minute FINAL
     WHERE organization = {organization:String} AND cdn != '' AND at >= fromUnixTimestamp({start:Int64}) AND at < fromUnixTimestamp({end:Int64})
       AND domain IN (SELECT domain FROM dns_answers_minute WHERE organization = {organization:String} AND cdn = {cdn:String} AND at >= fromUnixTimestamp({start:Int64}) AND at < fromUnixTimestamp({failed:Int64}))
     GROUP BY cdn ORDER BY during DESC, cdn`,
    { organization: organizationId, cdn: cdnId, start, failed, gone, end },
  )
  return rows.map((row) => ({ cdnId: row.cdn, before: row.before, during: row.during }))
}
