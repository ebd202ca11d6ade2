import type { InspectedCheck, InspectedToken, InspectedUrl } from '@fairway/contract'
import {
  CLOUDFRONT_REFUSALS,
  type CloudfrontCheck,
  PATH_TOKEN_REFUSALS,
  type PathTokenCheck,
  TOKEN_REFUSALS,
  type TokenCheck,
  isForCloudfront,
  judgeCloudfront,
  judgePathToken,
  judgeToken,
  splitPath,
} from '@fairway/domain'
import { networkOf, ofTarget, parametersOf } from '@fairway/domain/web-security'
import { type Config, isStreamHost, pathTokenMac, streamHost, streamKey } from '@fairway/platform'
import { isSignedBy, isSignedForCloudfront } from './key-pair.ts'
import type { KeyRow } from './store.ts'

type Known = {
  config: Config
  organizationId: string
  keys: readonly KeyRow[]
  /** Of the organisation's own distribution. */
  cloudfrontHost: string | null
  on: boolean
  now: Date
  countryOf: (address: string) => string | null
}

/** What the edge would make of an address, by the code that runs there. */
export function inspectUrl(
  { url, address = '', country, referrer = '', at }: InspectedUrl,
  known: Known,
): InspectedToken {
  const { config, organizationId, keys, on } = known
  const now = Math.floor((at === undefined ? known.now : new Date(at)).getTime() / 1000)
  // As a browser would send it, but for the path, which tells more as it was written.
  const [, authority = '', target = ''] = /^https?:\/\/([^/?#]*)([^#]*)/.exec(url) ?? []
  const host = authority.replace(/:\d*$/, '').toLowerCase()
  const path = firstText(ofTarget(target === '' ? '/' : target, 'path', ''))
  // At every CDN of the house a path token is that of the edge's own host.
  const own = streamHost(config, organizationId)
  const isOwn = host === own || (isStreamHost(config, host) && host.startsWith(`${streamKey(organizationId)}.`))
  const where = country ?? (address === '' ? null : known.countryOf(address))
  const shared = {
    on,
    isOwnHost: isOwn,
    country: where,
  }
  if (isForCloudfront(url))
    return inspectCloudfront(
      { url, host, address },
      { ...shared, isOwnHost: host === known.cloudfrontHost },
      known,
      now,
    )
  const hasKey = (id: string) => keys.some(({ key_id, kind }) => key_id === id && kind === 'ecdsa-p256')
  const split = path.startsWith('/t/') ? splitPath(path) : undefined
  if (split) {
    const trace: PathTokenCheck[] = []
    const { refusal, token } = judgePathToken(
      { token: split.token, host: isOwn ? own : host, path: split.path },
      {
        now,
        hasKey,
        mac: (text) => pathTokenMac(config, text),
        network: () => networkOf(address),
      },
      trace,
    )
    return {
      ...shared,
      kind: 'path-token',
      refusal: refusal || null,
      checks: checksOf(PATH_TOKEN_REFUSALS, trace),
      claims: null,
      keyId: token?.keyId ?? '',
    }
  }
  const trace: TokenCheck[] = []
  const { refusal, claims, keyId } = judgeToken(
    { host, path, tokens: parametersOf(target, 'token'), address, referrer, country: () => where ?? '' },
    {
      now,
      hasKey,
      // One digit is left that is no byte: Node reads over it, and nginx does not.
      decode: (text) => (text.length % 4 === 1 ? undefined : Buffer.from(text, 'base64url').toString('latin1')),
      parse,
      verify: (id, text, signature) =>
        isSignedBy(keys.find(({ key_id }) => key_id === id)?.public_key ?? '', text, signature),
    },
    trace,
  )
  return {
    ...shared,
    kind: 'token',
    refusal: refusal || null,
    checks: checksOf(TOKEN_REFUSALS, trace),
    keyId,
    claims: claims
      ? {
          host: claims.host,
          path: claims.path,
          expiresAt: time(claims.exp),
          notBefore: claims.nbf === 0 ? null : time(claims.nbf),
          countries: claims.countries,
          addresses: claims.addresses,
          referrers: claims.referrers,
        }
      : null,
  }
}

/** The same for an address of the organisation's own CloudFront, by what that documents. */
function inspectCloudfront(
  request: { url: string; host: string; address: string },
  shared: Pick<InspectedToken, 'on' | 'isOwnHost' | 'country'>,
  { keys }: Known,
  now: number,
): InspectedToken {
  const keyOf = (id: string) => keys.find(({ key_pair_id }) => key_pair_id !== null && key_pair_id === id)
  const trace: CloudfrontCheck[] = []
  const { refusal, keyPairId, policy } = judgeCloudfront(
    request,
    {
      now,
      decode: (text) =>
        /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64').toString('latin1') : undefined,
      parse,
      hasKey: (id) => keyOf(id) !== undefined,
      verify: (id, text, signature) => isSignedForCloudfront(keyOf(id)?.public_key ?? '', text, signature),
    },
    trace,
  )
  return {
    ...shared,
    kind: 'cloudfront',
    refusal: refusal || null,
    checks: checksOf(CLOUDFRONT_REFUSALS, trace),
    keyId: keyPairId,
    claims:
      policy && !['cloudfront-policy', 'cloudfront-signature'].includes(refusal)
        ? {
            host: request.host,
            path: policy.resource,
            expiresAt: time(policy.until),
            notBefore: policy.from === 0 ? null : time(policy.from),
            countries: [],
            addresses: policy.address === '' ? [] : [policy.address],
            referrers: [],
          }
        : null,
  }
}

function checksOf(
  all: readonly string[],
  trace: readonly (TokenCheck | PathTokenCheck | CloudfrontCheck)[],
): InspectedCheck[] {
  return all.map((check) => {
    const found = trace.find((one) => one.check === check)
    return found
      ? { check, state: found.passed ? 'passed' : 'failed', found: found.found, wanted: found.wanted }
      : { check, state: 'skipped', found: '', wanted: '' }
  })
}

function parse(bytes: string): unknown {
  try {
    return JSON.parse(Buffer.from(bytes, 'latin1').toString('utf8'))
  } catch {
    return undefined
  }
}

const time = (seconds: number): string => new Date(seconds * 1000).toISOString()
const firstText = (said: string | string[] | undefined): string =>
  said === undefined ? '' : typeof said === 'string' ? said : (said[0] ?? '')
