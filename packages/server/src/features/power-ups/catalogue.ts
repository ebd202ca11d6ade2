import {
  type AddOn,
  BYO_FIELDS,
  type ByoPlatform,
  type CdnCategory,
  type LocalText,
  type PowerUp,
  SERVICE_CATEGORIES,
} from '@fairway/contract'
import { canBeOnPlan, mostUrgent, powerUpStatus } from '@fairway/domain'
import { CDN_DRIVERS } from '@fairway/drivers'
import type { OfferRow } from '../cdn-management/offered.ts'
import type { CdnRow } from './store.ts'

/** One name for all languages: that of a product. */
export const sameText = (text: string): LocalText => ({ en: text, zhHant: text, zhHans: text })

type Plain = Pick<PowerUp, 'id' | 'kind' | 'type' | 'category' | 'name'>
const nothing = {
  introduction: null,
  referenceUrl: null,
  logo: null,
  driver: null,
  cname: null,
  series: null,
  features: null,
  review: false,
  needs: null,
  included: false,
  monthlyMinor: null,
  status: null,
  installs: 0,
  since: null,
} as const
const entry = (plain: Plain, more: Partial<PowerUp>): PowerUp => ({ ...nothing, ...plain, ...more })

export function presentCdn(row: CdnRow, planId: string): PowerUp {
  const statuses = row.states.map(powerUpStatus)
  // Custom is what the organisation brings itself: a host name, or its own account at a vendor.
  const isOwn = row.own_key || (row.driver === 'custom' && row.offer_id === null)
  return entry(
    { id: row.id, kind: 'cdn', type: isOwn ? 'custom' : 'managed', category: row.category, name: sameText(row.name) },
    {
      introduction: row.offer_introduction ?? (row.introduction === null ? null : sameText(row.introduction)),
      referenceUrl: row.reference_url,
      logo: row.logo,
      driver: row.driver,
      cname: row.cname,
      series: row.series,
      features: featuresOf(row),
      review: row.review,
      needs: canBeOnPlan(row.plan_ids ?? [], planId) ? null : 'plan',
      status: mostUrgent(statuses),
      installs: row.states.length,
      since: row.since?.toISOString() ?? null,
    },
  )
}

export function presentOffer(row: OfferRow, planId: string): PowerUp {
  return entry(
    { id: row.id, kind: 'cdn', type: 'managed', category: row.category, name: sameText(row.name) },
    {
      introduction: row.introduction,
      referenceUrl: row.reference_url,
      driver: row.driver,
      cname: row.cname,
      features: featuresOf(row),
      review: row.review,
      needs: canBeOnPlan(row.plan_ids, planId) ? null : 'plan',
    },
  )
}

function featuresOf({
  driver,
  slug,
  category,
}: Pick<CdnRow, 'driver' | 'slug' | 'category'>): NonNullable<PowerUp['features']> {
  const { websocket, wildcard } = CDN_DRIVERS[driver].capabilities(slug)
  return { websocket, wildcard, icpCheck: category === 'china-cdn' }
}

const VENDORS: Readonly<Record<ByoPlatform, { name: string; category: CdnCategory }>> = {
  akamai: { name: 'Akamai', category: 'global-cdn' },
  bunny: { name: 'bunny.net', category: 'global-cdn' },
  cloudflare: { name: 'Cloudflare', category: 'global-cdn' },
  cloudfront: { name: 'Amazon CloudFront', category: 'global-cdn' },
  fastly: { name: 'Fastly', category: 'global-cdn' },
  tencent: { name: 'Tencent Cloud CDN', category: 'china-cdn' },
}

/**
 * Vendors that neither the operator nor the organisation has a key for: with one their CDN is among the organisation's.
 */
export function vendorsWithoutKey(rows: readonly CdnRow[]): PowerUp[] {
  const there = new Set<string>(rows.map(({ driver }) => driver))
  const missing = (Object.keys(BYO_FIELDS) as ByoPlatform[]).filter((platform) => !there.has(platform)).sort()
  return missing.map((platform) =>
    entry(
      {
        id: `vendor-${platform}`,
        kind: 'vendor',
        type: 'managed',
        category: VENDORS[platform].category,
        name: sameText(VENDORS[platform].name),
      },
      { driver: platform, needs: 'key' },
    ),
  )
}

export function presentService(addOn: AddOn): PowerUp {
  const category = SERVICE_CATEGORIES.find((one) => one === addOn.category) ?? 'other'
  const included = addOn.included && addOn.since === null
  return entry(
    { id: addOn.id, kind: 'add-on', type: 'service', category, name: addOn.name },
    {
      introduction: addOn.description,
      included,
      monthlyMinor: addOn.monthlyMinor,
      needs: addOn.compatible || included || addOn.since !== null ? null : 'plan',
      status: addOn.since === null ? null : 'installed',
      installs: addOn.since === null ? 0 : 1,
      since: addOn.since,
    },
  )
}
