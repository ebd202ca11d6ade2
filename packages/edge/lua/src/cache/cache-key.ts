/** What an object is stored under. Two that differ in any part never meet. */
export type CacheKey = {
  /** The CDN that stored it; empty for the edge under its own name, `tier` for the second cache. */
  cdn: string
  scheme: string
  host: string
  /** Of the domain and its origin. */
  generation: string
  /** Newest purge by path or directory that the object is younger than, epoch ms. */
  purgedAt: number
  /** The same by tag. */
  tagPurgedAt: number
  /** Path with the query, as the visitor wrote it. */
  target: string
}

/** Asked of every request, so no table is made for it. */
export function cacheKey(
  cdn: string,
  scheme: string,
  host: string,
  generation: string,
  purgedAt: number,
  tagPurgedAt: number,
  target: string,
): string {
  return `${cdn}|${scheme}|${host}|${generation}|${purgedAt}|${tagPurgedAt}|${target}`
}

/** The parts of a stored key; undefined for one of another form. */
export function readCacheKey(text: string): CacheKey | undefined {
  const parts: string[] = []
  let rest = text
  for (let bar = rest.indexOf('|'); bar >= 0 && parts.length < 6; bar = rest.indexOf('|')) {
    parts.push(rest.slice(0, bar))
    rest = rest.slice(bar + 1)
  }
  const [cdn, scheme, host, generation, purgedAt, tagPurgedAt] = parts
  if (
    cdn === undefined ||
    scheme === undefined ||
    host === undefined ||
    generation === undefined ||
    purgedAt === undefined ||
    tagPurgedAt === undefined
  )
    return undefined
  return { cdn, scheme, host, generation, purgedAt: digits(purgedAt), tagPurgedAt: digits(tagPurgedAt), target: rest }
}

function digits(text: string): number {
  let value = 0
  for (let i = 0; i < text.length; i++) value = value * 10 + (text.charCodeAt(i) - 48)
  return value
}
