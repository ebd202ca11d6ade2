import crypto from 'node:crypto'
import { type CustomPage, customPages, type ErrorCode, LIMITS, type PageKind, type PageUse } from '@fairway/contract'
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
  insertPage,
  keepText,
  listPages,
  nameTaken,
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
    const digest = await keep(context, kind, html)
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
      digest: html === undefined ? (digest ?? before.digest) : await keep(context, before.kind, html),
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
      await tx.query(
        'UPDATE domain SET errors_page_id = nullif(errors_page_id, $2), maintenance_page_id = nullif(maintenance_page_id, $2) WHERE id = $1',
        [domain.id, id],
      )
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
      html: fillPage(text, { ...PAGE_TOKENS, STATUS: kind === 'errors' ? '502' : '503', ...values }),
      digest: digestOf(text),
      problems,
    }
  },

  async uses({ tx, site }) {
    return { data: (await usesOf(tx, site.id, null)).map(presentUse) }
  },

  async use(context, { errorsPageId, maintenancePageId, inMaintenance }) {
    const { tx, site, domain, change } = context
    await refuseOtherKind(context, 'errors', errorsPageId)
    await refuseOtherKind(context, 'maintenance', maintenancePageId)
    const wanted = {
      errorsPageId: errorsPageId === undefined ? domain.errors_page_id : errorsPageId,
      maintenancePageId: maintenancePageId === undefined ? domain.maintenance_page_id : maintenancePageId,
      inMaintenance: inMaintenance ?? domain.in_maintenance,
    }
    if (
      wanted.errorsPageId === domain.errors_page_id &&
      wanted.maintenancePageId === domain.maintenance_page_id &&
      wanted.inMaintenance === domain.in_maintenance
    )
      return { data: await onlyUse(context), meta: { version: null } }
    const before = (await recordedRow(tx, 'domain', site.id, domain.id)) ?? null
    await setUse(tx, domain.id, wanted)
    change.title =
      wanted.inMaintenance === domain.in_maintenance
        ? `Pages of ${domain.name}`
        : `Maintenance of ${domain.name} ${wanted.inMaintenance ? 'on' : 'off'}`
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

/** Checks a page and keeps its text. @throws Failure 26910 with the lines, 26911, 26912 */
async function keep({ tx, actor }: Context, kind: PageKind, html: string): Promise<string> {
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
  await keepText(tx, actor.organizationId, { digest, body: html, sizeBytes })
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

function presentUse(row: UseRow): PageUse {
  return {
    domainId: row.domain_id,
    domain: row.domain,
    errorsPageId: row.errors_page_id,
    maintenancePageId: row.maintenance_page_id,
    inMaintenance: row.in_maintenance,
    cdns: row.cdns.map(({ name, driver }) => ({ name, shows: driver === 'fairway-edge' || driver === 'simulated' })),
  }
}
