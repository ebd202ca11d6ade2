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

/** `flood`: many requests of few; `injections`: what rule sets look for; `logins`: guessed passwords. */
export const AttackKind = z.enum(['flood', 'injections', 'logins'])
export type AttackKind = z.infer<typeof AttackKind>
/** What the demo's visitors do to its guarded domain; null while they leave it in peace. */
export const SimulatedAttack = z.object({
  attack: z.object({ kind: AttackKind, until: z.iso.datetime() }).nullable(),
})
export type SimulatedAttack = z.infer<typeof SimulatedAttack>

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
  attack: get('/sim/v2/attack/', { out: SimulatedAttack, permission: 'ViewSite', errors: [] }),
  setAttack: put('/sim/v2/attack/', {
    in: z.object({ kind: AttackKind.nullable(), seconds: z.int().min(10).max(600).default(120) }),
    out: SimulatedAttack,
    permission: 'EditSite',
    errors: [],
    audit: 'simulatedAttack.set',
    changes: [],
    summary: 'Lets the visitors of the demo attack its guarded domain for a while, or ends that.',
  }),
})
