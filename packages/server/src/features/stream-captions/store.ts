import type { CaptionKind } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type CaptionRow = {
  id: string
  asset_id: string
  number: number
  language: string
  label: string
  kind: CaptionKind
  is_default: boolean
  size: number
  cues: number
  ends_at: number
  created_by: string
  changed_at: Date
  is_live: boolean
}

const ROW = `id, asset_id, number, language, label, kind, is_default, octet_length(body) AS size, cues, ends_at, created_by, changed_at,
  applied_at IS NOT NULL AS is_live FROM stream_caption`

export const captionsOf = (tx: Tx, assetId: string): Promise<CaptionRow[]> =>
  tx.query<CaptionRow>(`SELECT ${ROW} WHERE asset_id = $1 ORDER BY language, kind`, [assetId])

export const captionById = async (tx: Tx, assetId: string, id: string): Promise<CaptionRow | undefined> =>
  (await tx.query<CaptionRow>(`SELECT ${ROW} WHERE asset_id = $1 AND id = $2`, [assetId, id]))[0]

export const bodyOf = async (tx: Tx, id: string): Promise<string> =>
  (await tx.query<{ body: string }>('SELECT body FROM stream_caption WHERE id = $1', [id]))[0]?.body ?? ''

export type CaptionText = { body: string; cues: number; endsAt: number }
type Names = { language: string; label: string; kind: CaptionKind; isDefault: boolean }

export async function insertCaption(
  tx: Tx,
  caption: Names & CaptionText & { organizationId: string; assetId: string; number: number; createdBy: string },
): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    `INSERT INTO stream_caption (organization_id, asset_id, number, language, label, kind, is_default, body, cues, ends_at, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id`,
    [
      caption.organizationId,
      caption.assetId,
      caption.number,
      caption.language,
      caption.label,
      caption.kind,
      caption.isDefault,
      caption.body,
      caption.cues,
      caption.endsAt,
      caption.createdBy,
    ],
  )
  return row?.id ?? ''
}

export const renameCaption = (tx: Tx, id: string, { language, label, kind, isDefault }: Names): Promise<unknown> =>
  tx.query(
    'UPDATE stream_caption SET language = $2, label = $3, kind = $4, is_default = $5, changed_at = now(), applied_at = NULL WHERE id = $1',
    [id, language, label, kind, isDefault],
  )

export const retextCaption = (
  tx: Tx,
  id: string,
  number: number,
  { body, cues, endsAt }: CaptionText,
): Promise<unknown> =>
  tx.query('UPDATE stream_caption SET number = $2, body = $3, cues = $4, ends_at = $5 WHERE id = $1', [
    id,
    number,
    body,
    cues,
    endsAt,
  ])

/** One of a video is shown by itself. */
export const onlyDefault = (tx: Tx, assetId: string, id: string): Promise<unknown> =>
  tx.query(
    'UPDATE stream_caption SET is_default = false, applied_at = NULL WHERE asset_id = $1 AND id <> $2 AND is_default',
    [assetId, id],
  )

export const deleteCaption = (tx: Tx, id: string): Promise<unknown> =>
  tx.query('DELETE FROM stream_caption WHERE id = $1', [id])
