import { z } from 'zod'
import { IpAddress } from './formats/cidr.ts'
import { Location } from './geography.ts'
import { MovedVisitors } from './moved-visitors.ts'
import { ListQuery, changed, del, feature, get, page, post, put } from './route.ts'
import { VisitorFilter } from './steering.ts'

export const VsrInput = z.object({
  name: z.string().trim().min(1, 'validation.required').max(80),
  enabled: z.boolean().default(true),
  filter: VisitorFilter,
  cdnId: z.string().nullable().default(null),
  mimickedAddress: IpAddress,
})
export const VsrRule = VsrInput.extend({ id: z.string(), mimickedLocation: Location, createdAt: z.iso.datetime() })
export type VsrRule = z.infer<typeof VsrRule>

export const vsrRules = feature('vsr-rules', {
  list: get('/decisive/v2/sites/{site}/domains/{domain}/vsr-rules/', {
    fromReplica: true,
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
  /** Off on any plan, for what is there stays when a plan becomes smaller; on where the plan has it. */
  enable: post('/decisive/v2/sites/{site}/domains/{domain}/vsr-rules/{id}/enable/', {
    in: z.object({ enabled: z.boolean() }),
    out: changed(VsrRule),
    permission: 'EditPerformancePolicy',
    errors: [810004],
    audit: 'vsr.enable',
    changes: ['dns-zone'],
  }),
  /** Whom the rule would move if it were live, in the place of the one that it changes. Nothing is saved. */
  effect: post('/decisive/v2/sites/{site}/domains/{domain}/vsr-rules/effect/', {
    in: VsrInput.omit({ name: true }).extend({ rule: z.string().nullable().default(null) }),
    out: MovedVisitors,
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
