import { inverse, netChanges } from '@fairway/domain'
import { LIMITS, versions, type EntityChange, type PublicationKind, type SiteVersion } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import type { SiteRow } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { checkZone } from '../dns-records/check-zone.ts'
import { deployState, nodeRows } from './node-states.ts'
import { refuseBeyondPlan } from './refuse-beyond-plan.ts'
import { writeBack } from './write-back.ts'

export type VersionRow = {
  number: number
  title: string
  author: string
  source: SiteVersion['source']
  kinds: PublicationKind[]
  changes: EntityChange[]
  created_at: Date
}

/** Of many changes a list has the first. */
type ListedRow = VersionRow & { change_count: number }

export const versionsSlice = slice(versions, {
  async list({ tx, site, now }, { touches, ...query }) {
    const { limit, offset, meta } = pageOf(query)
    const rows = await tx.query<ListedRow & { total: number }>(
      `WITH page AS (SELECT number, count(*) OVER () AS total FROM version WHERE site_id = $1 AND ($4::text IS NULL OR title ILIKE '%' || $4 || '%' OR author ILIKE '%' || $4 || '%')
         AND ($5::text IS NULL OR changes @> jsonb_build_array(jsonb_build_object('id', $5::text))) ORDER BY number DESC LIMIT $2 OFFSET $3)
       SELECT v.number, v.title, v.author, v.source, v.kinds, v.created_at, page.total, jsonb_array_length(v.changes) AS change_count,
         CASE WHEN $5::text IS NULL THEN jsonb_path_query_array(v.changes, '$[0 to ${LIMITS.versionChanges - 1}]')
           ELSE jsonb_path_query_array(v.changes, '$[*] ? (@.id == $id)', jsonb_build_object('id', $5::text)) END AS changes
       FROM page JOIN version v ON v.site_id = $1 AND v.number = page.number ORDER BY v.number DESC`,
      [site.id, limit, offset, query.search ?? null, touches ?? null],
    )
    const nodes = await nodeRows(tx, site.id)
    return { data: rows.map((row) => present(row, nodes, now)), meta: meta(rows[0]?.total ?? 0) }
  },

  async get({ tx, site, now }, { number }) {
    const row = await versionRow(tx, site.id, number)
    return present({ ...row, change_count: row.changes.length }, await nodeRows(tx, site.id), now)
  },

  async compare({ tx, site }, { from, to }) {
    if (Math.max(from, to) > site.version) throw new Failure(404)
    const rows = await tx.query<Pick<VersionRow, 'changes'>>(
      `SELECT changes FROM version WHERE site_id = $1 AND number > $2 AND number <= $3 AND source <> 'system' ORDER BY number`,
      [site.id, Math.min(from, to), Math.max(from, to)],
    )
    const changes = netChanges(rows.flatMap((row) => row.changes))
    return { from, to, changes: from <= to ? changes : inverse(changes) }
  },

  async revert(context, { number }) {
    const { tx, site, change } = context
    const row = await versionRow(tx, site.id, number)
    if (row.source === 'system') throw new Failure(409, { internal: 'what the system did follows from facts' })
    const version = await change.version()
    const undone = await writeBack(tx, site.id, row.changes, version)
    for (const entry of undone) change.record(entry)
    await refuseBroken(tx, site)
    await refuseBeyondPlan(context, undone)
    change.title = `Revert of version ${row.number}: ${row.title}`
    change.kinds = row.kinds
    return { data: { reverted: row.number }, meta: { version } }
  },
})

/** What was undone has to fit into what the site is now. */
async function refuseBroken(tx: Tx, site: SiteRow): Promise<void> {
  await checkZone(tx, site).catch((error: unknown) => {
    throw error instanceof Failure ? new Failure(409, { internal: `undone, the zone breaks: ${error.message}` }) : error
  })
  const dark = await tx.query(
    `SELECT domain_id FROM domain_cdn WHERE site_id = $1 AND state <> 'deleting' GROUP BY domain_id HAVING NOT bool_or(enabled)`,
    [site.id],
  )
  if (dark.length) throw new Failure(409, { internal: 'undone, no CDN of a domain is enabled' })
}

async function versionRow(tx: Tx, siteId: string, number: string): Promise<VersionRow> {
  if (!/^\d{1,9}$/.test(number)) throw new Failure(404)
  const row = (
    await tx.query<VersionRow>('SELECT * FROM version WHERE site_id = $1 AND number = $2', [siteId, Number(number)])
  )[0]
  if (!row) throw new Failure(404)
  return row
}

function present(row: ListedRow, nodes: Awaited<ReturnType<typeof nodeRows>>, now: Date): SiteVersion {
  return {
    number: row.number,
    title: row.title,
    author: row.author,
    source: row.source,
    createdAt: row.created_at.toISOString(),
    changes: row.changes,
    changeCount: row.change_count,
    ...deployState(nodes, row.kinds, row.number, now),
  }
}
