import { type Ask, firstOf, textsOf } from './ask.ts'
import { extensionOf, otherPath } from './target.ts'

/** What frameworks take a method from that came with POST. */
const OVERRIDES = ['x-http-method-override', 'x-http-method', 'x-method-override']

/**
 * The request as other origins read it, where they differ: paths with parameters (`/public/..;/admin`) or backslashes,
 * methods that a header puts in POST's place. What stops holds in any reading, what lets pass has to hold in all.
 * Usually there are none.
 */
export function otherReadings(ask: Ask): Ask[] {
  const path = otherPath(firstOf(ask('target', '')))
  const isPost = firstOf(ask('method', '')) === 'POST'
  if (path === undefined && !isPost) return NONE
  const methods: string[] = []
  if (isPost)
    for (const name of OVERRIDES) for (const said of textsOf(ask('header', name))) methods.push(said.toUpperCase())
  if (path === undefined && methods.length === 0) return NONE
  const readings: Ask[] = []
  if (path !== undefined) readings.push(reading(ask, path, undefined))
  for (const method of methods.slice(0, MOST)) {
    readings.push(reading(ask, undefined, method))
    if (path !== undefined) readings.push(reading(ask, path, method))
  }
  return readings
}
/** Fields that a reading may say something else of. */
export const READ_DIFFERENTLY: ReadonlySet<string> = new Set(['path', 'method', 'extension'])
const NONE: Ask[] = []
const MOST = 8

function reading(ask: Ask, path: string | undefined, method: string | undefined): Ask {
  return (field, name) => {
    if (field === 'method' && method !== undefined) return method
    if (field === 'path' && path !== undefined) return path
    return field === 'extension' && path !== undefined ? extensionOf(path) : ask(field, name)
  }
}
