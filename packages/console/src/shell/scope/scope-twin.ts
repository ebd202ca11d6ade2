import { targetOf } from '../guards/route-rules.ts'

const SCOPED = '/$site/{-$domain}'
const GUIDE = '/guide'

/** A page by the full path of its route and by its address. */
export type Page = { fullPath: string; pathname: string }
type IsRoute = (fullPath: string) => boolean

/**
 * Where *All sites* leads from a screen of a site: to the same screen of the whole account, or to the guide while there
 * is none.
 */
export function hrefForAllSites({ fullPath, pathname }: Page, isRoute: IsRoute): string {
  const rest = pathname.split('/').slice(targetOf(pathname).domain === undefined ? 2 : 3)
  const ofAccount = fullPath.slice(SCOPED.length)
  // The account's home is that of a site.
  if (ofAccount !== '/home' && isRoute(ofAccount)) return `/${rest.join('/')}`
  const [category, childCategory] = rest
  return childCategory === undefined ? GUIDE : `${GUIDE}/${category}/${childCategory}`
}

/** Where choosing a site leads from a screen of the whole account; null on pages that are about no site. */
export function hrefForSite({ fullPath, pathname }: Page, isRoute: IsRoute, site: string): string | null {
  const place = `/${encodeURIComponent(site)}`
  if (pathname === GUIDE) return `${place}/home`
  if (pathname.startsWith(`${GUIDE}/`)) return place + pathname.slice(GUIDE.length)
  return !pathname.startsWith('/welcome/') && isRoute(SCOPED + fullPath) ? place + pathname : null
}
