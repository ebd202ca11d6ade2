import { z } from 'zod'
import { IpAddress } from './formats/cidr.ts'
import { Location } from './geography.ts'
import { ListQuery, changed, del, feature, get, page, post, put } from './route.ts'
import { Share, VisitorFilter } from './steering.ts'

export const VsrInput = z.object({
  name: z.string().trim().min(1, 'validation.required').max(80),
  enabled: z.boolean().default(true),
  filter: VisitorFilter,
  cdnId: z.string().nullable().default(null),
  mimickedAddress: IpAddress,
})
export const VsrRule = VsrInput.extend({ id: z.string(), mimickedLocation: Location, createdAt: z.iso.datetime() })
export type VsrRule = z.infer<typeof VsrRule>

/** Visitors of one country and network who are sent alike, by how many of the last day's sampled questions were theirs. */
export const VsrEffectGroup = z.object({
  country: z.string().length(2).nullable(),
  network: z.string().nullable(),
  samples: z.int(),
  /** Where they are sent now, and where they would be; empty where no CDN is enabled. */
  before: z.array(Share),
  after: z.array(Share),
})
export const VsrEffect = z.object({
  /** Sampled questions for this domain in the last day. */
  samples: z.int(),
  /** Of these, asked by the clients that were decided for: those who ask most. */
  looked: z.int(),
  /** Of these, by visitors who would get another CDN, or other shares. */
  moved: z.int(),
  /** Who would be moved, most first; the smallest groups are left out. */
  groups: z.array(VsrEffectGroup),
})
export type VsrEffect = z.infer<typeof VsrEffect>

export const vsrRules = feature('vsr-rules', {
  list: get('/decisive/v2/sites/{site}/domains/{domain}/vsr-rules/', {
    in: ListQuery,
    out: page(VsrRule),
    permission: 'ViewPerformancePolicy',
    errors: [],
  }),
  create: post('/decisive/v2/sites/{site}/domains/{domain}/vsr-rules/', {
    in: VsrInput,
    out: changed(VsrRule),
    permission: 'EditPerformancePolicy',
    planFeature: 'dns.vsr',
    errors: [810004, 810008, 810011],
    audit: 'vsr.create',
    changes: ['dns-zone'],
  }),
  update: put('/decisive/v2/sites/{site}/domains/{domain}/vsr-rules/{id}/', {
    in: VsrInput,
    out: changed(VsrRule),
    permission: 'EditPerformancePolicy',
    planFeature: 'dns.vsr',
    errors: [810004, 810011],
    audit: 'vsr.update',
    changes: ['dns-zone'],
  }),
  /** Whom the rule would move if it were live, in the place of the one that it changes. Nothing is saved. */
  effect: post('/decisive/v2/sites/{site}/domains/{domain}/vsr-rules/effect/', {
    in: VsrInput.omit({ name: true }).extend({ rule: z.string().nullable().default(null) }),
    out: VsrEffect,
    permission: 'ViewPerformancePolicy',
    planFeature: 'dns.vsr',
    errors: [503, 810011],
    audit: null,
    changes: [],
  }),
  remove: del('/decisive/v2/sites/{site}/domains/{domain}/vsr-rules/{id}/', {
    out: changed(z.object({ id: z.string() })),
    permission: 'EditPerformancePolicy',
    errors: [],
    audit: 'vsr.remove',
    changes: ['dns-zone'],
  }),
})
