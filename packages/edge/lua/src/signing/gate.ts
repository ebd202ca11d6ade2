import {
  PATH_MARK,
  PATH_TOKEN_SECONDS,
  QUERIED_MARK,
  type TokenClaims,
  foldersOf,
  isPlayerPath,
  judgePathToken,
  judgeToken,
  macTextOf,
  pathTokenText,
  splitPath,
} from '@fairway/domain/signed-urls'
import { networkOf, parametersOf } from '@fairway/domain/web-security'
import * as json from 'cjson.safe'
import { answerFile, answerPage, count } from '../answer/answer.ts'
import { deliveryDirectives, isManifest } from '../cache/delivery-directives.ts'
import type { PolicyDocument } from '../policy/documents.ts'
import { clearanceSecret } from '../policy/held.ts'
import { signed } from '../security/clearance.ts'
import { placeOf } from '../security/place.ts'
import { isSignedBy } from './ecdsa.ts'

type Signing = NonNullable<PolicyDocument['signing']>

/**
 * Lets a request for a video in, or answers it here and says undefined. What comes back is the path that was checked: it
 * is what the cache is asked for and what goes to the origin, and nothing of a token goes with it.
 */
export function admit(policy: PolicyDocument, signing: Signing, host: string, path: string): string | undefined {
  const split = path.startsWith(PATH_MARK) ? splitPath(path) : undefined
  if (split === undefined) return enterPlain(policy, signing, host, path)
  const found = opens(split.token, signing, signing.host ?? host, split.path)
  // A player that was let in goes on when signing is switched off.
  if (signing.on && found === undefined) return refuse(policy)
  // What a vendor's CDN asks for is for viewers whose signature stands in the query of every request.
  const isForVendor = found !== undefined && isVendor(signing, found.keyId) && isManifest(split.path)
  const served = isForVendor ? `${QUERIED_MARK}${split.path}` : split.path
  ngx.req.set_uri(served, false)
  const args = ngx.var.args ?? ''
  if (args !== '') ngx.req.set_uri_args(deliveryDirectives(args))
  return served
}

const isVendor = (signing: Signing, id: string): boolean =>
  signing.vendors !== undefined && signing.vendors[id] === true
const hasKey = (signing: Signing, id: string): boolean => signing.keys[id] !== undefined || isVendor(signing, id)

/** A token stands in no log, however the request ends. */
export function hideToken(path: string): void {
  const split = path.startsWith(PATH_MARK) ? splitPath(path) : undefined
  ngx.var.fw_clean = split === undefined ? path : split.path
}

function enterPlain(policy: PolicyDocument, signing: Signing, host: string, path: string): string | undefined {
  const args = ngx.var.args ?? ''
  if (!signing.on || isPlayerPath(path)) {
    if (args.includes('token=')) ngx.req.set_uri_args(deliveryDirectives(args))
    return path
  }
  const address = ngx.var.remote_addr ?? ''
  const { refusal, keyId, claims } = judgeToken(
    {
      host,
      path,
      tokens: args === '' ? [] : parametersOf(`?${args}`, 'token'),
      address,
      referrer: ngx.var.http_referer ?? '',
      country: () => placeOf(address).names['country'] ?? '',
    },
    {
      now: ngx.time(),
      decode: (text) => base64url(text),
      parse: (text) => json.decode(text),
      hasKey: (id) => signing.keys[id] !== undefined,
      verify: (id, text, signature) => isSignedBy(signing.keys[id] ?? '', text, signature),
    },
    undefined,
  )
  if (refusal !== '' || claims === undefined) return refuse(policy)
  exchange(signing, claims, keyId, host, path, address)
  return undefined
}

/** To the same path with a path token before it; what a playlist there names is found with it too. */
function exchange(
  signing: Signing,
  claims: TokenClaims,
  keyId: string,
  host: string,
  path: string,
  address: string,
): void {
  const longest = ngx.time() + PATH_TOKEN_SECONDS
  const token = {
    folders: foldersOf(claims.path),
    until: claims.exp < longest ? claims.exp : longest,
    keyId,
    // Where a visitor is was part of what was allowed.
    isNear: claims.addresses.length > 0 || claims.countries.length > 0,
  }
  const mac = signed(clearanceSecret(), macTextOf(token, signing.host ?? host, claims.path, networkOf(address)))
  count('tokens_exchanged')
  answerAnyPage()
  ngx.status = 302
  // With the port that the visitor wrote. A request in absolute form may name another host beside it.
  const asked = ngx.var.http_host ?? ''
  const at = asked.startsWith(`${host}:`) ? asked : host
  ngx.header['Location'] = `${ngx.var.scheme}://${at}/t/${pathTokenText({ ...token, mac })}${escaped(path)}`
  answerFile('text/plain; charset=utf-8', '')
}

// Path tokens that this worker has found right, so that a viewer's segments cost one look each.
type Opened = { host: string; prefix: string; until: number; keyId: string; network: string }
let opened: Record<string, Opened | undefined> = {}
let openedCount = 0
const OPENED_MAX = 10_000

function opens(text: string, signing: Signing, host: string, path: string): Opened | undefined {
  const found = opened[text]
  if (found === undefined) return openedBy(text, signing, host, path)
  // A key that was taken away takes its path tokens with it; the console's own have none.
  return found.host === host &&
    found.until > ngx.time() &&
    (found.keyId === '' || hasKey(signing, found.keyId)) &&
    path.startsWith(found.prefix) &&
    (found.network === '' || found.network === networkOf(ngx.var.remote_addr ?? ''))
    ? found
    : undefined
}

function openedBy(text: string, signing: Signing, host: string, path: string): Opened | undefined {
  const { refusal, token, prefix, network } = judgePathToken(
    { token: text, host, path },
    {
      now: ngx.time(),
      mac: (said) => signed(clearanceSecret(), said),
      hasKey: (id) => hasKey(signing, id),
      network: () => networkOf(ngx.var.remote_addr ?? ''),
    },
    undefined,
  )
  if (refusal !== '' || token === undefined) return undefined
  if (openedCount >= OPENED_MAX) {
    opened = {}
    openedCount = 0
  }
  openedCount += 1
  const found = { host, prefix, until: token.until, keyId: token.keyId, network }
  opened[text] = found
  return found
}

function refuse(policy: PolicyDocument): undefined {
  count('tokens_refused')
  answerAnyPage()
  answerPage(403, 'token-refused', policy)
  return undefined
}

/** Players stand in pages of other origins, and an address with a token is told to nobody as the page one came from. */
function answerAnyPage(): void {
  ngx.header['Access-Control-Allow-Origin'] = '*'
  ngx.header['Referrer-Policy'] = 'no-referrer'
}

function base64url(text: string): string | undefined {
  const [plus] = string.gsub(text, '-', '+')
  const [slashes] = string.gsub(plus, '_', '/')
  return ngx.decode_base64(slashes)
}

/** A path as it may stand in an address: nothing of it can end the header or begin a query. */
function escaped(path: string): string {
  const [text] = string.gsub(path, '[^%w/._~-]', (found) => string.format('%%%02X', found.charCodeAt(0)))
  return text
}
