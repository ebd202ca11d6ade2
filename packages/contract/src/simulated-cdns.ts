import { z } from 'zod'
import { SimulatedFault } from './snapshots/edge.ts'
import { feature, get, page, put } from './route.ts'

export const SimulatedCdn = z.object({
  cdnId: z.string(),
  name: z.string(),
  series: z.int(),
  address: z.string(),
  fault: SimulatedFault,
  version: z.int(),
  live: z.boolean(),
})
export type SimulatedCdn = z.infer<typeof SimulatedCdn>

/** The game day panel and `fairway sim`: drives the installation's simulated CDNs. */
export const simulatedCdns = feature('simulated-cdns', {
  list: get('/sim/v2/cdns/', { out: page(SimulatedCdn), permission: 'ViewSite', errors: [] }),
  set: put('/sim/v2/cdns/{cdn}/', {
    in: z.object({ fault: SimulatedFault }),
    out: SimulatedCdn,
    permission: 'EditSite',
    errors: [],
    audit: 'simulatedCdn.set',
    changes: ['simulated-cdn'],
  }),
})
