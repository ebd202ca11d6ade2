import { type Config, type Tx, streamKey, viewAddress } from '@fairway/platform'
import type { EmbedFacts } from './embed-page.ts'

type Row = {
  organization_id: string
  kind: 'asset' | 'live'
  poster_number: number | null
  has_poster: boolean
  brand_color: string
  logo: string | null
}

/** What is known of a video or live stream of the host that was asked; null for one that is not there. */
export async function embedFacts(tx: Tx, config: Config, key: string, id: string): Promise<EmbedFacts | null> {
  const [row] = await tx.query<Row>(
    `SELECT s.*, p.brand_color, (SELECT 'data:' || f.media_type || ';base64,' || translate(encode(f.body, 'base64'), E'\\n', '') FROM partner_file f
       WHERE f.partner_id = p.id AND f.kind = 'logoWordWhite') AS logo
     FROM (SELECT a.organization_id, 'asset' AS kind, a.has_poster, (SELECT t.shown_number FROM stream_thumbnail t WHERE t.asset_id = a.id) AS poster_number
             FROM stream_asset a WHERE a.id = $1 AND a.deleted_at IS NULL AND a.replaces IS NULL
           UNION ALL SELECT l.organization_id, 'live', false, NULL FROM stream_live l WHERE l.id = $1 AND l.deleted_at IS NULL) s
     JOIN organization o ON o.id = s.organization_id JOIN partner p ON p.id = o.partner_id`,
    [id],
  )
  if (!row || streamKey(row.organization_id) !== key) return null
  const { organization_id: organizationId, kind, poster_number: number } = row
  return {
    id,
    isLive: kind === 'live',
    poster: row.has_poster ? (number === null ? 'poster.jpg' : `poster-${number}/poster.jpg`) : null,
    color: row.brand_color,
    logo: row.logo,
    views: viewAddress(config, { organizationId, kind, sourceId: id }),
  }
}
