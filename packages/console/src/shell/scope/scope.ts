import { domains, sites } from '@fairway/contract'
import type { Domain, RouteOutput, Site } from '@fairway/contract'
import { type QueryClient, type QueryKey, queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { read } from '../../api/queries.ts'

/** An organisation may have ten thousand sites: no list shows, or asks for, more than these at once. */
const SITES_SHOWN = 50
export const FIRST_SITES = { page_size: SITES_SHOWN, ordering: 'domain_name' } as const
export const FIRST_SET_UP = { ...FIRST_SITES, draft: 'false' } as const

/** The first sites by name: of all, of those that are set up, or of the drafts. */
export const sitesRead = read(sites.routes.list, FIRST_SITES)
export const setUpSitesRead = read(sites.routes.list, FIRST_SET_UP)
export const draftSitesRead = read(sites.routes.list, { ...FIRST_SITES, draft: 'true' })

/** One site, by its domain name or its id; none where the account has no such site, or its user may not see it. */
export const siteRead = (name: string) => read(sites.routes.list, { name, page_size: 1 })

export const domainsRead = (siteId: string) =>
  read(domains.routes.list, { site: siteId, page_size: -1, ordering: 'name' })

/** Where a screen is: its site, and the domain when one is chosen. */
export type Scope = { site: Site; domain: Domain | null; domains: readonly Domain[] }

/** Values of the address that stand for "every domain" rather than for one. */
const ALL = new Set(['all', 'no-site', 'no-domain'])

const domainNameOf = ({ domainName }: Site): string => domainName

/** Site and domain of the address. Only on screens below `/$site/…`, whose loader has read both. */
export function useScope(): Scope {
  const params = useParams({ strict: false })
  if (params.site === undefined) throw new Error('useScope is for screens of a site')
  const site = findNamed(useSuspenseQuery(siteRead(params.site)).data.data, params.site, domainNameOf)
  if (!site) throw new Error('useScope is for screens of a site')
  const domainsOfSite = useSuspenseQuery(domainsRead(site.id)).data.data
  return { site, domain: findNamed(domainsOfSite, params.domain, ({ name }) => name) ?? null, domains: domainsOfSite }
}

/** The site of the address, on any page; undefined where it names none, or none that is there. */
export function useSiteOfAddress(): Site | undefined {
  const { site = '' } = useParams({ strict: false })
  const { data } = useQuery({ ...siteRead(site), enabled: site !== '' && !ALL.has(site) })
  return findNamed(data?.data ?? [], site, domainNameOf)
}

type SiteList = RouteOutput<typeof sites.routes.list>

type Told = { site: Site; toldAt: number }

/** Every site that any answer told of: the newest word of each, the newest last. */
export function knownSites(queryClient: QueryClient): Told[] {
  const told = queryClient
    .getQueriesData<SiteList>({ queryKey: [sites.routes.list.path] })
    .flatMap(([queryKey, list]) => list?.data.map((site) => ({ site, toldAt: toldAt(queryClient, queryKey) })) ?? [])
    .toSorted((a, b) => b.toldAt - a.toldAt)
  const seen = new Set<string>()
  return told.filter(({ site: { id } }) => !seen.has(id) && seen.add(id)).toReversed()
}

/** The time of what an event has made old: before all others. */
const MADE_OLD = 1

/** When it was read; 0 when it was not. */
function toldAt(queryClient: QueryClient, queryKey: QueryKey): number {
  const state = queryClient.getQueryState(queryKey)
  return state?.data === undefined ? 0 : state.isInvalidated ? MADE_OLD : state.dataUpdatedAt
}

/** What leads away from an address is not taken from an answer older than this. */
const FRESH_MS = 1000

/**
 * The site that an address names. One that a list just showed is not asked for again; one that is missing or a draft
 * is, and one of lists that an event has made old: it may have been added, finished or deleted meanwhile.
 */
export async function siteNamed(queryClient: QueryClient, name: string): Promise<Site | undefined> {
  if (ALL.has(name)) return undefined
  const { queryKey } = siteRead(name)
  const known = knownSites(queryClient).findLast(({ site }) => site.domainName === name || site.id === name)
  const own = toldAt(queryClient, queryKey)
  if (known && known.toldAt > MADE_OLD && known.toldAt >= own) {
    if (known.toldAt > own)
      queryClient.setQueryData(
        queryKey,
        { data: [known.site], meta: { total: 1, page: 1, pageSize: 1 } },
        { updatedAt: known.toldAt },
      )
    if (known.site.zoneStatus !== 0) return known.site
  }
  const { data } = await queryClient.fetchQuery({ ...siteRead(name), staleTime: FRESH_MS })
  return findNamed(data, name, domainNameOf)
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
export async function siteToOpen(queryClient: QueryClient): Promise<Site | undefined> {
  const last = remembered()
  const site = last === null ? undefined : await siteNamed(queryClient, last)
  if (site) return site
  // What is known is good until an event has made it old: the site that was first may be the one that was deleted.
  const first = (list: typeof sitesRead) => queryClient.fetchQuery({ ...list, staleTime: Infinity })
  const { data: setUp } = await first(setUpSitesRead)
  return setUp[0] ?? (await first(sitesRead)).data[0]
}

/** The same for screens, which want its name and id: its state may be of before. */
export const siteToOpenRead = (queryClient: QueryClient) =>
  queryOptions({
    queryKey: ['site-to-open', remembered()],
    queryFn: async () => (await siteToOpen(queryClient)) ?? null,
  })

function remembered(): string | null {
  try {
    return localStorage.getItem(REMEMBERED)
  } catch {
    // Storage may be refused; the first site will do.
    return null
  }
}

export function rememberSite(site: Site): void {
  try {
    localStorage.setItem(REMEMBERED, site.domainName)
  } catch {
    // Only a convenience.
  }
}
