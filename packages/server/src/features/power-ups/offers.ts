import type { CdnOffer, CdnOfferInput } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import type { OfferRow } from '../cdn-management/offered.ts'

type Counted = OfferRow & { driver: CdnOffer['driver']; installs: number; taken: number }

export async function allOffers(tx: Tx): Promise<Counted[]> {
  return tx.query(
    `SELECT o.*, (SELECT count(*)::int FROM cdn c WHERE c.offer_id = o.id) AS taken,
       (SELECT count(*)::int FROM cdn c JOIN domain_cdn dc ON dc.organization_id = c.organization_id AND dc.cdn_id = c.id WHERE c.offer_id = o.id) AS installs FROM cdn_offer o ORDER BY o.name`,
  )
}

export const presentStoredOffer = (row: Counted): CdnOffer => ({
  id: row.id,
  name: row.name,
  driver: row.driver,
  slug: row.slug,
  cname: row.cname,
  category: row.category,
  introduction: row.introduction,
  referenceUrl: row.reference_url,
  review: row.review,
  planIds: row.plan_ids,
  offered: row.offered,
  installs: row.installs,
  createdAt: row.created_at.toISOString(),
})

/**
 * How it is reached is written into zones and stays while an organisation has it; how it is shown changes everywhere.
 * @throws Failure 7409, 7491, 400
 */
export async function saveOffer(tx: Tx, id: string, offer: CdnOfferInput): Promise<void> {
  const before = (await allOffers(tx)).find((one) => one.id === id)
  const slug = await slugOf(tx, id, offer)
  const cname = offer.driver === 'custom' ? offer.cname : null
  if (before && before.taken > 0 && (before.driver !== offer.driver || before.slug !== slug || before.cname !== cname))
    throw new Failure(7409, { internal: 'organisations have it' })
  const taken = await tx.query(
    `SELECT FROM cdn_offer WHERE lower(name) = lower($2) AND id <> $1 UNION ALL SELECT FROM cdn WHERE (id = $1 OR lower(name) = lower($2)) AND offer_id IS DISTINCT FROM $1`,
    [id, offer.name],
  )
  if (taken.length) throw new Failure(7491)
  await tx.query(
    `INSERT INTO cdn_offer (id, name, driver, slug, cname, category, introduction, reference_url, review, plan_ids, offered) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (id) DO UPDATE SET name = $2, driver = $3, slug = $4, cname = $5, category = $6, introduction = $7, reference_url = $8, review = $9, plan_ids = $10, offered = $11`,
    [
      id,
      offer.name,
      offer.driver,
      slug,
      cname,
      offer.category,
      offer.introduction && JSON.stringify(offer.introduction),
      offer.referenceUrl,
      offer.review,
      offer.planIds,
      offer.offered,
    ],
  )
  await tx.query('UPDATE cdn SET name = $2, category = $3, reference_url = $4, review = $5 WHERE offer_id = $1', [
    id,
    offer.name,
    offer.category,
    offer.referenceUrl,
    offer.review,
  ])
}

async function slugOf(tx: Tx, id: string, { driver, slug, cname }: CdnOfferInput): Promise<string> {
  const wrong = (path: string) => new Failure(400, { fields: [{ path, message: 'validation.required' }] })
  if (driver === 'custom' && cname === null) throw wrong('cname')
  if (driver === 'fairway-edge') return 'edge'
  if (driver === 'custom') return id
  if (slug === null || (await tx.query('SELECT FROM simulated_cdn WHERE slug = $1', [slug])).length === 0)
    throw wrong('slug')
  return slug
}
