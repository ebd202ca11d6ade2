import type { Tx } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'

/** Older ones have been seen to, or belong to marks that were left out. */
const SEEN_TO_MINUTES = 60

/** What has been removed or replaced, and when. */
const GONE = `(SELECT organization_id, files_removed_at AS at FROM stream_asset WHERE replaces IS NULL UNION ALL SELECT organization_id, replaced_at FROM stream_asset
  UNION ALL SELECT organization_id, coalesce(files_removed_at, emptied_at) FROM stream_live UNION ALL SELECT organization_id, applied_at FROM stream_thumbnail
  UNION ALL SELECT organization_id, files_removed_at FROM stream_gone UNION ALL SELECT organization_id, deleted_at FROM stream_gone WHERE deleted_at <= now()) gone`
const LATELY = `gone.at > now() - interval '${SEEN_TO_MINUTES} minutes'`

export const GONE_DUE = `SELECT FROM ${GONE} WHERE ${LATELY}`

/**
 * What was fetched between a removal and the end of the files is forgotten as well: the edge is told once more as soon
 * as the role says that they are gone. It is told, too, of what the role has put in another's place.
 */
export async function watchGone(tx: Tx): Promise<void> {
  const rows = await tx.query<{ key: string; organization_id: string }>(
    `SELECT DISTINCT host.key, host.organization_id FROM publication host
     JOIN ${GONE} ON gone.organization_id = host.organization_id AND ${LATELY}
     WHERE host.kind IN ('edge-purges', 'edge-site') AND starts_with(host.key, 'stream:') AND host.body IS NOT NULL
       AND NOT EXISTS (SELECT FROM publication p WHERE p.kind = 'edge-purges' AND p.key = host.key AND p.published_at >= gone.at)`,
  )
  for (const { key, organization_id: organizationId } of rows) await enqueue(tx, organizationId, ['edge-purges'], key)
}
