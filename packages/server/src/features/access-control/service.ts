import { accessControl, type AccessEntry, type AccessEntryInput } from '@fairway/contract'
import { accessRemarks, canUse, isNobodys, shortestBlock } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { maximaOf } from '../plans/maxima.ts'
import { recordedRow, recordedRows } from '../versions/recorded-row.ts'
import { draftEntry, policyEntries } from '../web-security/policy.ts'
import { effectOf } from './effect.ts'
import { readLines } from './read-lines.ts'
import {
  accessEntries,
  countEntries,
  deleteEntries,
  entryById,
  insertEntries,
  listEntries,
  updateEntry,
  type AccessRow,
  type NewEntry,
} from './store.ts'

const ORDER = { created_at: 'created_at', value: 'value', expires_at: 'expires_at', list: 'list' }
/** What cannot be read of a list is shown up to here. */
const REFUSED_MOST = 100
const REMARKS_MOST = 8

export const accessControlSlice = slice(accessControl, {
  async list({ tx, domain, now }, query) {
    const { limit, offset, meta } = pageOf(query)
    const { rows, total } = await listEntries(tx, domain.id, {
      list: query.list ?? null,
      kind: query.kind ?? null,
      search: query.search ?? null,
      order: orderBy(query.ordering, ORDER),
      limit,
      offset,
    })
    return { data: rows.map((row) => present(row, now)), meta: meta(total) }
  },

  async create(context, input) {
    const { domain, change } = context
    const entry = entryOf(context, input, 'value')
    const [id] = await add(context, [entry])
    if (id === undefined) throw new Failure(26903)
    change.title = `${WORDS[input.list]} ${entry.value} on ${domain.name}`
    return { data: await only(context, id), meta: { version: await change.version() } }
  },

  async createMany(context, { entries: inputs }) {
    const { domain, change } = context
    const entries = inputs.map((input, index) => entryOf(context, input, `entries.${index}.value`))
    const ids = await add(context, entries)
    change.title = `Access control of ${domain.name}: ${ids.length} entries`
    return {
      data: { added: ids.length, duplicates: entries.length - ids.length },
      meta: { version: ids.length > 0 ? await change.version() : null },
    }
  },

  async import(context, { list, text, expiresAt }) {
    const { domain, change } = context
    const { entries, refused } = readLines(text, list, expiresAt)
    const ids = await add(context, entries)
    change.title = `${WORDS[list]} ${ids.length} addresses on ${domain.name}`
    return {
      data: { added: ids.length, duplicates: entries.length - ids.length, refused: refused.slice(0, REFUSED_MOST) },
      meta: { version: ids.length > 0 ? await change.version() : null },
    }
  },

  effect: (context, { remove, ...drafts }) => effectOf(context, draftsOf(drafts), new Set(remove)),

  async remarks({ tx, domain, now }, drafts) {
    const saved = policyEntries(await accessEntries(tx, domain.id))
    const found = accessRemarks(saved, draftsOf(drafts), Math.floor(now.getTime() / 1000))
    return { data: found.slice(0, REMARKS_MOST), more: Math.max(0, found.length - REMARKS_MOST) }
  },

  async update(context, { id, note, expiresAt }) {
    const { tx, site, domain, change } = context
    const row = await entryById(tx, domain.id, id)
    if (!row) throw new Failure(404)
    const before = (await recordedRow(tx, 'access_entry', site.id, id)) ?? null
    await updateEntry(tx, id, {
      note: note ?? row.note,
      expiresAt: expiresAt === undefined ? (row.expires_at?.toISOString() ?? null) : expiresAt,
    })
    const after = (await recordedRow(tx, 'access_entry', site.id, id)) ?? null
    if (JSON.stringify(before) === JSON.stringify(after))
      return { data: await only(context, id), meta: { version: null } }
    change.title = `Change ${row.value} on the ${row.list} of ${domain.name}`
    change.record({ entity: 'access-entry', id, label: row.value, before, after })
    return { data: await only(context, id), meta: { version: await change.version() } }
  },

  async remove(context, { id }) {
    if ((await removeAll(context, [id])) === 0) throw new Failure(404)
    return { data: { id }, meta: { version: await context.change.version() } }
  },

  async removeMany(context, { ids }) {
    const removed = await removeAll(context, ids)
    return { data: { removed }, meta: { version: removed > 0 ? await context.change.version() : null } }
  },
})

/** What is typed in, as the edge would be given it. */
function draftsOf({ add: entries, text }: { add: AccessEntryInput[]; text?: DraftLines | undefined }) {
  const lines = text ? readLines(text.lines, text.list, null).entries : []
  return [
    ...entries.map((entry, index) => draftEntry(entry, `draft-${index}`)),
    ...policyEntries(lines.map((entry) => ({ ...entry, id: entry.value, expires_at: null }))),
  ]
}
type DraftLines = { list: NewEntry['list']; lines: string }

const WORDS = { whitelist: 'Let in', blacklist: 'Keep out' } as const

/** @throws Failure 400 at `path` for what is nobody's address, 27005 for a place where the plan knows none */
function entryOf(context: Context, input: AccessEntryInput, path: string): NewEntry {
  const common = { list: input.list, note: input.note, expires_at: input.expiresAt }
  if (input.kind === 'address' && isNobodys(input.value))
    throw new Failure(400, { fields: [{ path, message: 'validation.bogon' }] })
  if (input.kind === 'address')
    return {
      ...common,
      kind: input.kind,
      value: shortestBlock(input.value) ?? input.value,
      network: '',
      exclude: false,
    }
  const missing = canUse([...context.actor.abilities], 'waf.acl.geo')
  if (missing) throw new Failure(missing)
  return { ...common, kind: input.kind, value: input.value, network: input.network ?? '', exclude: input.exclude }
}

/** Adds those that are not there yet; the others take no room. @throws Failure 26902 for more than the plan has */
async function add({ tx, actor, site, domain, change }: Context, entries: NewEntry[]): Promise<string[]> {
  const { accessEntriesPerDomain: most } = await maximaOf(tx, actor.organizationId)
  // Rows that are taken back are dead ones: what cannot go well writes none.
  if (entries.length > most) throw new Failure(26902)
  const ids = await insertEntries(
    tx,
    { organizationId: actor.organizationId, siteId: site.id, domainId: domain.id },
    entries,
  )
  if ((await countEntries(tx, domain.id)) > most) throw new Failure(26902)
  for (const [id, after] of await recordedRows(tx, 'access_entry', site.id, ids))
    change.record({ entity: 'access-entry', id, label: String(after['value']), before: null, after })
  return ids
}

/** Answers how many of them were there. */
async function removeAll({ tx, site, domain, change }: Context, ids: string[]): Promise<number> {
  const rows = await recordedRows(tx, 'access_entry', site.id, ids)
  const own = [...rows].filter(([, row]) => row['domain_id'] === domain.id)
  await deleteEntries(
    tx,
    domain.id,
    own.map(([id]) => id),
  )
  for (const [id, before] of own)
    change.record({ entity: 'access-entry', id, label: String(before['value']), before, after: null })
  const [first] = own
  const what = own.length === 1 && first ? String(first[1]['value']) : `${own.length} entries`
  change.title = `Remove ${what} from access control of ${domain.name}`
  return own.length
}

async function only({ tx, domain, now }: Context, id: string): Promise<AccessEntry> {
  const row = await entryById(tx, domain.id, id)
  if (!row) throw new Failure(404)
  return present(row, now)
}

function present(row: AccessRow, now: Date): AccessEntry {
  return {
    id: row.id,
    list: row.list,
    kind: row.kind,
    value: row.value,
    network: row.network === '' ? null : row.network,
    exclude: row.exclude,
    note: row.note,
    expiresAt: row.expires_at?.toISOString() ?? null,
    expired: row.expires_at !== null && row.expires_at <= now,
    createdAt: row.created_at.toISOString(),
  }
}
