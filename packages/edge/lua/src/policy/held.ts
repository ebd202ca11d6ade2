import * as json from 'cjson.safe'
import type {
  CdnDocument,
  ChallengeDocument,
  PageDocument,
  PolicyDocument,
  PurgeDocument,
  SecurityDocument,
  SniDocument,
  Stamped,
  TlsDocument,
} from './documents.ts'
import { hostCandidates } from './host-candidates.ts'
import { isAddress } from './host-text.ts'
import { pathIndex } from './path-match.ts'

// Parsed documents of this worker, known by their stamp: parsing happens once per change.
let parsed: Record<string, Stamped<unknown> | undefined> = {}
let parsedCount = 0
let parsedBytes = 0
const PARSED_MAX = 20_000
/** Of texts; parsed they are some times as large. One customer's lists do not fill a worker. */
const PARSED_BYTES = 33_554_432

// What this worker has found since the shared memory last changed; false is known to be absent. While the epoch stays,
// a request costs one look into shared memory.
let epoch: string | undefined
let found = newFound()
let foundCount = 0

type Known<T> = Record<string, T | false | undefined>
type Found = {
  hosts: Known<PolicyDocument>
  own: Known<PolicyDocument>
  cdns: Known<CdnDocument>
  purges: Known<PurgeDocument>
  security: Known<SecurityDocument>
  addresses: Known<string[]>
  flags: Known<boolean>
  invalidated: Known<boolean>
  tagged: Known<boolean>
  untagged: Known<boolean>
  inspector: { sockets: string; version: string } | false | undefined
  front: string | undefined
}

function newFound(): Found {
  return {
    hosts: {},
    own: {},
    cdns: {},
    purges: {},
    security: {},
    addresses: {},
    flags: {},
    invalidated: {},
    tagged: {},
    untagged: {},
    inspector: undefined,
    front: undefined,
  }
}

/** Begins every request, so that it obeys what was pushed before it. */
export function beginRequest(): void {
  const [now] = ngx.shared.policies.get('epoch')
  if (now === epoch && foundCount < PARSED_MAX) return
  epoch = now
  found = newFound()
  foundCount = 0
}

const WAIT_SECONDS = 0.02
const MOST_WAITS = 500

/**
 * The same for what comes from outside. An nginx that takes over from another one shares its sockets from its first
 * moment; whoever meets it before it has been told everything waits until it has.
 */
export function beginVisit(): void {
  beginRequest()
  for (let waits = 0; waits < MOST_WAITS && !isSet('primed'); waits++) {
    ngx.sleep(WAIT_SECONDS)
    beginRequest()
  }
}

/** After every change of the shared memory: what the workers have found is looked for again. */
export function newEpoch(): void {
  ngx.shared.policies.incr('epoch', 1, 0)
}

function remembered<T>(table: Known<T>, key: string, value: T | undefined): T | undefined {
  table[key] = value ?? false
  foundCount += 1
  return value
}

/**
 * The policy for a host: its own, else the nearest wildcard's. A simulated CDN may have one of its own for the same
 * host.
 */
export function policyFor(host: string, cdnId: string): PolicyDocument | undefined {
  // No name is so long (RFC 1035 2.3.4); what is remembered of it would be.
  if (host.length > LONGEST_HOST) return undefined
  const key = cdnId === '' ? host : `${cdnId}:${host}`
  const table = cdnId === '' ? found.hosts : found.own
  const known = table[key]
  return known !== undefined ? known || undefined : remembered(table, key, policyNow(host, cdnId))
}

const LONGEST_HOST = 255

function policyNow(host: string, cdnId: string): PolicyDocument | undefined {
  for (const name of hostCandidates(host)) {
    const policy = policyOf(name, cdnId)
    if (policy !== undefined) return policy
  }
  return undefined
}

function policyOf(host: string, cdnId: string): PolicyDocument | undefined {
  const document = (cdnId === '' ? undefined : held(`own:${cdnId}:${host}`)) ?? held(`host:${host}`)
  if (document === undefined) return undefined
  const policy = asPolicy(document.document)
  if (policy.ways === undefined) policy.ways = waysOf(policy)
  return policy
}

function waysOf({ host, cache, origin }: PolicyDocument): NonNullable<PolicyDocument['ways']> {
  const [only] = origin.addresses
  return {
    rules: pathIndex(cache.rules),
    bypass: pathIndex(cache.bypass),
    wide: host.startsWith('*.'),
    direct: only !== undefined && origin.addresses.length === 1 && origin.fallback === '' && isAddress(only),
  }
}

/** The simulated CDN that listens on the address that was asked, if one does. */
export function cdnAsked(): CdnDocument | undefined {
  // Most nodes have none: then the address is not even looked at.
  if (!isSet('cdns')) return undefined
  const address = ngx.var.server_addr ?? ''
  const known = found.cdns[address]
  if (known !== undefined) return known || undefined
  const document = held(`at:${address}`)
  return remembered(found.cdns, address, document === undefined ? undefined : asCdn(document.document))
}

/** A page that a website shows in its own name, if this node has it. */
export function pageUnder(key: string): PageDocument | undefined {
  const found = held(`page:${key}`)
  return found === undefined ? undefined : asPage(found.document)
}

/** What proves to an authority that this host is ours to have a certificate for, while one is ordered. */
export function challengeAt(host: string, token: string): ChallengeDocument | undefined {
  const found = held(`challenge:${host}/${token}`)
  return found === undefined ? undefined : asChallenge(found.document)
}

/** Purges in force for a domain, if there are any. */
export function purgesOf(domainId: string): PurgeDocument | undefined {
  const known = found.purges[domainId]
  if (known !== undefined) return known || undefined
  const document = held(`purge:${domainId}`)
  return remembered(found.purges, domainId, document === undefined ? undefined : asPurges(document.document))
}

/** What requests for a domain are held against, if it has web security. */
export function securityOf(domainId: string): SecurityDocument | undefined {
  const known = found.security[domainId]
  if (known !== undefined) return known || undefined
  const document = held(`security:${domainId}`)
  return remembered(found.security, domainId, document === undefined ? undefined : asSecurity(document.document))
}

/** Where the process is that has the rule set, and which version of it; undefined while it cannot be asked. */
export function inspectorOf(): { sockets: string; version: string } | undefined {
  if (found.inspector !== undefined) return found.inspector || undefined
  const [said] = ngx.shared.policies.get('inspector')
  const end = said === undefined ? -1 : said.indexOf('\n')
  found.inspector =
    said === undefined || end < 0 ? false : { sockets: said.slice(0, end), version: said.slice(end + 1) }
  return found.inspector || undefined
}

/** Port where HTTP/3 is spoken for this nginx; empty while nobody does. */
export function frontPort(): string {
  if (found.front !== undefined) return found.front
  const [said] = ngx.shared.policies.get('front')
  found.front = said ?? ''
  return found.front
}

/** What clearances are signed with; the agent pushes it before everything else. */
export function clearanceSecret(): string {
  const [secret] = ngx.shared.policies.get('clearance')
  return secret ?? ''
}

/** Addresses that an origin's name resolves to, as the agent has found out. */
export function addressesOf(name: string): string[] | undefined {
  const known = found.addresses[name]
  if (known !== undefined) return known || undefined
  const [list] = ngx.shared.policies.get(`name:${name}`)
  return remembered(found.addresses, name, list === undefined || list === '' ? undefined : list.split(','))
}

/** Something that was said once and holds on: `primed`, `tags_known`, `cdns`, `interim`, … */
export function isSet(flag: string): boolean {
  const known = found.flags[flag]
  if (known !== undefined) return known
  const [value] = ngx.shared.policies.get(flag)
  found.flags[flag] = value !== undefined
  foundCount += 1
  return value !== undefined
}

/**
 * Something that has ever happened to a domain, or to none: else nothing needs to be looked for. `untagged` happens to a
 * customer.
 */
type Past = 'invalidated' | 'tagged' | 'untagged'

/**
 * Whether an unsafe method has made something of this domain old, something of it was stored with tags, or tags of
 * something of this customer's were forgotten.
 */
export function has(past: Past, domainId: string): boolean {
  const table = found[past]
  const known = table[domainId]
  if (known !== undefined) return known
  const [value] = ngx.shared.policies.get(`${past}:${domainId}`)
  table[domainId] = value !== undefined
  foundCount += 1
  return value !== undefined
}

export function note(past: Past, domainId: string): void {
  if (has(past, domainId)) return
  keep(`${past}:${domainId}`, '1')
  newEpoch()
}

/** When something that this customer's visitors have made old did not fit into memory, epoch ms; 0 for never. */
export function ownFloor(organizationId: string): number {
  if (!isSet('floors')) return 0
  const [at] = ngx.shared.policies.get(`floor:${organizationId}`)
  return tonumber(at) ?? 0
}

/** Read from memory each time: a new epoch with each POST would make all workers look for everything again. */
export function raiseOwnFloor(organizationId: string, at: string): void {
  keep(`floor:${organizationId}`, at)
  setFlag('floors')
}

/** No policy of anybody's goes for it. */
function keep(key: string, value: string): void {
  const [stored, problem] = ngx.shared.policies.safe_set(key, value)
  if (stored !== true) ngx.log(ngx.ERR, `${key}: ${problem}`)
}

/** Says that something holds from now on. */
export function setFlag(flag: string): void {
  if (isSet(flag)) return
  keep(flag, '1')
  newEpoch()
}

export function clearFlag(flag: string): void {
  // Each time would make all workers look for everything again.
  if (!isSet(flag)) return
  ngx.shared.policies.delete(flag)
  newEpoch()
}

/**
 * The certificate of a name: the name's own, else that of the wildcard over its last label. With its stamp, by which
 * what was parsed of it is known.
 */
export function certificateFor(name: string): Stamped<TlsDocument> | undefined {
  const dot = name.indexOf('.')
  const named = held(`sni:${name}`) ?? (dot < 0 ? undefined : held(`sni:*${name.slice(dot)}`))
  if (named === undefined) return undefined
  const certificate = held(`tls:${asSni(named.document).certificateId}`)
  return certificate === undefined ? undefined : { stamp: certificate.stamp, document: asTls(certificate.document) }
}

/**
 * Stamp of what a request for this key would obey now: of a document that can be read, and was. It is not kept: most
 * names are never asked for in one worker.
 */
export function stampInForce(key: string): string | undefined {
  const document = read(key)
  return document === undefined ? undefined : document.stamp
}

function held(key: string): Stamped<unknown> | undefined {
  const fresh = read(key)
  if (fresh === undefined || parsed[key] === fresh) return fresh
  if (parsedCount >= PARSED_MAX || parsedBytes >= PARSED_BYTES) {
    parsed = {}
    parsedCount = 0
    parsedBytes = 0
    // What was found holds on to it.
    found = newFound()
    foundCount = 0
  }
  parsedBytes += readBytes
  if (parsed[key] === undefined) parsedCount += 1
  parsed[key] = fresh
  return fresh
}

/** Of the text that was read last. */
let readBytes = 0

function read(key: string): Stamped<unknown> | undefined {
  const [stamp] = ngx.shared.policies.get(`stamp:${key}`)
  if (stamp === undefined) return undefined
  const known = parsed[key]
  if (known !== undefined && known.stamp === stamp) return known
  const [text] = ngx.shared.policies.get(`text:${key}`)
  readBytes = text === undefined ? 0 : text.length
  const document = text === undefined ? undefined : json.decode(text)
  return document === undefined ? undefined : { stamp, document }
}

/**
 * Stores a document, stamp last, so that no request sees a new stamp with an old text. Returns why it could not, or
 * undefined.
 */
export function hold(key: string, stamp: string, document: unknown): string | undefined {
  const text = json.encode(document)
  if (text === undefined) return 'the document cannot be encoded'
  if (key.startsWith('at:')) ngx.shared.policies.set('cdns', '1')
  const [stored, problem] = ngx.shared.policies.safe_set(`text:${key}`, text)
  if (stored !== true) return problem
  const [stamped, stampProblem] = ngx.shared.policies.safe_set(`stamp:${key}`, stamp)
  return stamped === true ? undefined : stampProblem
}

/** Forgets a document, stamp first. */
export function drop(key: string): void {
  ngx.shared.policies.delete(`stamp:${key}`)
  ngx.shared.policies.delete(`text:${key}`)
  parsed[key] = undefined
}

// The agent is the only writer (a socket in a folder of its own user) and sends these shapes: the compiler cannot see
// through shared memory.
function asPolicy(document: unknown): PolicyDocument {
  return document as PolicyDocument
}
function asCdn(document: unknown): CdnDocument {
  return document as CdnDocument
}
function asChallenge(document: unknown): ChallengeDocument {
  return document as ChallengeDocument
}
function asPage(document: unknown): PageDocument {
  return document as PageDocument
}
function asSni(document: unknown): SniDocument {
  return document as SniDocument
}
function asTls(document: unknown): TlsDocument {
  return document as TlsDocument
}
function asSecurity(document: unknown): SecurityDocument {
  return document as SecurityDocument
}
function asPurges(document: unknown): PurgeDocument {
  return document as PurgeDocument
}
