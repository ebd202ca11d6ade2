/**
 * What a token is exchanged for: it stands before the path, so that addresses in playlists, which are relative, carry it
 * on, and costs a MAC to check instead of a signature. `<folders>.<until>.<key>.<n or ->.<mac>`.
 */
export type PathToken = {
  /** How many folders of the path it is bound to. */
  folders: number
  /** Epoch second. */
  until: number
  /** Key of the token that it was made of; empty for the console's own. It goes with the key. */
  keyId: string
  /** Only for the network it was made for. */
  isNear: boolean
  mac: string
}

export const PATH_MARK = '/t/'
/** Before the path of a playlist, at the origin: viewers carry their signature in the query, and it goes on with them. */
export const QUERIED_MARK = '/queried'
/** A film may be stopped and gone on with. */
export const PATH_TOKEN_SECONDS = 86_400

/** A path with a token before it, in two; undefined for one without. */
export function splitPath(path: string): { token: string; path: string } | undefined {
  if (path.charCodeAt(1) !== 116 || path.charCodeAt(2) !== 47) return undefined
  const slash = path.indexOf('/', 3)
  return slash < 0 ? { token: path.slice(3), path: '/' } : { token: path.slice(3, slash), path: path.slice(slash) }
}

/** Undefined for what is none. */
export function readPathToken(text: string): PathToken | undefined {
  if (text.length > 200) return undefined
  const [folders, until, keyId, near, mac, more] = text.split('.')
  if (folders === undefined || until === undefined || keyId === undefined || more !== undefined) return undefined
  if (mac === undefined || mac.length !== 40 || (near !== 'n' && near !== '-')) return undefined
  const depth = digitsOf(folders, 2)
  const end = digitsOf(until, 10)
  if (depth === undefined || end === undefined) return undefined
  return { folders: depth, until: end, keyId, isNear: near === 'n', mac }
}

export const pathTokenText = ({ folders, until, keyId, isNear, mac }: PathToken): string =>
  `${folders}.${until}.${keyId}.${isNear ? 'n' : '-'}.${mac}`

/** What its MAC is of. The first line tells it from everything else that is signed with that secret. */
export const macTextOf = (
  { until, keyId, isNear }: Omit<PathToken, 'mac'>,
  host: string,
  prefix: string,
  network: string,
): string => ['signed path', host, prefix, `${until}`, keyId, isNear ? network : ''].join('\n')

/** Why a path token opens nothing, in the order in which it is looked at. */
export const PATH_TOKEN_REFUSALS = [
  'path-token-malformed',
  'path-token-wrong',
  'path-token-expired',
  'path-token-key-gone',
] as const
export type PathTokenRefusal = (typeof PATH_TOKEN_REFUSALS)[number]

export type PathTokenCheck = { check: PathTokenRefusal; passed: boolean; found: string; wanted: string }

export type PathTokenWorld = {
  now: number
  /** HMAC of a text with the secret of the installation, in 40 hexadecimal digits. */
  mac: (text: string) => string
  hasKey: (id: string) => boolean
  /** Network of the visitor, asked only of a token that is bound to it. */
  network: () => string
}

export type PathTokenVerdict = {
  refusal: PathTokenRefusal | ''
  token: PathToken | undefined
  /** What it opens. */
  prefix: string
  /** What it is bound to; empty for everywhere. */
  network: string
}

/** Holds a path token against the path after it. */
export function judgePathToken(
  request: { token: string; host: string; path: string },
  world: PathTokenWorld,
  trace: PathTokenCheck[] | undefined,
): PathTokenVerdict {
  const token = readPathToken(request.token)
  const prefix = token === undefined ? undefined : prefixOf(request.path, token.folders)
  const network = token !== undefined && token.isNear ? world.network() : ''
  const refused = (refusal: PathTokenRefusal | ''): PathTokenVerdict => ({
    refusal,
    token,
    prefix: prefix ?? '',
    network,
  })
  const passes = (check: PathTokenRefusal, passed: boolean, found: string, wanted: string): boolean => {
    if (trace !== undefined) trace.push({ check, passed, found, wanted })
    return passed
  }
  if (!passes('path-token-malformed', token !== undefined, '', '') || token === undefined)
    return refused('path-token-malformed')
  const isRight = prefix !== undefined && world.mac(macTextOf(token, request.host, prefix, network)) === token.mac
  if (!passes('path-token-wrong', isRight, prefix ?? request.path, '')) return refused('path-token-wrong')
  if (!passes('path-token-expired', world.now < token.until, `${world.now}`, `${token.until}`))
    return refused('path-token-expired')
  // The console's own are of no key.
  const isKept = token.keyId === '' || world.hasKey(token.keyId)
  if (!passes('path-token-key-gone', isKept, token.keyId, '')) return refused('path-token-key-gone')
  return refused('')
}

/** The first folders of a path, with the slash after them; undefined where there are fewer. */
export function prefixOf(path: string, folders: number): string | undefined {
  let slash = 0
  for (let i = 0; i < folders; i++) {
    slash = path.indexOf('/', slash + 1)
    if (slash < 0) return undefined
  }
  return path.slice(0, slash + 1)
}

/** How many folders a prefix is. */
export function foldersOf(prefix: string): number {
  let count = 0
  for (let i = 1; i < prefix.length; i++) if (prefix.charCodeAt(i) === 47) count += 1
  return count
}

function digitsOf(text: string, most: number): number | undefined {
  if (text.length < 1 || text.length > most) return undefined
  let value = 0
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return value
}
