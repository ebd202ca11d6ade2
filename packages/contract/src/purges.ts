import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { ListQuery, changed, feature, get, page, post } from './route.ts'

export const PurgeKind = z.enum(['url', 'directory', 'tag', 'all'])
export type PurgeKind = z.infer<typeof PurgeKind>

/**
 * `completed`: every CDN's old objects were seen gone. `unknown`: a CDN of which that cannot be seen. `undone`: taken
 * back before it was seen.
 */
export const PurgeStatus = z.enum(['deploying', 'rate-limited', 'completed', 'failed', 'unknown', 'undone'])
export type PurgeStatus = z.infer<typeof PurgeStatus>

/** What was seen of a purge at one CDN. Words: `purges:detail.<code>`. */
export const PurgeDetail = z.object({
  code: z.enum([
    'seen-gone',
    'nothing-stored',
    'not-looked',
    'everything',
    'elsewhere',
    'vendor-says',
    'still-old',
    'silent',
    'refused',
    'waiting',
    'paused',
  ]),
  /** Objects that were looked at. */
  count: z.int().optional(),
  /** One that is still old, and the Date it bears. */
  path: z.string().optional(),
  date: z.string().optional(),
  /** In the CDN's own words. */
  why: z.string().optional(),
})
export type PurgeDetail = z.infer<typeof PurgeDetail>

export const PurgeReceipt = z.object({
  cdnId: z.string(),
  name: z.string(),
  series: z.int(),
  status: PurgeStatus,
  detail: PurgeDetail.nullable(),
  /** Off when not all nodes could say what they held: it may be more than `objects`. */
  looked: z.boolean(),
  /** Objects that it held, as its nodes say; 0 when nobody can say. */
  objects: z.int(),
  bytes: z.int(),
  finishedAt: z.iso.datetime().nullable(),
})
export type PurgeReceipt = z.infer<typeof PurgeReceipt>

export const Purge = z.object({
  id: z.string(),
  domainId: z.string(),
  domain: z.string(),
  kind: PurgeKind,
  targets: z.array(z.string()),
  /** The old objects stay in reserve: served when the origin fails, and again after Undo. */
  soft: z.boolean(),
  status: PurgeStatus,
  receipts: z.array(PurgeReceipt),
  requestedBy: z.string(),
  undoneAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})
export type Purge = z.infer<typeof Purge>

/** One target a line; paths, or full addresses when the domain is a wildcard or there are several. */
const Wanted = z.object({
  domainIds: z.array(z.string()).min(1, 'validation.required').max(100),
  kind: PurgeKind,
  targets: z.array(z.string().trim().min(1).max(2300)).max(LIMITS.purgeTargets, 'validation.purgeTargets').default([]),
})
export const PurgeInput = Wanted.extend({ soft: z.boolean().default(false) })

export const PurgePreview = z.object({
  objects: z.int(),
  bytes: z.int(),
  /** Largest first. */
  top: z.array(z.object({ target: z.string(), host: z.string(), bytes: z.int(), cdns: z.int() })),
  cdns: z.array(z.object({ cdnId: z.string(), name: z.string(), series: z.int(), objects: z.int(), bytes: z.int() })),
  /** Off when a node had more objects than it could look through in the time it had, or did not answer. */
  complete: z.boolean(),
  /** Edge nodes that answered. */
  nodes: z.int(),
})
export type PurgePreview = z.infer<typeof PurgePreview>

const REFUSED = [27026, 27028, 27029, 27031] as const

export const purges = feature('purges', {
  list: get('/web/v2/sites/{site}/purges/', {
    fromReplica: true,
    in: ListQuery.extend({ domain_id: z.string().optional() }),
    out: page(Purge),
    permission: 'ViewSite',
    errors: [],
  }),
  get: get('/web/v2/sites/{site}/purges/{id}/', { out: Purge, permission: 'ViewSite', errors: [] }),
  preview: post('/web/v2/sites/{site}/purges/preview/', {
    in: Wanted,
    out: PurgePreview,
    permission: 'ViewSite',
    errors: REFUSED,
    audit: null,
    changes: [],
    summary: 'What the edge nodes hold of it now.',
  }),
  create: post('/web/v2/sites/{site}/purges/', {
    in: PurgeInput,
    out: changed(z.array(Purge)),
    permission: 'EditSite',
    apiTier: 4,
    errors: REFUSED,
    audit: 'purge.create',
    changes: [],
  }),
  undo: post('/web/v2/sites/{site}/purges/{id}/undo/', {
    out: changed(Purge),
    permission: 'EditSite',
    apiTier: 4,
    errors: [27030],
    audit: 'purge.undo',
    changes: [],
    summary: 'Takes a soft purge back: what it set aside is served again where it is still there.',
  }),
})

/** Asked of an edge node's control socket: what it holds of a domain that a purge would be about. */
export const CachedObjectsQuestion = z.object({
  domainId: z.string(),
  host: z.string(),
  kind: PurgeKind,
  values: z.array(z.string()).max(100),
})
export type CachedObjectsQuestion = z.infer<typeof CachedObjectsQuestion>

/** `cdn` is empty for the edge under its own name. */
export const CachedSample = z.object({
  cdn: z.string(),
  scheme: z.enum(['http', 'https']),
  host: z.string(),
  target: z.string(),
  /** Its Date header. */ date: z.string(),
})
export type CachedSample = z.infer<typeof CachedSample>
export const CachedObjects = z.object({
  objects: z.int(),
  bytes: z.int(),
  cdns: z.record(z.string(), z.object({ objects: z.int(), bytes: z.int() })),
  top: z.array(z.object({ host: z.string(), target: z.string(), bytes: z.int(), cdns: z.array(z.string()) })),
  samples: z.array(CachedSample),
  complete: z.boolean(),
})
export type CachedObjects = z.infer<typeof CachedObjects>
