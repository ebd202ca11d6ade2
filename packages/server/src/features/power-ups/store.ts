import type { CdnCategory, CdnDriverName, CdnState } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import type { OfferRow } from '../cdn-management/offered.ts'

export type CdnRow = {
  id: string
  name: string
  slug: string
  driver: CdnDriverName
  category: CdnCategory
  series: number
  cname: string | null
  review: boolean
  /** Reached by the organisation's own key at the vendor. */
  own_key: boolean
  reference_url: string | null
  introduction: string | null
  logo: string | null
  offer_id: string | null
  offer_introduction: OfferRow['introduction']
  plan_ids: string[] | null
  states: CdnState[]
  since: Date | null
}

/** The organisation's CDNs with the states that they have on its domains. */
export async function cdnsOf(tx: Tx): Promise<CdnRow[]> {
  return tx.query(
    `SELECT c.id, c.name, c.slug, c.driver, c.category, c.series, c.cname, c.review, c.byo_key_id IS NOT NULL AS own_key, c.reference_url, c.introduction, CASE WHEN c.logo IS NOT NULL THEN 'data:' || c.logo_type || ';base64,' || translate(encode(c.logo, 'base64'), E'\\n', '') END AS logo,
       c.offer_id, o.introduction AS offer_introduction, o.plan_ids, coalesce(array_agg(dc.state) FILTER (WHERE dc.id IS NOT NULL), '{}') AS states, min(dc.created_at) AS since
     FROM cdn c LEFT JOIN cdn_offer o ON o.id = c.offer_id LEFT JOIN domain_cdn dc ON dc.organization_id = c.organization_id AND dc.cdn_id = c.id
     GROUP BY c.organization_id, c.id, o.id ORDER BY c.series, c.name`,
  )
}

/** What the operator offers and the organisation has not taken up. */
export async function openOffers(tx: Tx): Promise<OfferRow[]> {
  return tx.query(
    'SELECT o.* FROM cdn_offer o WHERE o.offered AND NOT EXISTS (SELECT FROM cdn c WHERE c.offer_id = o.id) ORDER BY o.name',
  )
}

export type PlacedRow = {
  id: string
  cdn_id: string
  cdn_name: string
  category: CdnCategory
  series: number
  state: CdnState
  detail: string | null
  enabled: boolean
  state_since: Date
  created_at: Date
  site_id: string
  site_name: string
  domain_id: string
  domain_name: string
  total: number
}
export type PlacedQuery = {
  cdnId: string | null
  states: CdnState[] | null
  search: string | null
  order: string
  limit: number | null
  offset: number
}

/** CDNs on domains. */
export async function placedCdns(
  tx: Tx,
  { cdnId, states, search, order, limit, offset }: PlacedQuery,
): Promise<PlacedRow[]> {
  return tx.query(
    `SELECT dc.id, dc.cdn_id, c.name AS cdn_name, c.category, c.series, dc.state, dc.detail, dc.enabled, dc.state_since, dc.created_at, s.id AS site_id, s.domain_name AS site_name, d.id AS domain_id, d.name AS domain_name, count(*) OVER ()::int AS total
     FROM domain_cdn dc JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id JOIN domain d ON d.id = dc.domain_id JOIN site s ON s.id = dc.site_id
     WHERE ($1::text IS NULL OR dc.cdn_id = $1) AND ($2::text[] IS NULL OR dc.state = ANY($2)) AND ($3::text IS NULL OR c.name ILIKE '%' || $3 || '%' OR d.name ILIKE '%' || $3 || '%')
     ORDER BY ${order}, d.name, c.series LIMIT $4 OFFSET $5`,
    [cdnId, states, search, limit, offset],
  )
}
