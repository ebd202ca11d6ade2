// Browsers come with few of these. Anybody could come with many others, which are not kept.
const shared: Record<string, string | undefined> = {}
let sharedCount = 0
const SHARED_MAX = 200
const LONGEST = 100

/**
 * Encodings that the edge or an origin may answer with, in one spelling each, so that visitors who accept the same
 * share an object.
 */
export function sharedEncodings(acceptEncoding: string, brotli: boolean): string {
  const key = brotli ? `br ${acceptEncoding}` : acceptEncoding
  const known = shared[key]
  if (known !== undefined) return known
  const spelled = spelledAlike(acceptEncoding, brotli)
  if (sharedCount < SHARED_MAX && key.length <= LONGEST) {
    sharedCount += 1
    shared[key] = spelled
  }
  return spelled
}

function spelledAlike(acceptEncoding: string, brotli: boolean): string {
  const accepts = { br: false, gzip: false }
  for (const item of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';')
    if (isRefused(parameters)) continue
    const encoding = name.trim()
    if (encoding === 'br' || encoding === '*') accepts.br = true
    if (encoding === 'gzip' || encoding === 'x-gzip' || encoding === '*') accepts.gzip = true
  }
  if (accepts.br && brotli) return accepts.gzip ? 'br, gzip' : 'br'
  return accepts.gzip ? 'gzip' : ''
}

/** `q=0` says no (RFC 9110 12.4.2). */
function isRefused(parameters: string[]): boolean {
  for (const parameter of parameters) {
    const text = parameter.split(' ').join('')
    if (text === 'q=0' || text === 'q=0.' || text === 'q=0.0' || text === 'q=0.00' || text === 'q=0.000') return true
  }
  return false
}

/** Bytes from which on content is compressed. */
export const LEAST_COMPRESSED = 256

const COMPRESSIBLE = [
  'text/',
  'application/javascript',
  'application/json',
  'application/ld+json',
  'application/manifest+json',
  'application/rss+xml',
  'application/atom+xml',
  'application/xhtml+xml',
  'application/xml',
  'application/wasm',
  'application/vnd.ms-fontobject',
  'application/x-javascript',
  'font/otf',
  'font/ttf',
  'image/svg+xml',
  'image/x-icon',
  'image/bmp',
]

const judged: Record<string, boolean | undefined> = {}
let judgedCount = 0
/** Origins name few types, and always the same. */
const JUDGED_MAX = 200

/** Whether compressing this kind of content is worth it. */
export function isCompressible(contentType: string): boolean {
  const known = judged[contentType]
  if (known !== undefined) return known
  const worth = isWorthIt(contentType)
  if (judgedCount < JUDGED_MAX) {
    judgedCount += 1
    judged[contentType] = worth
  }
  return worth
}

function isWorthIt(contentType: string): boolean {
  const type = contentType.toLowerCase()
  for (const prefix of COMPRESSIBLE) if (type.startsWith(prefix)) return true
  return false
}
