import { domains, sites } from '@fairway/contract'
import type { Domain, Site } from '@fairway/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { read } from '../../api/queries.ts'

export const sitesRead = read(sites.routes.list, { page_size: -1, ordering: 'domain_name' })
export const domainsRead = (siteId: string) =>
  read(domains.routes.list, { site: siteId, page_size: -1, ordering: 'name' })

/** Where a screen is: its site, and the domain when one is chosen. */
export type Scope = { site: Site; domain: Domain | null; domains: readonly Domain[] }

/** Values of the address that stand for "every domain" rather than for one. */
const ALL = new Set(['all', 'no-site', 'no-domain'])

/** Site and domain of the address. Only on screens below `/$site/…`, whose loader has read both. */
export function useScope(): Scope {
  const params = useParams({ strict: false })
  const sitesOfAccount = useSuspenseQuery(sitesRead).data.data
  const site = findNamed(sitesOfAccount, params.site, ({ domainName }) => domainName)
  if (!site) throw new Error('useScope is for screens of a site')
  const domainsOfSite = useSuspenseQuery(domainsRead(site.id)).data.data
  return { site, domain: findNamed(domainsOfSite, params.domain, ({ name }) => name) ?? null, domains: domainsOfSite }
}

/** Addresses carry names, since people read them; an id is understood as well. */
export function findNamed<Row extends { id: string }>(
  rows: readonly Row[],
  text: string | undefined,
  nameOf: (row: Row) => string,
): Row | undefined {
  if (text === undefined || ALL.has(text)) return undefined
  return rows.find((row) => nameOf(row) === text || row.id === text)
}

const REMEMBERED = 'fairway.site'

/** The site to open when the address names none: the last one used here, else the first, a draft last. */
export function siteToOpen(rows: readonly Site[]): Site | undefined {
  let last: string | null = null
  try {
    last = localStorage.getItem(REMEMBERED)
  } catch {
    // Storage may be refused; the first site will do.
  }
  return rows.find(({ id }) => id === last) ?? rows.find(({ zoneStatus }) => zoneStatus !== 0) ?? rows[0]
}

export function rememberSite(site: Site): void {
  try {
    localStorage.setItem(REMEMBERED, site.id)
  } catch {
    // Only a convenience.
  }
}
