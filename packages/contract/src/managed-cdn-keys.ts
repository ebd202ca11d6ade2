import { z } from 'zod'
import { ByoPlatform, ByoTestProblem } from './byo-cdn-keys.ts'
import { del, feature, get, post, put } from './route.ts'

/** The operator's account at a vendor, as it may be shown: its CDN is offered to every organisation. */
export const ManagedCdnKey = z.object({
  platform: ByoPlatform,
  /** `settings`: it stands in the file that a setting names, and is changed there; a stored key goes before it. */
  source: z.enum(['stored', 'settings']),
  fields: z.record(z.string(), z.string()),
  /** Names of the secret fields that are stored. */
  secretsSet: z.array(z.string()),
  /** Domains that are on its CDN, or are still being taken off. */
  domainCount: z.int(),
  testedAt: z.iso.datetime().nullable(),
  /** Null with a `testedAt`: the vendor let us in. */
  testProblem: z.string().nullable(),
  modifiedAt: z.iso.datetime(),
})
export type ManagedCdnKey = z.infer<typeof ManagedCdnKey>

const operator = { permission: 'operator', scope: 'installation' } as const
const Values = z.record(z.string().max(40), z.string().trim().max(4000))

export const managedCdnKeys = feature('managed-cdn-keys', {
  list: get('/operator/v2/cdn-keys/', { ...operator, errors: [], out: z.object({ data: z.array(ManagedCdnKey) }) }),
  create: post('/operator/v2/cdn-keys/', {
    ...operator,
    errors: [8421, 8491],
    in: z.object({ platform: ByoPlatform, values: Values }),
    out: ManagedCdnKey,
    audit: 'managedCdnKey.create',
    changes: [],
    summary: 'Stores the operator’s key at a vendor; its CDN is offered to every organisation from then on.',
  }),
  update: put('/operator/v2/cdn-keys/{platform}/', {
    ...operator,
    errors: [8491],
    in: z.object({ /** Secret fields left out stay as they are. */ values: Values }),
    out: ManagedCdnKey,
    audit: 'managedCdnKey.update',
    changes: [],
  }),
  remove: del('/operator/v2/cdn-keys/{platform}/', {
    ...operator,
    errors: [8492],
    out: z.object({}),
    audit: 'managedCdnKey.remove',
    changes: [],
  }),
  test: post('/operator/v2/cdn-keys/{platform}/test/', {
    ...operator,
    errors: [],
    out: z.object({
      problem: ByoTestProblem.nullable(),
      /** What the vendor said, without secrets. */ detail: z.string().nullable(),
      key: ManagedCdnKey,
    }),
    audit: 'managedCdnKey.test',
    changes: [],
    summary: 'Makes the cheapest call of the vendor with the key.',
  }),
})
