import type { ThumbnailKind } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type ThumbnailRow = {
  kind: ThumbnailKind
  at: number | null
  number: number
  shown_number: number | null
  created_by: string
  changed_at: Date
  applied_at: Date | null
  reason_code: number | null
  reason: string
}

/** What was chosen; undefined as long as nobody has chosen anything. */
export const thumbnailOf = async (tx: Tx, assetId: string): Promise<ThumbnailRow | undefined> =>
  (
    await tx.query<ThumbnailRow>(
      'SELECT kind, at, number, shown_number, created_by, changed_at, applied_at, reason_code, reason FROM stream_thumbnail WHERE asset_id = $1',
      [assetId],
    )
  )[0]

/** What is wanted from now on; viewers get the one before until the role has made it. */
export const wantThumbnail = (
  tx: Tx,
  wanted: {
    organizationId: string
    assetId: string
    kind: ThumbnailKind
    at: number | null
    picture: Buffer | null
    number: number
    createdBy: string
  },
): Promise<unknown> =>
  tx.query(
    `INSERT INTO stream_thumbnail (organization_id, asset_id, kind, at, picture, number, created_by) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (asset_id) DO UPDATE SET kind = $3, at = $4, picture = $5, number = $6, created_by = $7, changed_at = now(), applied_at = NULL, reason_code = NULL, reason = '', next_try_at = NULL`,
    [wanted.organizationId, wanted.assetId, wanted.kind, wanted.at, wanted.picture, wanted.number, wanted.createdBy],
  )
