import type { Tx } from '@fairway/platform'
import type { Context, DomainRow, SiteRow } from './context.ts'
import { NAMED_BY } from '../publish/nameservers.ts'
import { Failure } from './failure.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const isUuid = (text: string): boolean => UUID.test(text)

/**
 * SQL for an id that stands in a column among other names, NULL for those. To compare texts instead (`id::text = key`)
 * reads the whole table, and a table may hold a million.
 */
export const uuidIn = (column: string): string =>
  `CASE WHEN ${column} ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN ${column}::uuid END`

/**
 * The site and domain of the path, read under row-level security: another organisation's are simply not there.
 * A call that changes the site holds its row until the commit, so that checks across rows stay true and versions come
 * one after the other.
 */
export async function readTenant(
  tx: Tx,
  input: Record<string, unknown>,
  changes: boolean,
): Promise<{ site?: SiteRow | undefined; domain?: DomainRow | undefined }> {
  for (const name of ['id', 'site', 'domain', 'node', 'organization', 'user', 'partner', 'ticket', 'letter']) {
    const value = input[name]
    // Without a site in the path, a domain is a name that somebody typed.
    if (name === 'domain' && input['site'] === undefined) continue
    if (typeof value === 'string' && !UUID.test(value)) throw new Failure(404)
  }
  if (typeof input['site'] !== 'string') return {}
  const site = (
    await tx.query<SiteRow>(
      `SELECT id, organization_id, domain_name, version, ${NAMED_BY} FROM site s WHERE id = $1 ${changes ? 'FOR NO KEY UPDATE OF s' : ''}`,
      [input['site']],
    )
  )[0]
  if (!site) throw new Failure(404)
  if (typeof input['domain'] !== 'string') return { site }
  const domain = (
    await tx.query<DomainRow>('SELECT * FROM domain WHERE id = $1 AND site_id = $2 AND removed_at IS NULL', [
      input['domain'],
      site.id,
    ])
  )[0]
  if (!domain) throw new Failure(404)
  return { site, domain }
}

/** Of a route that `holdsLate`: the site and domain as they are now, held until the commit. */
export async function holdSite(context: Context): Promise<Context> {
  const place = { site: context.site.id, domain: context.domain.id }
  const { site, domain } = await readTenant(context.tx, place, true)
  if (!site || !domain) throw new Failure(404)
  return { ...context, site, domain }
}
