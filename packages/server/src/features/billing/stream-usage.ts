import type { BillableUsage, loggedUsage } from '@fairway/analytics'
import type { Tx } from '@fairway/platform'

/**
 * What videos and live streams used by day, worked out whole each time, so that nothing is counted twice: minutes in
 * which the role had a live stream running, begun ones whole, and minutes of every quality that was encoded of a video,
 * on the day when that was done, whatever became of the video. A replaced file counts for its video on its own day; a
 * recording was encoded on air. Stored is every video that can be played for the part of each day that it is there, one
 * that was replaced until then.
 */
export async function streamUsage(
  tx: Tx,
  { from, until, organizationId }: Parameters<typeof loggedUsage>[1],
): Promise<BillableUsage[]> {
  const rows = await tx.query<{
    organization: string
    day: string
    meter: 'liveMinute' | 'encodedMinute' | 'storedMinute'
    source: string
    used: number
  }>(
    `SELECT organization_id AS organization, day::text, meter, source, used::float8 FROM (
       SELECT r.organization_id, (d.day AT TIME ZONE 'UTC')::date AS day, 'liveMinute' AS meter, r.live_id::text AS source,
         ceil(sum(extract(epoch FROM least(r.seen_at, d.day + interval '1 day') - greatest(r.started_at, d.day))) / 60) AS used
       FROM stream_run r JOIN generate_series(to_timestamp($1::float8 / 1000), to_timestamp($2::float8 / 1000) - interval '1 second', interval '1 day') AS d (day)
         ON r.started_at < d.day + interval '1 day' AND r.seen_at > d.day
       GROUP BY 1, 2, 4
       UNION ALL
       SELECT a.organization_id, (coalesce(j.ended_at, a.ready_at) AT TIME ZONE 'UTC')::date, 'encodedMinute', coalesce(a.replaces, a.id)::text, ceil(sum((a.source->>'seconds')::float8) / 60)
       FROM stream_asset a JOIN stream_job j ON j.asset_id = a.id AND j.kind = 'video' AND j.state = 'done'
       WHERE coalesce(j.ended_at, a.ready_at) >= to_timestamp($1::float8 / 1000) AND coalesce(j.ended_at, a.ready_at) < to_timestamp($2::float8 / 1000)
         AND NOT EXISTS (SELECT FROM stream_job r WHERE r.asset_id = a.id AND r.kind = 'recording')
       GROUP BY 1, 2, 4
       UNION ALL
       SELECT a.organization_id, (d.day AT TIME ZONE 'UTC')::date, 'storedMinute', coalesce(a.replaces, a.id)::text,
         ceil(sum((a.source->>'seconds')::float8 * extract(epoch FROM least(coalesce(a.deleted_at, now()), d.day + interval '1 day') - greatest(a.since, d.day)) / 86400)::numeric / 60)
       FROM (SELECT *, least(playable_at, ready_at) AS since FROM stream_asset) a JOIN generate_series(to_timestamp($1::float8 / 1000), to_timestamp($2::float8 / 1000) - interval '1 second', interval '1 day') AS d (day)
         ON a.since < d.day + interval '1 day' AND coalesce(a.deleted_at, now()) > d.day AND coalesce(a.deleted_at, now()) > a.since
       GROUP BY 1, 2, 4) counted
     WHERE $3::uuid IS NULL OR organization_id = $3::uuid`,
    [from, until, organizationId ?? null],
  )
  return rows.map(({ organization, day, meter, source, used }) => ({
    organizationId: organization,
    day,
    meter,
    siteId: `stream:${organization}`,
    domainId: source,
    cdnId: '',
    used,
  }))
}
