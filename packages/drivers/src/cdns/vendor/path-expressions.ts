import type { EdgePathMatch } from '@fairway/contract'

/** A rule's path as a regular expression over the path of a request, without delimiters (RE2 and PCRE alike). */
export function pathRegex({ type, path }: EdgePathMatch): string {
  if (type === 'directory') return `^${escaped(withSlash(path))}`
  if (type === 'extension') return `\\.${escaped(path.replace(/^\*?\./, ''))}$`
  return `^${path.split('*').map(escaped).join('.*')}$`
}

/** The same with `*` for anything, for vendors who know no more. */
export function pathGlob({ type, path }: EdgePathMatch): string {
  if (type === 'directory') return `${withSlash(path)}*`
  return type === 'extension' ? `*.${path.replace(/^\*?\./, '')}` : path
}

const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`)
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
