import { CacheTag, UriPath, checkCachePath, type ErrorCode, type PurgeKind } from '@fairway/contract'

export type PurgedDomain = { id: string; name: string }

/** Targets as edge nodes compare them, by domain; or what is wrong with which of them. */
export type PurgeTargets =
  | { ok: true; byDomain: Map<string, string[]> }
  | { ok: false; code: Extract<ErrorCode, 400 | 27026 | 27028 | 27029>; index: number; message: string }

/**
 * What a purge is about. A path goes for every domain that is selected, a full address for the domain of its name.
 * A wildcard stands for many hosts, so it takes full addresses only, and no other domain beside it.
 */
export function purgeTargets(domains: PurgedDomain[], kind: PurgeKind, targets: string[]): PurgeTargets {
  const wrong = (code: Extract<ErrorCode, 400 | 27026 | 27028 | 27029>, index = -1, message = ''): PurgeTargets => ({
    ok: false,
    code,
    index,
    message,
  })
  const wildcard = domains.find(({ name }) => name.startsWith('*.'))
  if (wildcard && domains.length > 1) return wrong(27029)
  if (kind === 'all')
    return targets.length > 0
      ? wrong(400, 0, 'validation.purgeAllAlone')
      : { ok: true, byDomain: new Map(domains.map(({ id }) => [id, []])) }
  if (targets.length === 0) return wrong(400, -1, 'validation.required')
  const byDomain = new Map<string, string[]>(domains.map(({ id }) => [id, []]))
  for (const [index, text] of targets.entries()) {
    if (targets.indexOf(text) !== index) return wrong(400, index, 'validation.duplicateValue')
    if (kind === 'tag') {
      if (!CacheTag.safeParse(text).success) return wrong(400, index, 'validation.cacheTag')
      for (const list of byDomain.values()) list.push(text)
      continue
    }
    const address = splitAddress(text)
    if (wildcard && address === null) return wrong(27028, index)
    const path = address?.path ?? text
    const problem = pathProblem(kind, path)
    if (problem !== null) return wrong(400, index, problem)
    const of = address === null ? domains : domains.filter(({ name }) => covers(name, address.host))
    if (of.length === 0) return wrong(27026, index)
    const value = normalisedTarget(path)
    if (value === null) return wrong(400, index, 'validation.uriPath')
    for (const { id } of of) byDomain.get(id)?.push(wildcard && address ? `${address.host}${value}` : value)
  }
  for (const [id, list] of byDomain) if (list.length === 0) byDomain.delete(id)
  return { ok: true, byDomain }
}

function pathProblem(kind: 'url' | 'directory', path: string): string | null {
  if (kind === 'directory') return path.includes('?') ? 'validation.cachePathQuery' : checkCachePath('directory', path)
  return UriPath.safeParse(path).success ? null : 'validation.uriPath'
}

/** Host and path of `https://host/path`; null for what does not begin like an address. */
function splitAddress(text: string): { host: string; path: string } | null {
  const found = /^https?:\/\/([^/?#:]+)(?::\d+)?(\/[^#]*)?$/i.exec(text)
  return found ? { host: (found[1] ?? '').toLowerCase(), path: found[2] ?? '/' } : null
}

const covers = (name: string, host: string): boolean =>
  name.startsWith('*.') ? host.endsWith(name.slice(1)) && host.length > name.length - 1 : host === name

/**
 * A path as nginx sees it: decoded, without dot segments and doubled slashes; the query stays as it is. Null for what
 * is no path.
 */
export function normalisedTarget(target: string): string | null {
  const mark = target.indexOf('?')
  const [path, query] = mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark)]
  let decoded: string
  try {
    decoded = decodeURIComponent(path)
  } catch {
    return null
  }
  const parts: string[] = []
  for (const part of decoded.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  const tail = parts.length > 0 && /(?:^|\/)\.{0,2}$/.test(decoded) ? '/' : ''
  return `/${parts.join('/')}${tail}${query}`
}
