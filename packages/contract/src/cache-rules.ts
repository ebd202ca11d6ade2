import { z } from 'zod'
import { checkCachePath, PathType } from './formats/cache-path.ts'
import { ListQuery, changed, del, feature, get, page, patch, post } from './route.ts'

export const ExpiryUnit = z.enum(['second', 'minute', 'hour', 'day', 'month'])
export type ExpiryUnit = z.infer<typeof ExpiryUnit>

/** Seconds of a unit, and the most of it that a rule may have. A month is 30 days. */
export const EXPIRY_UNITS: Record<ExpiryUnit, { seconds: number; max: number }> = {
  second: { seconds: 1, max: 31_536_000 },
  minute: { seconds: 60, max: 525_600 },
  hour: { seconds: 3_600, max: 8_760 },
  day: { seconds: 86_400, max: 365 },
  month: { seconds: 2_592_000, max: 12 },
}

export const Expiry = z.object({ value: z.int(), unit: ExpiryUnit }).superRefine(({ value, unit }, context) => {
  const { max } = EXPIRY_UNITS[unit]
  if (value < 1 || value > max)
    context.addIssue({ code: 'custom', path: ['value'], message: `validation.between:1:${max}` })
})
export type Expiry = z.infer<typeof Expiry>

export const CacheRule = z.object({
  id: z.string(),
  /** `default`: everything that no other rule is about. Its id is the domain's. */
  type: z.enum([...PathType.options, 'default']),
  path: z.string(),
  expiry: z.object({ value: z.int(), unit: ExpiryUnit }),
  ttlSeconds: z.int(),
  /** On: the origin's word on freshness goes first. Off: this rule's lifetime replaces it. */
  honorOrigin: z.boolean(),
  /**
   * It is about every answer at its paths; one for an extension of static files about answers of that content type only.
   * The default can be about less: static content, by extension and content type, asked for without cookies.
   */
  everything: z.boolean(),
  createdAt: z.iso.datetime(),
})
export type CacheRule = z.infer<typeof CacheRule>

export const NoCacheRule = z.object({ id: z.string(), type: PathType, path: z.string(), createdAt: z.iso.datetime() })
export type NoCacheRule = z.infer<typeof NoCacheRule>

const Match = z.object({ type: PathType, path: z.string().trim().min(1) })
/** Adds the check that a path has the form of its type. */
function checkedPath<T extends z.ZodType<z.infer<typeof Match>>>(form: T): T {
  return form.superRefine(({ type, path }, context) => {
    const wrong = checkCachePath(type, path)
    if (wrong !== null) context.addIssue({ code: 'custom', path: ['path'], message: wrong })
  })
}

export const CacheRuleInput = checkedPath(Match.extend({ expiry: Expiry, honorOrigin: z.boolean() }))
export type CacheRuleInput = z.infer<typeof CacheRuleInput>
export const NoCacheRuleInput = checkedPath(Match)
export type NoCacheRuleInput = z.infer<typeof NoCacheRuleInput>

const AT = '/web/v2/sites/{site}/domains/{domain}'
const change = ['edge-site'] as const
const Removed = changed(z.object({ id: z.string() }))

/**
 * How long what is kept: the first that fits of patterns, directories, extensions, then the default. What a no-cache
 * rule is about is never kept. A rule decides where its path fits however origins read it (`/img/..;/account`), and one
 * for an extension of static files where the content type is such a file's; elsewhere the default does.
 */
export const cacheRules = feature('cache-rules', {
  list: get(`${AT}/caches/`, {
    fromReplica: true,
    in: ListQuery.extend({ ordering: z.string().max(64).default('precedence') }),
    out: page(CacheRule),
    permission: 'ViewSite',
    errors: [],
  }),
  create: post(`${AT}/caches/`, {
    in: CacheRuleInput,
    out: changed(CacheRule),
    permission: 'EditSite',
    errors: [27004, 27005, 27025],
    audit: 'cacheRule.create',
    changes: change,
  }),
  update: patch(`${AT}/caches/{id}/`, {
    in: z.object({
      expiry: Expiry.optional(),
      honorOrigin: z.boolean().optional(),
      /** Of the default only. */
      everything: z.boolean().optional(),
    }),
    out: changed(CacheRule),
    permission: 'EditSite',
    errors: [27005],
    audit: 'cacheRule.update',
    changes: change,
  }),
  remove: del(`${AT}/caches/{id}/`, {
    out: Removed,
    permission: 'EditSite',
    errors: [],
    audit: 'cacheRule.remove',
    changes: change,
  }),
  noCache: get(`${AT}/no-caches/`, {
    in: ListQuery.extend({ ordering: z.string().max(64).default('path') }),
    out: page(NoCacheRule),
    permission: 'ViewSite',
    errors: [],
  }),
  createNoCache: post(`${AT}/no-caches/`, {
    in: NoCacheRuleInput,
    out: changed(NoCacheRule),
    permission: 'EditSite',
    errors: [27004, 27005, 27025],
    audit: 'noCacheRule.create',
    changes: change,
  }),
  removeNoCache: del(`${AT}/no-caches/{id}/`, {
    out: Removed,
    permission: 'EditSite',
    errors: [],
    audit: 'noCacheRule.remove',
    changes: change,
  }),
})
