import * as json from 'cjson.safe'
import type { CdnDocument, PageDocument, PolicyDocument, PurgeDocument, SniDocument, Stamped, TlsDocument } from './documents.ts'
import { hostCandidates } from './host-candidates.ts'

// Parsed documents of this worker, known by their stamp: a request costs one look into shared memory, parsing happens once per change.
let parsed: Record<string, Stamped<unknown> | undefined> = {}
let parsedCount = 0
const PARSED_MAX = 20_000

/** The policy for a host: its own, else the nearest wildcard's. A simulated CDN may have one of its own for the same host. */
export function policyFor(host: string, cdnId: string): PolicyDocument | undefined {
  const exact = policyOf(host, cdnId)
  if (exact !== undefined) return exact
  const candidates = hostCandidates(host)
  for (let i = 1; i < candidates.length; i++) {
    const wildcard = policyOf(candidates[i] ?? '', cdnId)
    if (wildcard !== undefined) return wildcard
  }
  return undefined
}

function policyOf(host: string, cdnId: string): PolicyDocument | undefined {
  const found = (cdnId === '' ? undefined : held(`own:${cdnId}:${host}`)) ?? held(`host:${host}`)
  return found === undefined ? undefined : asPolicy(found.document)
}

/** The simulated CDN that listens on this address, if one does. */
export function cdnAt(address: string): CdnDocument | undefined {
  const found = held(`at:${address}`)
  return found === undefined ? undefined : asCdn(found.document)
}

/** A page that a website shows in its own name, if this node has it. */
export function pageUnder(key: string): PageDocument | undefined {
  const found = held(`page:${key}`)
  return found === undefined ? undefined : asPage(found.document)
}

/** Purges in force for a domain, if there are any. */
export function purgesOf(domainId: string): PurgeDocument | undefined {
  const found = held(`purge:${domainId}`)
  return found === undefined ? undefined : asPurges(found.document)
}

/** The certificate of a name: the name's own, else that of the wildcard over its last label. With its stamp, by which what was parsed of it is known. */
export function certificateFor(name: string): Stamped<TlsDocument> | undefined {
  const dot = name.indexOf('.')
  const found = held(`sni:${name}`) ?? (dot < 0 ? undefined : held(`sni:*${name.slice(dot)}`))
  if (found === undefined) return undefined
  const certificate = held(`tls:${asSni(found.document).certificateId}`)
  return certificate === undefined ? undefined : { stamp: certificate.stamp, document: asTls(certificate.document) }
}

/** Stamp of what a request for this key would obey now: the parsed document's, not only the stored one's. */
export function stampInForce(key: string): string | undefined {
  const found = held(key)
  return found === undefined ? undefined : found.stamp
}

function held(key: string): Stamped<unknown> | undefined {
  const [stamp] = ngx.shared.policies.get(`stamp:${key}`)
  if (stamp === undefined) return undefined
  const known = parsed[key]
  if (known !== undefined && known.stamp === stamp) return known
  const [text] = ngx.shared.policies.get(`text:${key}`)
  if (text === undefined) return undefined
  const document = json.decode(text)
  if (document === undefined) return undefined
  if (parsedCount >= PARSED_MAX) {
    parsed = {}
    parsedCount = 0
  }
  if (parsed[key] === undefined) parsedCount += 1
  const fresh = { stamp, document }
  parsed[key] = fresh
  return fresh
}

/** Stores a document, stamp last, so that no request sees a new stamp with an old text. Returns why it could not, or undefined. */
export function hold(key: string, stamp: string, document: unknown): string | undefined {
  const text = json.encode(document)
  if (text === undefined) return 'the document cannot be encoded'
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

// The agent is the only writer (a socket in a folder of its own user) and sends these shapes: the compiler cannot see through shared memory.
function asPolicy(document: unknown): PolicyDocument {
  return document as PolicyDocument
}
function asCdn(document: unknown): CdnDocument {
  return document as CdnDocument
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
function asPurges(document: unknown): PurgeDocument {
  return document as PurgeDocument
}
