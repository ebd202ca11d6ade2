import type { Chapter } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

/** What is wanted; the role sees to it that the playlist says so. */
export const setChapters = (tx: Tx, id: string, chapters: Chapter[], number: number | null): Promise<unknown> =>
  tx.query(
    'UPDATE stream_asset SET chapters = $2, chapters_number = $3, chapters_applied = false WHERE id = $1 AND deleted_at IS NULL',
    [id, JSON.stringify(chapters), number],
  )
