import { z } from 'zod'
import { feature, get } from './route.ts'

/**
 * How the shield of a domain stands at one node of the edge, by what the node has confirmed: `installing` until it has
 * the domain's rules, `deleting` until it has let go of them.
 */
export const ShieldInstanceState = z.enum(['installing', 'installed', 'install-failed', 'deleting', 'delete-failed'])
export type ShieldInstanceState = z.infer<typeof ShieldInstanceState>

/** One domain's shield at one node. */
export const ShieldInstance = z.object({
  domainId: z.string(),
  domain: z.string(),
  siteName: z.string(),
  /** The node that serves it. */ node: z.string(),
  provider: z.literal('edge'),
  /** The region that the node is of; null for none. */ region: z.string().nullable(),
  /** Requests that it has sent to the origin today (UTC); null while it has not told. */
  requests: z
    .object({ /** For visitors of its own. */ own: z.int(), /** For other nodes. */ others: z.int() })
    .nullable(),
  state: ShieldInstanceState,
  /** Why the node refused it; empty otherwise. */ reason: z.string(),
  /** Its node has given no sign of life for a while. */ away: z.boolean(),
  /** When the domain was put behind the shield, or taken from it; null for longer ago than is known. */
  startedAt: z.iso.datetime().nullable(),
})
export type ShieldInstance = z.infer<typeof ShieldInstance>

export const shieldAssets = feature('shield-assets', {
  list: get('/wafmgmt/v2/shield-instances/', {
    fromReplica: true,
    out: z.object({ data: z.array(ShieldInstance) }),
    permission: 'ViewSite',
    planFeature: 'waf.enable',
    errors: [],
  }),
})
