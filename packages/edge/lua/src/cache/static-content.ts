import { STATIC_EXTENSIONS, type StaticKind } from '@fairway/domain/web-security'
import { fits } from '../policy/path-match.ts'
import type { PathMatch } from '../policy/path-rules.ts'

const KINDS = kindsByExtension()

function kindsByExtension(): Record<string, StaticKind | undefined> {
  const kinds: Record<string, StaticKind | undefined> = {}
  for (const kind of ['style', 'script', 'image', 'font', 'media', 'file'] as const)
    for (const extension of STATIC_EXTENSIONS[kind].split(' ')) kinds[`.${extension}`] = kind
  return kinds
}

/**
 * Whether an answer is a file that is the same for everybody: by the end of its path (from the last dot on, lower case)
 * and by its content type. Both, because a page can be asked for under a name that ends like a picture's (web cache
 * deception), and a name says nothing where a type is all that there is. Without content there is no type to look at.
 */
export function isStaticContent(tail: string, contentType: string | undefined): boolean {
  const kind = KINDS[tail]
  if (kind === undefined) return false
  if (contentType === undefined) return true
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  if (kind === 'style') return type === 'text/css'
  if (kind === 'script')
    return type.endsWith('/javascript') || type.endsWith('/x-javascript') || type.endsWith('/ecmascript')
  if (kind === 'image') return type.startsWith('image/')
  if (type === 'application/octet-stream') return true
  if (kind === 'font') return type.startsWith('font/') || (type.startsWith('application/') && type.includes('font'))
  if (kind === 'media') return type.startsWith('video/') || type.startsWith('audio/')
  return type.startsWith('application/') && !isDocumentOrData(type)
}

/**
 * Whether a rule that fits a path is meant for an answer there. One about an ending of files is for what is such a file:
 * `/account/x.css` may be somebody's page. And the path fits in every reading of it: `other` is how the rest reads it,
 * empty where all read alike.
 */
export function isMeant(rule: PathMatch, other: string, tail: string, contentType: string | undefined): boolean {
  if (other !== '' && !fits(rule, other)) return false
  return (
    rule.type !== 'extension' ||
    KINDS[rule.path.toLowerCase()] === undefined ||
    isStaticContent(tail.toLowerCase(), contentType)
  )
}

/** What programs answer with under any name. */
function isDocumentOrData(type: string): boolean {
  return type.endsWith('json') || type.endsWith('xml') || type.endsWith('graphql') || type.endsWith('urlencoded')
}
