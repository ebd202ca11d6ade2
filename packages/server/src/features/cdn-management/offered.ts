import { canBeOnPlan } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { Context } from '../../http/context.ts'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import { Failure } from '../../http/failure.ts'
import { notifyOperators } from '../notifications/notify-operators.ts'
import { insertOffered, type PlatformRow, platformById, platformRoom } from './store.ts'

export type OfferRow = {
  id: string
  name: string
  driver: PlatformRow['driver']
  slug: string
  cname: string | null
  category: PlatformRow['category']
  introduction: { en: string; zhHant: string; zhHans: string } | null
  reference_url: string | null
  review: boolean
  plan_ids: string[]
  offered: boolean
  created_at: Date
}

export async function offerById(tx: Tx, id: string): Promise<OfferRow | undefined> {
  return (await tx.query<OfferRow>('SELECT * FROM cdn_offer WHERE id = $1', [id]))[0]
}

/**
 * What the operator offers becomes one of the organisation's CDNs with the first domain that wants it. @throws Failure
 * 7491 when one of its own has the name
 */
export async function takeUpOffer({ tx, actor }: Context, id: string): Promise<PlatformRow | undefined> {
  const offer = await offerById(tx, id)
  if (!offer?.offered) return undefined
  const { taken, series } = await platformRoom(tx, offer.name, id)
  if (taken) throw new Failure(7491)
  await insertOffered(tx, actor.organizationId, id, series)
  return platformById(tx, id)
}

/** @throws Failure 27005 when the CDN does not go with the organisation's plan */
export async function refuseOtherPlans(tx: Tx, planIds: string[] | null): Promise<void> {
  const plan = (await tx.query<{ plan_id: string }>('SELECT plan_id FROM organization'))[0]?.plan_id ?? ''
  if (!canBeOnPlan(planIds ?? [], plan)) throw new Failure(27005)
}

/** The incident that operators are told of while a domain waits for them. */
export const reviewIncident = (domainId: string, cdnId: string): string => `review:${domainId}:${cdnId}`

/**
 * Hands the domain to the people who review it; approved once, it is not asked again. @throws Failure 27032 when the
 * licence is missing
 */
export async function askForReview(
  { tx, actor, domain, now }: Context,
  platform: PlatformRow,
  icpNumber: string | null,
): Promise<void> {
  const asked = (
    await tx.query<{ icp_number: string | null }>(
      'SELECT icp_number FROM cdn_review WHERE domain_id = $1 AND cdn_id = $2',
      [domain.id, platform.id],
    )
  )[0]
  if (platform.category === 'china-cdn' && icpNumber === null && !asked?.icp_number)
    throw new Failure(27032, { fields: [{ path: 'icpNumber', message: 'code:27032' }] })
  await tx.query(
    `INSERT INTO cdn_review (organization_id, domain_id, cdn_id, icp_number, requested_by, requested_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (domain_id, cdn_id) DO UPDATE SET icp_number = coalesce($4, cdn_review.icp_number), requested_by = $5, requested_at = $6, state = CASE cdn_review.state WHEN 'approved' THEN 'approved' ELSE 'waiting' END, reason = NULL`,
    [actor.organizationId, domain.id, platform.id, icpNumber, actor.label, now],
  )
  const organization = (await tx.query<{ name: string }>('SELECT name FROM organization'))[0]?.name ?? ''
  await beyondTenant(tx, () =>
    notifyOperators(tx, {
      event: 'review-waiting',
      fields: { cdn: platform.name, host: domain.name, organization },
      incident: reviewIncident(domain.id, platform.id),
    }),
  )
}
