import type { Tx } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'
import { Failure } from '../../http/failure.ts'
import { streamSiteKeys } from '../../publish/stream-site.ts'
import type { AssetRow } from './store.ts'

/** The number of a folder that the video has not had. Whoever changes what lies beside the same video waits. */
export async function nextFolder(tx: Tx, { id }: AssetRow): Promise<number> {
  const [row] = await tx.query<{ folders: number }>(
    'UPDATE stream_asset SET folders = folders + 1 WHERE id = $1 AND deleted_at IS NULL RETURNING folders',
    [id],
  )
  if (!row) throw new Failure(404)
  return row.folders
}

/** The role takes the files away, and the edge forgets them: now, and once more when they are gone (`watch-gone.ts`). */
export async function forgetFolder(tx: Tx, organizationId: string, assetId: string, folder: string): Promise<void> {
  await tx.query('INSERT INTO stream_gone (organization_id, asset_id, folder) VALUES ($1, $2, $3)', [
    organizationId,
    assetId,
    folder,
  ])
  for (const key of await streamSiteKeys(tx, organizationId)) await enqueue(tx, organizationId, ['edge-purges'], key)
}
