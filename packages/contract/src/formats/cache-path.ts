import { z } from 'zod'

export const PathType = z.enum(['directory', 'extension', 'pattern'])
export type PathType = z.infer<typeof PathType>

// Characters of a path as RFC 3986 3.3 has them, percent signs included; no question mark, no blank.
const SAFE = `A-Za-z0-9\\-._~!$&'()+,;=:@%/`
const FORMS: Record<PathType, RegExp> = {
  directory: new RegExp(`^/(?:[${SAFE}]*/)?$`),
  extension: /^\.\w{1,20}$/,
  pattern: new RegExp(`^/[${SAFE}*]*$`),
}

const WRONG: Record<PathType, string> = {
  directory: 'validation.cachePathDirectory',
  extension: 'validation.cachePathExtension',
  pattern: 'validation.cachePathPattern',
}

/** Each is looked for in every path. */
const STARS_MOST = 8

/** The key of what is wrong with a path of a cache rule, or null. */
export function checkCachePath(type: PathType, path: string): string | null {
  if (path.includes('?')) return 'validation.cachePathQuery'
  if (path.length > 500) return 'validation.max:500'
  if (!FORMS[type].test(path)) return WRONG[type]
  return path.split('*').length > STARS_MOST + 1 ? 'validation.cachePathStars' : null
}

/** A path that begins with `/`, with a query if need be. */
export const UriPath = z
  .string()
  .trim()
  .max(2000)
  .regex(new RegExp(`^/[${SAFE}]*(?:\\?[${SAFE}?*\\[\\]]*)?$`), 'validation.uriPath')

/** A tag that an origin gives its answers (Cache-Tag). */
export const CacheTag = z
  .string()
  .trim()
  .regex(/^[\x21-\x2b\x2d-\x7e]{1,256}$/, 'validation.cacheTag')
