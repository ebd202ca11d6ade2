import type { EdgePurgeMark, EdgePurges } from '@fairway/contract'
import type { Config, Tx } from '@fairway/platform'
import { CDN_DRIVERS } from '@fairway/drivers'
import { attachedDrivers } from '../features/domains/store.ts'
import { PURGES_KEPT_DAYS } from '../features/purges/store.ts'
import type { Built } from './built.ts'
import { buildStreamPurges, isStreamKey } from './stream-site.ts'

type Row = { kind: EdgePurgeMark['kind']; targets: string[]; soft: boolean; at: number; old?: boolean }

/** As many as an edge node looks through without noticing; older ones are replaced by one purge of everything. */
const MARKS_MAX = 1_500

/** Newest first, and no more than there are marks: the last one counts for all before it. */
export const IN_FORCE = `SELECT kind, targets, soft, (extract(epoch FROM marked_at) * 1000)::float8 AS at, marked_at < now() - make_interval(days => ${PURGES_KEPT_DAYS}) AS old
  FROM purge WHERE domain_id = $1 AND undone_at IS NULL ORDER BY marked_at DESC LIMIT ${MARKS_MAX + 2}`

/** The purges of a domain that are in force. Key: domain id. */
export async function buildEdgePurges(tx: Tx, key: string, config: Config): Promise<Built> {
  if (isStreamKey(key)) return buildStreamPurges(tx, key, config)
  const domain = (
    await tx.query<{ id: string; organization_id: string; site_id: string; name: string; purge_version: number }>(
      'SELECT id, organization_id, site_id, name, purge_version FROM domain WHERE id = $1',
      [key],
    )
  )[0]
  if (!domain) return null
  const rows = await tx.query<Row>(IN_FORCE, [key])
  const body: EdgePurges = {
    domainId: domain.id,
    organizationId: domain.organization_id,
    siteId: domain.site_id,
    host: domain.name,
    version: domain.purge_version,
    marks: marksOf(rows, await withoutTags(tx, key)),
  }
  return { version: domain.purge_version, organizationId: domain.organization_id, body }
}

/** Simulated CDNs of the domain that know no tags: of them a purge by tag takes everything. */
async function withoutTags(tx: Tx, domainId: string): Promise<string[]> {
  return (await attachedDrivers(tx, domainId))
    .filter(({ driver, slug }) => driver === 'simulated' && !CDN_DRIVERS[driver].capabilities(slug).purgeTag)
    .map(({ slug }) => slug)
}

/**
 * Newest first. What an older purge of everything covers needs no mark of its own, unless one of the two may be undone.
 * One that is old stands for all before it, which may be forgotten, as a purge of everything: a node that was away for
 * as long holds nothing from before it that is served.
 */
export function marksOf(rows: Row[], withoutTags: string[] = []): EdgePurgeMark[] {
  const marks: EdgePurgeMark[] = []
  for (const { kind, targets, soft, at, old = false } of rows) {
    const whole = { at: Math.round(at), soft }
    if (old || marks.length + targets.length > MARKS_MAX) {
      marks.push({ kind: 'all', value: '', at: whole.at, soft: false })
      break
    }
    if (kind === 'all') marks.push({ kind, value: '', ...whole })
    if (kind === 'tag') for (const cdn of withoutTags) marks.push({ kind: 'all', value: cdn, ...whole })
    if (kind !== 'all') for (const value of targets) marks.push({ kind, value, ...whole })
    if (kind === 'all' && !soft) break
  }
  return marks
}
