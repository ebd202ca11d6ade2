import type { Tx } from '@fairway/platform'
import { forgetFolder } from './folders.ts'
import type { AssetRow } from './store.ts'

/** Files that are on their way to take the place of another, and the attempts at them. */
export async function insertReplacement(
  tx: Tx,
  asset: AssetRow,
  {
    name,
    size,
    atOnce,
    uploadIn,
    createdBy,
    edition,
  }: { name: string; size: number; atOnce: boolean; uploadIn: string; createdBy: string; edition: number },
): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    'INSERT INTO stream_asset (organization_id, name, size, upload_in, created_by, replaces, edition, at_once, arrived_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now()) RETURNING id',
    [asset.organization_id, name, size, uploadIn, createdBy, asset.id, edition, atOnce],
  )
  return row?.id ?? ''
}

/**
 * The role removes its file, and what was made of it from the folder of the video; false when there was none. One that
 * has become whole meanwhile is none any more.
 */
export async function dropReplacement(tx: Tx, asset: Pick<AssetRow, 'id' | 'organization_id'>): Promise<boolean> {
  const [row] = await tx.query<{ id: string; edition: number }>(
    'UPDATE stream_asset SET deleted_at = now() WHERE replaces = $1 AND deleted_at IS NULL RETURNING id, edition',
    [asset.id],
  )
  if (!row) return false
  const jobs = await tx.query<{ name: string; attempt: number }>(
    'SELECT name, attempt FROM stream_job WHERE asset_id = $1 AND attempt % 100 > 0',
    [row.id],
  )
  for (const { name, attempt } of jobs)
    for (let one = attempt; one % 100 > 0; one--)
      await forgetFolder(tx, asset.organization_id, asset.id, `${name}-${one}`)
  return true
}
