import { z } from 'zod'
import { BULK_TABS } from './lean.ts'
import { CacheRuleInput, Expiry, NoCacheRuleInput } from './cache-rules.ts'
import { AuthorityId } from './certificates.ts'
import { OriginInput, OriginShield, SettingsInput } from './domains.ts'
import { LIMITS } from './limits.ts'
import { PurgeInput } from './purges.ts'
import { BotSwitches, CrsSwitches } from './security-switches.ts'
import { changed, feature, get, post } from './route.ts'
import { EntityChange } from './versions.ts'

/** The tabs of the screen. A job changes what one of them is about. */
export type BulkTab = (typeof BULK_TABS)[number]

const CdnIds = z.array(z.string()).max(LIMITS.cdnsPerDomain).optional()

/** What every chosen domain is to have; what is left out stays as each domain has it. */
export const BulkChange = z.discriminatedUnion('tab', [
  z.object({
    tab: z.literal('general'),
    origin: OriginInput.partial()
      .omit({ hostHeader: true })
      .extend({
        /** Put behind the addresses that a domain has. */
        appendAddresses: OriginInput.shape.spareAddresses,
      })
      .optional(),
    settings: SettingsInput.pick({
      http2: true,
      earlyHints: true,
      ocspStapling: true,
      compression: true,
      ignoreQuery: true,
      websocket: true,
      networkErrors: true,
    }).optional(),
    addTags: SettingsInput.shape.tags,
    removeTags: SettingsInput.shape.tags,
  }),
  /** In this order: what is to be there is there before what is to go goes. */
  z.object({ tab: z.literal('multi-cdn'), install: CdnIds, enable: CdnIds, disable: CdnIds, uninstall: CdnIds }),
  z.object({
    tab: z.literal('security'),
    alwaysHttps: z.boolean().optional(),
    originShield: OriginShield.optional(),
    /** This and what follows is refused where the shield is bypassed: nothing there would obey it. */
    bots: BotSwitches.partial().optional(),
    crs: CrsSwitches.partial().optional(),
    /** Orders a certificate for each domain's own name. */
    certificate: AuthorityId.optional(),
  }),
  z.object({
    tab: z.literal('cache'),
    defaultExpiry: Expiry.optional(),
    defaultHonorOrigin: z.boolean().optional(),
    tieredCache: z.boolean().optional(),
    /** A rule for a path that a domain has one for replaces its lifetime. */
    rules: z.array(CacheRuleInput).max(LIMITS.cacheRulesPerDomain).optional(),
    noCache: z.array(NoCacheRuleInput).max(LIMITS.cacheRulesPerDomain).optional(),
    /** Of each domain by itself. Wildcard domains are refused. */
    purge: PurgeInput.omit({ domainIds: true }).optional(),
  }),
])
export type BulkChange = z.infer<typeof BulkChange>

/** `unchanged`: the domain was as wanted already. */
export const BulkItemState = z.enum(['waiting', 'done', 'unchanged', 'failed'])
export type BulkItemState = z.infer<typeof BulkItemState>

const Refusal = z.object({
  /** Why it was refused; null when it was not. */
  code: z.int().nullable(),
  fields: z.array(z.object({ path: z.string(), message: z.string() })),
})
export const BulkItem = Refusal.extend({
  domainId: z.string(),
  siteId: z.string(),
  name: z.string(),
  siteName: z.string(),
  state: BulkItemState,
  /** The version of its site that holds the change. */
  version: z.int().nullable(),
  finishedAt: z.iso.datetime().nullable(),
})
export type BulkItem = z.infer<typeof BulkItem>

export const BulkJob = z.object({
  id: z.string(),
  change: BulkChange,
  requestedBy: z.string(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  counts: z.object({ waiting: z.int(), done: z.int(), unchanged: z.int(), failed: z.int() }),
})
export type BulkJob = z.infer<typeof BulkJob>
const BulkJobWithItems = BulkJob.extend({ items: z.array(BulkItem) })

/** What a domain would become. */
export const BulkPreview = Refusal.extend({
  domainId: z.string(),
  name: z.string(),
  siteName: z.string(),
  changes: z.array(EntityChange),
})
export type BulkPreview = z.infer<typeof BulkPreview>

const Wanted = z.object({
  domainIds: z
    .array(z.uuid())
    .min(1, 'validation.required')
    .max(LIMITS.bulkDomains, `validation.atMostEntries:${LIMITS.bulkDomains}`),
  change: BulkChange,
})
const needs = { permission: 'EditSite', planFeature: 'bulkConfig.enable' } as const

export const bulkConfigure = feature('bulk-configure', {
  preview: post('/web/v2/bulk-configure/preview/', {
    ...needs,
    in: Wanted,
    out: z.object({ data: z.array(BulkPreview) }),
    errors: [],
    audit: null,
    changes: [],
    summary: 'What the change would make of each domain, tried by the rules that will judge it, with nothing kept.',
  }),
  /** Newest first, the last ten. */
  list: get('/web/v2/bulk-configure/jobs/', {
    fromReplica: true,
    ...needs,
    permission: 'ViewSite',
    out: z.object({ data: z.array(BulkJob) }),
    errors: [],
  }),
  get: get('/web/v2/bulk-configure/jobs/{id}/', {
    ...needs,
    permission: 'ViewSite',
    out: BulkJobWithItems,
    errors: [],
  }),
  create: post('/web/v2/bulk-configure/jobs/', {
    ...needs,
    in: Wanted,
    out: changed(BulkJobWithItems),
    errors: [],
    audit: 'bulk.start',
    changes: [],
    summary: 'Changes many domains, each by itself: what one refuses does not keep the others.',
  }),
  retry: post('/web/v2/bulk-configure/jobs/{id}/retry/', {
    ...needs,
    out: changed(BulkJobWithItems),
    errors: [7409],
    audit: 'bulk.retry',
    changes: [],
    summary: 'Tries the domains again that failed.',
  }),
})
