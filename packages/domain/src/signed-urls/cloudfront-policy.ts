import { addressKey } from '../web-security/address-key.ts'
import { isBlock, isInBlock } from './address-block.ts'
import { recordOf } from './claims.ts'

/** Why CloudFront gives nothing for an address, in the order in which it is looked at here. */
export const CLOUDFRONT_REFUSALS = [
  'cloudfront-parameters',
  'cloudfront-key-unknown',
  'cloudfront-policy',
  'cloudfront-signature',
  'cloudfront-resource',
  'not-yet-valid',
  'expired',
  'address-refused',
] as const
export type CloudfrontRefusal = (typeof CLOUDFRONT_REFUSALS)[number]
export type CloudfrontCheck = { check: CloudfrontRefusal; passed: boolean; found: string; wanted: string }

/** What a policy allows. Times are epoch seconds. */
export type CloudfrontPolicy = {
  /** With `*` for any letters and `?` for one. */
  resource: string
  until: number
  /** 0 for at once. */
  from: number
  /** A block; empty for everywhere. */
  address: string
}

export type CloudfrontWorld = {
  now: number
  /** Undefined for what is no base64. */
  decode: (text: string) => string | undefined
  /** Undefined for what is no JSON. */
  parse: (text: string) => unknown
  hasKey: (keyPairId: string) => boolean
  /** RSA with PKCS #1 v1.5 and SHA-1, which is what CloudFront checks. */
  verify: (keyPairId: string, text: string, signature: string) => boolean
}

export type CloudfrontVerdict = {
  refusal: CloudfrontRefusal | ''
  keyPairId: string
  policy: CloudfrontPolicy | undefined
}

const SIGNED = /^(?:Policy|Expires|Signature|Key-Pair-Id)=/
const LAST_SECOND = 4_102_444_799
const TEXT_MAX = 2_000

/** Whether an address looks as one that is signed for CloudFront. */
export const isForCloudfront = (url: string): boolean =>
  partsOf(url).signed.some((one) => one.startsWith('Key-Pair-Id='))

/** The policy that an address with `Expires` stands for, letter by letter. */
export const cannedPolicy = (resource: string, until: number): string =>
  `{"Statement":[{"Resource":"${resource}","Condition":{"DateLessThan":{"AWS:EpochTime":${until}}}}]}`

/** Holds a signed address against what CloudFront documents: each check in turn until one fails. */
export function judgeCloudfront(
  { url, address }: { url: string; address: string },
  world: CloudfrontWorld,
  trace: CloudfrontCheck[],
): CloudfrontVerdict {
  let policy: CloudfrontPolicy | undefined
  const { resource, signed } = partsOf(url)
  const valuesOf = (name: string) =>
    signed.flatMap((one) => (one.startsWith(`${name}=`) ? [one.slice(name.length + 1)] : []))
  const [ids, signatures, policies, ends] = ['Key-Pair-Id', 'Signature', 'Policy', 'Expires'].map(valuesOf) as [
    string[],
    string[],
    string[],
    string[],
  ]
  const keyPairId = ids[0] ?? ''
  const passes = (check: CloudfrontRefusal, passed: boolean, found = '', wanted = ''): boolean => {
    trace.push({ check, passed, found, wanted })
    return passed
  }
  const refused = (refusal: CloudfrontRefusal): CloudfrontVerdict => ({ refusal, keyPairId, policy })

  const isWhole = ids.length === 1 && signatures.length === 1 && policies.length + ends.length === 1
  if (!passes('cloudfront-parameters', isWhole, signed.map((one) => one.slice(0, one.indexOf('='))).join(' ')))
    return refused('cloudfront-parameters')
  if (!passes('cloudfront-key-unknown', world.hasKey(keyPairId), keyPairId.slice(0, 40)))
    return refused('cloudfront-key-unknown')

  const until = /^\d{1,10}$/.test(ends[0] ?? '') ? Number(ends[0]) : undefined
  const isCanned = ends.length === 1
  const text = isCanned
    ? until === undefined
      ? undefined
      : cannedPolicy(resource, until)
    : decoded(policies[0] ?? '', world)
  policy = text === undefined ? undefined : policyOf(world.parse(text))
  // A canned one is not read: whatever the address holds, it stands for itself.
  if (isCanned && until !== undefined) policy = { resource, until, from: 0, address: '' }
  if (!passes('cloudfront-policy', policy !== undefined) || policy === undefined || text === undefined)
    return refused('cloudfront-policy')

  const signature = decoded(signatures[0] ?? '', world)
  const isGenuine = signature !== undefined && world.verify(keyPairId, text, signature)
  if (!passes('cloudfront-signature', isGenuine)) return refused('cloudfront-signature')

  const isThere = isCanned || fitsResource(resource, policy.resource)
  if (!passes('cloudfront-resource', isThere, resource, policy.resource)) return refused('cloudfront-resource')
  if (!passes('not-yet-valid', world.now >= policy.from, `${world.now}`, policy.from === 0 ? '' : `${policy.from}`))
    return refused('not-yet-valid')
  if (!passes('expired', world.now < policy.until, `${world.now}`, `${policy.until}`)) return refused('expired')

  const key = policy.address === '' ? '' : addressKey(address)
  const isNear = policy.address === '' || (key !== '' && isInBlock(key, policy.address))
  if (!passes('address-refused', isNear, policy.address === '' ? '' : address, policy.address))
    return refused('address-refused')
  return { refusal: '', keyPairId, policy }
}

/** An address without what CloudFront takes out of it, and that. */
function partsOf(url: string): { resource: string; signed: string[] } {
  const [whole = ''] = url.split('#')
  const mark = whole.indexOf('?')
  if (mark < 0) return { resource: whole, signed: [] }
  const parameters = whole.slice(mark + 1).split('&')
  const rest = parameters.filter((one) => !SIGNED.test(one)).join('&')
  return {
    resource: `${whole.slice(0, mark)}${rest === '' ? '' : `?${rest}`}`,
    signed: parameters.filter((one) => SIGNED.test(one)),
  }
}

/** CloudFront writes `+`, `=` and `/` of base64 as `-`, `_` and `~`. */
const decoded = (text: string, world: CloudfrontWorld): string | undefined =>
  /^[A-Za-z0-9\-_~]+$/.test(text)
    ? world.decode(text.replaceAll('-', '+').replaceAll('_', '=').replaceAll('~', '/'))
    : undefined

/** One statement, with nothing in it that is not known: an unknown condition would be one that nobody keeps. */
function policyOf(said: unknown): CloudfrontPolicy | undefined {
  const statements = only(said, ['Statement'])?.['Statement']
  if (!Array.isArray(statements) || statements.length !== 1) return undefined
  const statement = only(statements[0], ['Resource', 'Condition'])
  const condition = only(statement?.['Condition'], ['DateLessThan', 'DateGreaterThan', 'IpAddress'])
  if (statement === undefined || condition === undefined) return undefined
  const resource = statement['Resource'] ?? '*'
  if (typeof resource !== 'string' || resource === '' || resource.length > TEXT_MAX) return undefined
  const until = timeOf(condition['DateLessThan'])
  const from = condition['DateGreaterThan'] === undefined ? 0 : timeOf(condition['DateGreaterThan'])
  const block =
    condition['IpAddress'] === undefined ? '' : only(condition['IpAddress'], ['AWS:SourceIp'])?.['AWS:SourceIp']
  if (until === undefined || from === undefined || typeof block !== 'string') return undefined
  if (block !== '' && (block.length > 100 || !isBlock(block))) return undefined
  return { resource, until, from, address: block }
}

function only(said: unknown, names: readonly string[]): Record<string, unknown> | undefined {
  const record = Array.isArray(said) ? undefined : recordOf(said)
  return record !== undefined && Object.keys(record).every((name) => names.includes(name)) ? record : undefined
}

function timeOf(said: unknown): number | undefined {
  const at = only(said, ['AWS:EpochTime'])?.['AWS:EpochTime']
  return typeof at === 'number' && Number.isInteger(at) && at >= 0 && at <= LAST_SECOND ? at : undefined
}

/** Goes back to the last star alone, so that no pattern makes it slow. */
export function fitsResource(text: string, pattern: string): boolean {
  let [at, in_, star, from] = [0, 0, -1, 0]
  while (at < text.length) {
    if (pattern[in_] === '*') {
      star = in_++
      from = at
    } else if (pattern[in_] === '?' || (in_ < pattern.length && pattern[in_] === text[at])) {
      at++
      in_++
    } else if (star >= 0) {
      in_ = star + 1
      at = ++from
    } else return false
  }
  while (pattern[in_] === '*') in_++
  return in_ === pattern.length
}
