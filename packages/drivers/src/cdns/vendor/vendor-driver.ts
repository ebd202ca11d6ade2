import crypto from 'node:crypto'
import type { ByoPlatform, CdnCapabilities } from '@fairway/contract'
import { domainLabel } from '../domain-label.ts'
import type {
  CdnDriver,
  CdnOrder,
  Observation,
  Placed,
  PurgeOrder,
  PurgeWord,
  TrafficBucket,
  VendorTraffic,
  VendorWants,
} from '../driver.ts'

/** One conversation with a vendor about one order. `name` is ours for it: what was made before is found by it. */
export type Talk = { order: CdnOrder; wants: VendorWants; name: string }

/**
 * What is different from vendor to vendor. `place` brings the vendor from whatever there is to what is wanted, and may
 * be stopped after any of its calls.
 */
export type Vendor = {
  id: ByoPlatform
  capabilities: CdnCapabilities
  lookAgainMs: number
  /** It shows a name to visitors with our certificate only. */
  needsCertificate?: boolean
  purgePatienceMs?: number
  place(talk: Talk): Promise<Placed>
  observe(talk: Talk & { ref: string }): Promise<Observation>
  purge(talk: Talk & { ref: string }, purge: PurgeOrder): Promise<PurgeWord>
  traffic: Omit<VendorTraffic, 'read'> & {
    read(talk: Talk & { ref: string }, from: number, until: number): Promise<TrafficBucket[]>
  }
  remove(talk: Talk): Promise<'done' | 'in-progress'>
}

const PURGE_PATIENCE_MS = 20 * 60_000

/** The driver of a vendor: keeps nothing, makes no call for what was never made. */
export function vendorDriver(vendor: Vendor): CdnDriver {
  const talk = async (context: Parameters<CdnDriver['create']>[0], order: CdnOrder): Promise<Talk> => ({
    order,
    wants: await context.vendor(vendor.id, order),
    name: nameAtVendor(order),
  })
  const place: CdnDriver['create'] = async (context, order) => vendor.place(await talk(context, order))
  return {
    id: vendor.id,
    capabilities: () => vendor.capabilities,
    cacheTtls: () => null,
    // What a plan allows is learnt by not being refused.
    purgesPerMinute: () => null,
    lookAgainMs: vendor.lookAgainMs,
    purgePatienceMs: vendor.purgePatienceMs ?? PURGE_PATIENCE_MS,
    // Stands in until the vendor has told the name; DNS answers with neither before the CDN is operational.
    cnameFor: ({ domainId, cdnId }, serviceDomain) =>
      `${domainLabel(domainId, cdnId)}.${vendor.id}.cdn.${serviceDomain}`,
    create: place,
    apply: place,
    async observe(context, order) {
      if (order.vendorRef === null) return { state: 'gone' }
      const about = await talk(context, order)
      const seen = await vendor.observe({ ...about, ref: order.vendorRef })
      if (
        !vendor.needsCertificate ||
        about.wants.certificate ||
        (seen.state !== 'operational' && seen.state !== 'deploying')
      )
        return seen
      return {
        state: 'waiting-ssl',
        detail: `There is no certificate for ${order.host} yet; it goes on by itself when there is one`,
      }
    },
    async remove(context, order) {
      return vendor.remove(await talk(context, order))
    },
    async purge(context, order, purge) {
      if (order.vendorRef === null) return { state: 'done', everything: false }
      return vendor.purge({ ...(await talk(context, order)), ref: order.vendorRef }, purge)
    },
    traffic: {
      ...vendor.traffic,
      async read(context, order, from, until) {
        if (order.vendorRef === null) return []
        // Some take the end for included, and one counts whole hours.
        return (
          await vendor.traffic.read({ ...(await talk(context, order)), ref: order.vendorRef }, from, until)
        ).filter(({ at }) => at >= from && at < until)
      },
    },
  }
}

/** Letters, digits and hyphens, short enough for every vendor; the same for the same order. */
function nameAtVendor({ reference }: CdnOrder): string {
  return `fairway-${crypto.createHash('sha256').update(reference).digest('hex').slice(0, 16)}`
}

/** Short text that tells one state of the settings from another. */
export function marked(content: unknown): string {
  return crypto.createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 20)
}
