import type { Tx } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'

/** Older ones have been seen to, or belong to marks that were left out. */
const SEEN_TO_MINUTES = 60

/**
 * What was fetched between a removal and the end of the files is forgotten as well: the edge is told once more as soon
 * as the role says that they are gone.
 */
export async function watchGone(tx: Tx): Promise<void> {
  const rows = await tx.query<{ key: string; organization_id: string }>(
    `SELECT DISTINCT p.key, p.organization_id FROM publication p JOIN (
         SELECT organization_id, files_removed_at FROM stream_asset UNION ALL SELECT organization_id, files_removed_at FROM stream_live
         UNION ALL SELECT organization_id, files_removed_at FROM stream_gone) gone ON gone.organization_id = p.organization_id
     WHERE p.kind = 'edge-purges' AND starts_with(p.key, 'stream:') AND p.body IS NOT NULL
       AND gone.files_removed_at > p.published_at AND gone.files_removed_at > now() - make_interval(mins => $1)`,
    [SEEN_TO_MINUTES],
  )
  for (const { key, organization_id: organizationId } of rows) await enqueue(tx, organizationId, ['edge-purges'], key)
}
