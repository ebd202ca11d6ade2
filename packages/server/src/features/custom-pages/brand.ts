import type { PartnerFileKind } from '@fairway/contract'
import type { PageBrand } from '@fairway/domain'
import type { Tx } from '@fairway/platform'

type Row = {
  id: string
  company_name: string
  brand_color: string
  files: { kind: PartnerFileKind; media_type: string; body: string }[]
}

const BRAND = `p.id, p.company_name, p.brand_color, coalesce((SELECT json_agg(json_build_object('kind', f.kind, 'media_type', f.media_type, 'body', translate(encode(f.body, 'base64'), E'\\n', ''))) FROM partner_file f WHERE f.partner_id = p.id), '[]') AS files`

/** In whose name an organisation's websites speak when they have no page of their own. */
export async function brandOf(tx: Tx, organizationId: string): Promise<PageBrand> {
  return present(
    (
      await tx.query<Row>(`SELECT ${BRAND} FROM partner p JOIN organization o ON o.partner_id = p.id WHERE o.id = $1`, [
        organizationId,
      ])
    )[0],
  )
}

export async function brandOfPartner(tx: Tx, partnerId: string): Promise<PageBrand | null> {
  const rows = await tx.query<Row>(`SELECT ${BRAND} FROM partner p WHERE p.id::text = $1`, [partnerId])
  return rows[0] ? present(rows[0]) : null
}

function present(row: Row | undefined): PageBrand {
  if (!row) throw new Error('an organisation without a partner')
  const picture = (kind: PartnerFileKind) =>
    row.files.filter((file) => file.kind === kind).map((file) => `data:${file.media_type};base64,${file.body}`)[0] ??
    null
  return {
    companyName: row.company_name,
    brandColor: row.brand_color,
    logo: picture('logoWord'),
    logoOnDark: picture('logoWordWhite'),
  }
}
