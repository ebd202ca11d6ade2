import crypto from 'node:crypto'
import {
  type CustomPage,
  customPages,
  type ErrorCode,
  LIMITS,
  PAGE_FIELDS,
  PageKind,
  type PageUse,
} from '@fairway/contract'
import { checkPage, defaultPage, fillPage, PAGE_TOKENS } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { maximaOf } from '../plans/maxima.ts'
import { recordedRow } from '../versions/recorded-row.ts'
import { brandOf } from './brand.ts'
import {
  countPages,
  deletePage,
  domainsShowing,
  forgetPage,
  insertPage,
  keepText,
  listPages,
  nameTaken,
  PAGE_COLUMN,
  type PagesOfDomain,
  pageById,
  revisionsOf,
  setUse,
  textOf,
  updatePage,
  usesOf,
  type PageRow,
  type UseRow,
} from './store.ts'

const ORDER = {
  created_at: 'p.created_at',
  modified_at: 'p.modified_at',
  name: 'lower(p.name)',
  kind: 'p.kind',
  size: 't.size_bytes',
  site: 's.domain_name',
}

export const customPagesSlice = slice(customPages, {
  async list({ tx }, query) {
    const page = pageOf(query)
    const { rows, total } = await listPages(tx, {
      site: query.site,
      search: query.search,
      order: orderBy(query.ordering, ORDER),
      ...page,
    })
    return { data: rows.map(present), meta: page.meta(total) }
  },

  async get(context, { id }) {
    const { tx, actor, site } = context
    const row = await existing(context, id)
    const revisions = await revisionsOf(tx, actor.organizationId, site.id, id)
    const current = revisions.findIndex(({ digest }) => digest === row.digest)
    return {
      ...present(row),
      html: (await textOf(tx, actor.organizationId, row.digest)) ?? '',
      revisions: revisions.map((one, index) => ({
        version: one.number,
        author: one.author,
        createdAt: one.created_at.toISOString(),
        digest: one.digest,
        sizeBytes: one.size_bytes,
        current: index === current,
      })),
    }
  },

  async create(context, { kind, name, html }) {
    const { tx, actor, site, change } = context
    if ((await countPages(tx, site.id)) >= (await maximaOf(tx, actor.organizationId)).customPagesPerSite)
      throw new Failure(26913)
    if (await nameTaken(tx, site.id, kind, name)) throw taken()
    const digest = await keep(context, kind, html, null)
    const id = await insertPage(tx, { organizationId: actor.organizationId, siteId: site.id, kind, name, digest })
    change.title = `Page ${name}`
    await recordPage(context, id, name, null)
    return answer(context, id)
  },

  async update(context, { id, name, html, digest }) {
    const { tx, actor, site, change } = context
    const before = await existing(context, id)
    const wanted = {
      name: name ?? before.name,
      digest: html === undefined ? (digest ?? before.digest) : await keep(context, before.kind, html, id),
    }
    if (
      wanted.digest !== before.digest &&
      html === undefined &&
      (await textOf(tx, actor.organizationId, wanted.digest)) === undefined
    )
      throw new Failure(404)
    if (wanted.name === before.name && wanted.digest === before.digest)
      return { data: present(before), meta: { version: null } }
    if (wanted.name !== before.name && (await nameTaken(tx, site.id, before.kind, wanted.name))) throw taken()
    const row = (await recordedRow(tx, 'custom_page', site.id, id)) ?? null
    await updatePage(tx, id, wanted)
    change.title = `Page ${wanted.name}`
    change.kinds = ['edge-pages']
    await recordPage(context, id, wanted.name, row)
    return answer(context, id)
  },

  async remove(context, { id }) {
    const { tx, site, change } = context
    const page = await existing(context, id)
    // Recorded before the page: undone, they come after it.
    for (const domain of await domainsShowing(tx, site.id, id)) {
      const row = (await recordedRow(tx, 'domain', site.id, domain.id)) ?? null
      await forgetPage(tx, domain.id, id)
      change.record({
        entity: 'domain',
        id: domain.id,
        label: domain.name,
        before: row,
        after: (await recordedRow(tx, 'domain', site.id, domain.id)) ?? null,
      })
    }
    const row = (await recordedRow(tx, 'custom_page', site.id, id)) ?? null
    await deletePage(tx, id)
    change.title = `Remove page ${page.name}`
    change.record({ entity: 'custom-page', id, label: page.name, before: row, after: null })
    return { data: { id }, meta: { version: await change.version() } }
  },

  async preview({ tx, actor }, { kind, html, digest, language, values }) {
    const own = html ?? (digest === undefined ? undefined : await textOf(tx, actor.organizationId, digest))
    if (own === undefined && digest !== undefined) throw new Failure(404)
    const text = own ?? defaultPage(kind, language, await brandOf(tx, actor.organizationId))
    refuseLarge(text)
    const problems = checkPage(kind, text)
    if (problems.some(({ code }) => code === 'not-a-page')) throw new Failure(26911)
    return {
      html: fillPage(text, { ...PAGE_TOKENS, STATUS: STATUS[kind], ...values }, BOXES_SHOWN),
      digest: digestOf(text),
      problems,
    }
  },

  async uses({ tx, site }) {
    return { data: (await usesOf(tx, site.id, null)).map(presentUse) }
  },

  async use(context, { inMaintenance: closed, ...chosen }) {
    const { tx, site, domain, change } = context
    const pages = pagesOf(domain)
    let isChanged = false
    for (const kind of PageKind.options) {
      const id = chosen[PAGE_FIELDS[kind]]
      await refuseOtherKind(context, kind, id)
      if (id === undefined || id === pages[PAGE_COLUMN[kind]]) continue
      pages[PAGE_COLUMN[kind]] = id
      isChanged = true
    }
    const inMaintenance = closed ?? domain.in_maintenance
    if (!isChanged && inMaintenance === domain.in_maintenance)
      return { data: await onlyUse(context), meta: { version: null } }
    const before = (await recordedRow(tx, 'domain', site.id, domain.id)) ?? null
    await setUse(tx, domain.id, pages, inMaintenance)
    change.title =
      inMaintenance === domain.in_maintenance
        ? `Pages of ${domain.name}`
        : `Maintenance of ${domain.name} ${inMaintenance ? 'on' : 'off'}`
    change.record({
      entity: 'domain',
      id: domain.id,
      label: domain.name,
      before,
      after: (await recordedRow(tx, 'domain', site.id, domain.id)) ?? null,
    })
    return { data: await onlyUse(context), meta: { version: await change.version() } }
  },
})

const STATUS: Record<PageKind, string> = {
  errors: '502',
  maintenance: '503',
  blocked: '403',
  'rate-limited': '429',
  challenge: '403',
  captcha: '403',
}
/** What previews show in the place of a box, which only works at the edge. */
const BOXES_SHOWN = {
  CHALLENGE: '<p>…</p>',
  CAPTCHA_BOX: '<p><input size="8" disabled> <button disabled>→</button></p>',
}

/**
 * Checks a page and keeps its text, in the place of that of a page.
 * @throws Failure 26910 with the lines, 26911, 26912, 26914
 */
async function keep({ tx, actor }: Context, kind: PageKind, html: string, replaces: string | null): Promise<string> {
  const sizeBytes = refuseLarge(html)
  const errors = checkPage(kind, html).filter(({ level }) => level === 'error')
  if (errors.some(({ code }) => code === 'not-a-page')) throw new Failure(26911, at('html', 26911))
  if (errors.length > 0)
    throw new Failure(26910, {
      fields: errors.slice(0, 100).map(({ line, column, code, text }) => ({
        path: `html:${line}:${column}`,
        message: `validation.${code === 'missing' ? 'pageTokenMissing' : 'pageTokenUnknown'}:${text.replaceAll(':', '')}`,
      })),
    })
  const digest = digestOf(html)
  if (!(await keepText(tx, actor.organizationId, { digest, body: html, sizeBytes, replaces }))) throw new Failure(26914)
  return digest
}

function refuseLarge(html: string): number {
  const bytes = Buffer.byteLength(html)
  if (bytes > LIMITS.customPageBytes) throw new Failure(26912, at('html', 26912))
  return bytes
}

const at = (path: string, code: ErrorCode) => ({ fields: [{ path, message: `code:${code}` }] })
const taken = () => new Failure(7491, at('name', 7491))
const digestOf = (text: string): string => crypto.createHash('sha256').update(text).digest('hex')

async function refuseOtherKind({ tx, site }: Context, kind: PageKind, id: string | null | undefined): Promise<void> {
  if (id && (await pageById(tx, site.id, id))?.kind !== kind) throw new Failure(404)
}

async function existing({ tx, site }: Context, id: string): Promise<PageRow> {
  const row = await pageById(tx, site.id, id)
  if (!row) throw new Failure(404)
  return row
}

async function recordPage(
  { tx, site, change }: Context,
  id: string,
  label: string,
  before: Record<string, unknown> | null,
): Promise<void> {
  change.record({
    entity: 'custom-page',
    id,
    label,
    before,
    after: (await recordedRow(tx, 'custom_page', site.id, id)) ?? null,
  })
}

async function answer(context: Context, id: string) {
  return { data: present(await existing(context, id)), meta: { version: await context.change.version() } }
}

async function onlyUse({ tx, site, domain }: Context): Promise<PageUse> {
  const [row] = await usesOf(tx, site.id, domain.id)
  if (!row) throw new Failure(404)
  return presentUse(row)
}

function present(row: PageRow): CustomPage {
  return {
    id: row.id,
    siteId: row.site_id,
    siteName: row.site_name,
    kind: row.kind,
    name: row.name,
    sizeBytes: row.size_bytes,
    digest: row.digest,
    domains: row.domains,
    createdAt: row.created_at.toISOString(),
    modifiedAt: row.modified_at.toISOString(),
  }
}

function pagesOf(row: PagesOfDomain): PagesOfDomain {
  return {
    errors_page_id: row.errors_page_id,
    maintenance_page_id: row.maintenance_page_id,
    blocked_page_id: row.blocked_page_id,
    rate_limited_page_id: row.rate_limited_page_id,
    challenge_page_id: row.challenge_page_id,
    captcha_page_id: row.captcha_page_id,
  }
}

function presentUse(row: UseRow): PageUse {
  return {
    domainId: row.domain_id,
    domain: row.domain,
    errorsPageId: row.errors_page_id,
    maintenancePageId: row.maintenance_page_id,
    blockedPageId: row.blocked_page_id,
    rateLimitedPageId: row.rate_limited_page_id,
    challengePageId: row.challenge_page_id,
    captchaPageId: row.captcha_page_id,
    inMaintenance: row.in_maintenance,
    cdns: row.cdns.map(({ name, driver }) => ({ name, shows: driver === 'fairway-edge' || driver === 'simulated' })),
  }
}
