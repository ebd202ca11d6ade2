import { z } from 'zod'
import { ListQuery, changed, del, feature, get, page, patch, post, put } from './route.ts'
import { PageLanguage } from './snapshots/pages.ts'

/**
 * `errors`: shown when the origin fails (500 and above). `maintenance`: shown to everyone while the domain is in
 * maintenance. The others are shown by web security: to whom it blocks, to whom it slows down, while a browser solves
 * a challenge, and to whom a question is put.
 */
export const PageKind = z.enum(['errors', 'maintenance', 'blocked', 'rate-limited', 'challenge', 'captcha'])
export type PageKind = z.infer<typeof PageKind>

export const CustomPage = z.object({
  id: z.string(),
  siteId: z.string(),
  siteName: z.string(),
  kind: PageKind,
  name: z.string(),
  sizeBytes: z.int(),
  /** SHA-256 of its text. */
  digest: z.string(),
  /** Domains that show it. */
  domains: z.array(z.object({ id: z.string(), name: z.string() })),
  createdAt: z.iso.datetime(),
  modifiedAt: z.iso.datetime(),
})
export type CustomPage = z.infer<typeof CustomPage>

/** One text that the page has had: the version of the site that brought it. */
export const PageRevision = z.object({
  version: z.int(),
  author: z.string(),
  createdAt: z.iso.datetime(),
  digest: z.string(),
  sizeBytes: z.int(),
  current: z.boolean(),
})
export type PageRevision = z.infer<typeof PageRevision>

export const CustomPageDetail = CustomPage.extend({ html: z.string(), revisions: z.array(PageRevision) })
export type CustomPageDetail = z.infer<typeof CustomPageDetail>

/** What stands in the way of a page (`error`), or what somebody should look at (`warning`), and where. */
export const PageProblem = z.object({
  line: z.int(),
  column: z.int(),
  level: z.enum(['error', 'warning']),
  /**
   * `unknown`: no such token. `missing`: a token the kind needs. `case`: a token in small letters. `external`: fetched
   * from elsewhere. `not-a-page`: no HTML.
   */
  code: z.enum(['unknown', 'missing', 'case', 'external', 'not-a-page']),
  text: z.string(),
})
export type PageProblem = z.infer<typeof PageProblem>

/** What tokens stand for; a preview may be asked for with the values of a page that was served. */
export const PageValues = z.object({
  CLIENT_IP: z.string().max(64),
  HOST: z.string().max(260),
  REQUEST_ID: z.string().max(64),
  STATUS: z.string().max(3),
  TIME: z.string().max(30),
})
export type PageValues = z.infer<typeof PageValues>

/** Where the page of a kind stands among a domain's pages. */
export const PAGE_FIELDS = {
  errors: 'errorsPageId',
  maintenance: 'maintenancePageId',
  blocked: 'blockedPageId',
  'rate-limited': 'rateLimitedPageId',
  challenge: 'challengePageId',
  captcha: 'captchaPageId',
} as const satisfies Record<PageKind, string>

/** How one domain's faults are shown. */
export const PageUse = z.object({
  domainId: z.string(),
  domain: z.string(),
  errorsPageId: z.string().nullable(),
  maintenancePageId: z.string().nullable(),
  blockedPageId: z.string().nullable(),
  rateLimitedPageId: z.string().nullable(),
  challengePageId: z.string().nullable(),
  captchaPageId: z.string().nullable(),
  inMaintenance: z.boolean(),
  /** CDNs of the domain; those of others than the edge show no pages of ours. */
  cdns: z.array(z.object({ name: z.string(), shows: z.boolean() })),
})
export type PageUse = z.infer<typeof PageUse>

const Name = z.string().trim().min(1, 'validation.required').max(80, 'validation.max:80')
/** How large it may be is said by 26912, in bytes. */
const Html = z.string().max(4_000_000)
const Digest = z.string().regex(/^[0-9a-f]{64}$/)
const change = ['edge-pages', 'edge-site'] as const
const AT = '/wafmgmt/v2/sites/{site}/custom-pages'

export const customPages = feature('custom-pages', {
  list: get('/wafmgmt/v2/custom-pages/', {
    fromReplica: true,
    in: ListQuery.extend({ site: z.uuid().optional() }),
    out: page(CustomPage),
    permission: 'ViewSite',
    errors: [],
  }),
  get: get(`${AT}/{id}/`, { out: CustomPageDetail, permission: 'ViewSite', errors: [] }),
  create: post(`${AT}/`, {
    in: z.object({ kind: PageKind, name: Name, html: Html }),
    out: changed(CustomPage),
    permission: 'EditSite',
    errors: [26910, 26911, 26912, 26913, 26914, 7491],
    audit: 'customPage.create',
    changes: change,
  }),
  update: patch(`${AT}/{id}/`, {
    in: z.object({
      name: Name.optional(),
      html: Html.optional(),
      /** A text that the page has had. */ digest: Digest.optional(),
    }),
    out: changed(CustomPage),
    permission: 'EditSite',
    errors: [26910, 26911, 26912, 26914, 7491],
    audit: 'customPage.update',
    changes: change,
  }),
  remove: del(`${AT}/{id}/`, {
    out: changed(z.object({ id: z.string() })),
    permission: 'EditSite',
    errors: [],
    audit: 'customPage.remove',
    changes: change,
    summary: "Removes a page; domains that showed it show their brand's.",
  }),
  preview: post(`${AT}/preview/`, {
    in: z.object({
      kind: PageKind,
      html: Html.optional(),
      digest: Digest.optional(),
      language: PageLanguage.default('en'),
      values: PageValues.partial().default({}),
    }),
    out: z.object({ html: z.string(), digest: z.string(), problems: z.array(PageProblem) }),
    permission: 'ViewSite',
    errors: [26911, 26912],
    audit: null,
    changes: [],
    summary: "The bytes that visitors would get: of this text, of one that a page has had, or of the brand's own page.",
  }),
  uses: get(`${AT}/uses/`, { out: z.object({ data: z.array(PageUse) }), permission: 'ViewSite', errors: [] }),
  use: put('/wafmgmt/v2/sites/{site}/domains/{domain}/custom-pages/', {
    in: z.object({
      errorsPageId: z.uuid().nullable().optional(),
      maintenancePageId: z.uuid().nullable().optional(),
      blockedPageId: z.uuid().nullable().optional(),
      rateLimitedPageId: z.uuid().nullable().optional(),
      challengePageId: z.uuid().nullable().optional(),
      captchaPageId: z.uuid().nullable().optional(),
      inMaintenance: z.boolean().optional(),
    }),
    out: changed(PageUse),
    permission: 'EditSite',
    errors: [],
    audit: 'customPage.use',
    changes: change,
    summary: 'Which pages a domain shows, and whether it is in maintenance. What is left out stays.',
  }),
})
