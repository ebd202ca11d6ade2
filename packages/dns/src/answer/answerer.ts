import type { DNS_TRANSPORTS } from '@fairway/contract'
import { mayFollow } from '@fairway/domain/lean'
import { FLAG, KIND, STEERED, VARIANT } from '../segment/format.ts'
import type { Segment } from '../segment/segment.ts'
import type { SteeredEntry } from '../segment/steered-entry.ts'
import type { Zones } from '../segment/zones.ts'
import type { ReadyDecision } from '../steering/decider.ts'
import type { Steerer } from '../steering/steerer.ts'
import { CLASS_CHAOS, CLASS_IN, EXTENDED_ERROR, MESSAGE_BYTES, RCODE, TYPE, UDP_ANSWER_BYTES } from '../wire/codes.ts'
import { NameCursor } from '../wire/name-cursor.ts'
import type { Peer } from '../wire/peer.ts'
import { Query } from '../wire/query.ts'
import { OWN_TTL, QUESTION_NAME, Response, SECTION } from '../wire/response.ts'
import { Client, type Places } from './client.ts'
import { Flattener } from './flattener.ts'
import { FOUND, Lookup } from './lookup.ts'
import type { Cookies } from './cookies.ts'
import { Outcome } from './outcome.ts'
import { Proofs, rdataIn, type Owner } from './proofs.ts'

export type Transport = (typeof DNS_TRANSPORTS)[number]

/** Longest chain of CNAMEs followed inside our own zones. */
const LONGEST_CHAIN = 8
/** "RFC8482" and nothing: all that is told to who asks for everything (RFC 8482 4.2). */
const MINIMAL_HINFO = new Uint8Array([7, 82, 70, 67, 56, 52, 56, 50, 0])
const MINIMAL_HINFO_TTL_SECONDS = 3600
const NO_TARGET = -1
/** What servers are asked about themselves (RFC 4892), in wire form; the older names are what most tools ask. */
const SELF_NAMES = { name: ['id.server', 'hostname.bind'], version: ['version.server', 'version.bind'] } as const

/**
 * Answers queries from memory: no I/O and next to no allocation between a packet and its answer. One per thread; not
 * re-entrant.
 */
export class Answerer {
  readonly query = new Query()
  readonly client: Client
  readonly outcome = new Outcome()
  readonly #lookup: Lookup
  readonly #steerer: Steerer
  readonly #flattener: Flattener
  readonly #response = new Response()
  readonly #target = new NameCursor()
  /** The target of a CNAME just written, where it was taken apart before. */
  #known: NameCursor | null = null
  /** Hashes of the names that the chain of CNAMEs has passed. */
  readonly #owners = new Int32Array(LONGEST_CHAIN + 1)
  readonly #proofs = new Proofs(this.query, this.#response)
  readonly #cookies: Cookies
  /** What this server tells of itself, by the names that are asked. */
  readonly #self = new Map<string, Uint8Array>()

  constructor(zones: Zones, steerer: Steerer, geo: Places, cookies: Cookies) {
    this.#cookies = cookies
    this.#lookup = new Lookup(zones)
    this.#steerer = steerer
    this.#flattener = new Flattener(zones, steerer)
    this.client = new Client(geo)
  }

  /**
   * Writes the answer to the message in `bytes[0…length]` into `out` and answers its length; 0 when the message
   * deserves none. `out` must hold the largest answer of the transport.
   */
  answer(bytes: Uint8Array, length: number, peer: Peer, transport: Transport, out: Uint8Array): number {
    const { query, outcome } = this
    const response = this.#response
    outcome.clear()
    const rcode = query.parse(bytes, length)
    if (rcode < 0) return 0
    response.begin(
      bytes,
      query,
      out,
      transport !== 'udp' ? MESSAGE_BYTES : Math.min(query.udpBytes, UDP_ANSWER_BYTES),
      transport === 'tls' || transport === 'https',
    )
    this.#proofs.unlimited = transport !== 'udp'
    if (query.cookieAt > 0)
      outcome.trusted = this.#cookies.answer(bytes, query.cookieAt, query.cookieLength, peer, response.cookie)
    response.rcode = rcode === RCODE.NOERROR ? this.#refusal() : rcode
    if (query.class === CLASS_CHAOS && rcode === RCODE.NOERROR) this.#aboutSelf()
    else if (response.rcode === RCODE.NOERROR) {
      this.client.set(query.subnet, peer)
      this.#resolve()
    }
    outcome.type = query.type
    outcome.rcode = response.rcode
    outcome.truncated = response.truncated
    return response.end(query)
  }

  /**
   * What is told to who asks which of several servers has answered (RFC 5001, RFC 4892), and which version; null is not
   * told.
   */
  identify(name: string | null, version: string | null = null): void {
    this.#response.identity = new TextEncoder().encode(name ?? '')
    this.#self.clear()
    for (const [names, text] of [
      [SELF_NAMES.name, name],
      [SELF_NAMES.version, version],
    ] as const) {
      const told = new TextEncoder().encode(text ?? '').subarray(0, 255)
      if (text !== null) for (const asked of names) this.#self.set(asked, Uint8Array.of(told.length, ...told))
    }
  }

  /** Questions of the class CHAOS: about this server, or refused. */
  #aboutSelf(): void {
    const { query } = this
    const rdata = this.#self.get(nameText(query.name))
    if (rdata === undefined || (query.edns && query.ednsVersion !== 0)) return
    this.#response.rcode = RCODE.NOERROR
    this.#response.authoritative = true
    if (query.type === TYPE.TXT || query.type === TYPE.ANY)
      this.#response.record(SECTION.answer, QUESTION_NAME, TYPE.TXT, 0, rdata, CLASS_CHAOS)
  }

  /** Makes the answer just written an empty one that says to come over TCP. */
  cut(out: Uint8Array): number {
    this.outcome.truncated = true
    out[2] = (out[2] ?? 0) | 2
    out.fill(0, 6, 12)
    return this.query.questionEnd
  }

  /** SERVFAIL to a message whose answering went wrong; 0 when it deserves no answer. */
  fail(bytes: Uint8Array, length: number, out: Uint8Array): number {
    this.outcome.clear()
    this.outcome.rcode = RCODE.SERVFAIL
    if (this.query.parse(bytes, length) < 0) return 0
    this.#response.begin(bytes, this.query, out, UDP_ANSWER_BYTES)
    this.#response.rcode = RCODE.SERVFAIL
    return this.#response.end(this.query)
  }

  /** Why a well-formed query is not looked up at all; NOERROR when it is. */
  #refusal(): number {
    const { query } = this
    if (query.edns && query.ednsVersion !== 0) return RCODE.BADVERS
    if (query.class !== CLASS_IN) return RCODE.REFUSED
    if (query.type === TYPE.OPT || query.type === 0) return RCODE.FORMERR
    if (query.type === TYPE.AXFR) {
      this.#response.extendedError = EXTENDED_ERROR.prohibited
      return RCODE.REFUSED
    }
    if (query.type === TYPE.NXNAME) {
      this.#response.extendedError = EXTENDED_ERROR.invalidQueryType
      return RCODE.FORMERR
    }
    // The other types 128…254 ask for actions, not for data (RFC 6895 3.1).
    return query.type >= 128 && query.type < TYPE.ANY && query.type !== TYPE.IXFR ? RCODE.NOTIMP : RCODE.NOERROR
  }

  /** RFC 1034 4.3.2, with the chain of CNAMEs as far as zones of ours reach that may be followed into. */
  #resolve(): void {
    const response = this.#response
    // Over UDP an incremental transfer is answered with the SOA alone: come over TCP, or be content when it is the same
    // (RFC 1995 2).
    if (this.query.type === TYPE.IXFR) this.query.type = TYPE.SOA
    this.#known = null
    let name = this.query.name
    let nameAt = QUESTION_NAME
    let from: Segment | null = null
    for (let hop = 0; ; hop++) {
      const found = this.#lookup.find(name, this.query.type)
      const { zone, node } = this.#lookup
      if (found === FOUND.foreign || !zone) {
        if (hop > 0) return
        response.rcode = RCODE.REFUSED
        response.extendedError = EXTENDED_ERROR.notAuthoritative
        return
      }
      if (from && !mayFollow(from, zone)) return
      from = zone
      if (hop === 0) {
        this.outcome.zone = zone
        this.outcome.node = node
        response.authoritative = found !== FOUND.referral
      }
      // What its primary has not confirmed for too long is not told any more (RFC 1034 4.3.5).
      if (zone.expired) return hop === 0 ? this.#fail(EXTENDED_ERROR.invalidData) : undefined
      if (found === FOUND.referral) return this.#refer(zone, node, name, nameAt)
      if (found === FOUND.nothing) return this.#noName(zone, name, nameAt)
      const targetAt = this.#atNode(zone, node, name, nameAt)
      if (targetAt === NO_TARGET || hop === LONGEST_CHAIN) return
      this.#owners[hop] = name.hashes[0] ?? 0
      name = this.#known ?? this.#target
      this.#known = null
      if (name === this.#target && name.read(response.out, targetAt, response.at) < 0)
        throw new Error('a CNAME record does not end in a name')
      // A circle is told once around: every record again would only make the answer larger.
      if (this.#hasPassed(name.hashes[0] ?? 0, hop)) return
      nameAt = targetAt
    }
  }

  #hasPassed(hash: number, hop: number): boolean {
    for (let i = 0; i <= hop; i++) if (this.#owners[i] === hash) return true
    return false
  }

  #fail(why: number): void {
    this.#response.rcode = RCODE.SERVFAIL
    this.#response.extendedError = why
    this.#response.authoritative = false
  }

  /**
   * Writes what a node has for the query. Answers where the target of a CNAME stands that is to be followed, or
   * NO_TARGET.
   */
  #atNode(zone: Segment, node: number, name: NameCursor, nameAt: number): number {
    const { type } = this.query
    // What a validator asks to be shown of a name stands beside a CNAME, too (RFC 4035 2.5).
    if ((type === TYPE.NSEC || type === TYPE.RRSIG) && zone.signer !== null) {
      this.#proofs.asked(zone, ownerOf(name, nameAt), this.#typesAt(zone, node))
      return NO_TARGET
    }
    const steered = zone.flags(node) & STEERED
    if (steered !== 0) {
      const done = this.#steered(zone, node, steered, name, nameAt)
      if (done !== null) return done
    }
    const flags = zone.flags(node)
    const entry = (flags & FLAG.weighted) !== 0 ? this.#variant(zone, node, type) : zone.entry(node, type)
    if (entry !== 0) {
      this.#put(zone, node, entry, name, nameAt)
      return NO_TARGET
    }
    if ((flags & FLAG.alias) !== 0 && (type === TYPE.A || type === TYPE.AAAA))
      return this.#alias(zone, node, name, nameAt)
    const cname = type === TYPE.CNAME ? 0 : zone.entry(node, TYPE.CNAME)
    if (cname !== 0) {
      const at = this.#response.at
      this.#put(zone, node, cname, name, nameAt)
      return this.#response.truncated || type === TYPE.ANY ? NO_TARGET : at + 12
    }
    if (type === TYPE.ANY && !zone.isEmpty(node))
      this.#made(zone, name, nameAt, TYPE.HINFO, MINIMAL_HINFO, MINIMAL_HINFO_TTL_SECONDS)
    else this.#noData(zone, node, name, nameAt, OWN_TTL)
    return NO_TARGET
  }

  /** Of a set that is shared out one record's entry; the plain entry of any other type. */
  #variant(zone: Segment, node: number, type: number): number {
    const weights = zone.entry(node, type | KIND.weights)
    if (weights === 0) return zone.entry(node, type)
    const count = zone.answers(weights)
    const first = zone.recordsAt(weights) >> 2
    const at = this.#steerer.chance() * (zone.words[first + count - 1] ?? 0)
    let variant = 0
    while (variant < count - 1 && at >= (zone.words[first + variant] ?? 0)) variant++
    return zone.entry(node, type | ((variant + 1) * VARIANT))
  }

  /** The addresses of another name as this one's own. */
  #alias(zone: Segment, node: number, name: NameCursor, nameAt: number): number {
    const flattener = this.#flattener
    const from = zone.recordsAt(zone.entry(node, KIND.alias))
    const ttlSeconds = zone.words[from >> 2] ?? 0
    if (!flattener.find(zone.bytes.subarray(from + 4), this.query.type, zone) && !this.#throughSteering()) {
      this.#fail(EXTENDED_ERROR.noReachableAuthority)
    } else if (flattener.count > 0) this.#flattened(zone, name, nameAt, ttlSeconds)
    else this.#noData(zone, node, name, nameAt, OWN_TTL)
    return NO_TARGET
  }

  /** An alias of a steered name goes where steering sends the visitor. */
  #throughSteering(): boolean {
    const { steered } = this.#flattener
    if (!steered) return false
    const { entry, zone } = steered
    const decision = this.#decide(entry)
    const picked = this.#steerer.pick(decision)
    for (const cdn of [picked, ...decision.ordered]) {
      const cname = entry.cnames[cdn]
      if (cname && this.#flattener.find(cname.lower, this.query.type, zone)) return true
    }
    return false
  }

  /** What the flattener found, as records of the name. */
  #flattened(zone: Segment, name: NameCursor, nameAt: number, ttlSeconds: number): void {
    const { source, from, to, count, stale } = this.#flattener
    if (stale) this.#response.extendedError = EXTENDED_ERROR.staleAnswer
    this.#response.records(SECTION.answer, source, from, to, count, nameAt, ttlSeconds)
    if (!this.#proofs.wanted(zone)) return
    const found = rdataIn(source, from, to)
    this.#proofs.made(
      zone,
      SECTION.answer,
      ownerOf(name, nameAt),
      this.query.type,
      found.rdata,
      ttlSeconds,
      Math.min(ttlSeconds, found.ttlSeconds),
    )
  }

  /** Writes one record that is made for the question. False when it does not fit. */
  #made(zone: Segment, name: NameCursor, nameAt: number, type: number, rdata: Uint8Array, ttlSeconds: number): boolean {
    if (!this.#response.record(SECTION.answer, nameAt, type, ttlSeconds, rdata)) return false
    if (this.#proofs.wanted(zone))
      this.#proofs.made(zone, SECTION.answer, ownerOf(name, nameAt), type, [rdata], ttlSeconds, ttlSeconds)
    return true
  }

  /** Like `#atNode` for a steered name; null when steering has nothing to say and the zone's own data stand. */
  #steered(zone: Segment, node: number, flag: number, name: NameCursor, nameAt: number): number | null {
    const { type } = this.query
    if (flag === FLAG.steeredFlat && type !== TYPE.A && type !== TYPE.AAAA) return null
    const entry = zone.steered[zone.steeredIndex(node)]
    if (!entry) throw new Error(`a steered node of ${zone.originText} has no entry`)
    const decision = this.#decide(entry)
    const cdn = this.#steerer.pick(decision)
    if (cdn < 0) return null
    if (flag === FLAG.steeredFlat) return this.#flat(zone, node, entry, decision, cdn, name, nameAt)
    const chosen = firstNamed(entry, cdn, decision)
    const cname = entry.cnames[chosen]
    if (!cname) return null
    this.#note(zone, entry, decision, chosen)
    const at = this.#response.at
    const fits = this.#made(zone, name, nameAt, TYPE.CNAME, cname.lower, decision.ttlSeconds)
    if (!fits || type === TYPE.CNAME || type === TYPE.ANY) return NO_TARGET
    this.#known = cname
    return at + 12
  }

  /**
   * Answers the addresses of the chosen CDN's name as the steered name's own; of the next best one while the chosen
   * one's are not known.
   */
  #flat(
    zone: Segment,
    node: number,
    entry: SteeredEntry,
    decision: ReadyDecision,
    picked: number,
    name: NameCursor,
    nameAt: number,
  ): number | null {
    const flattener = this.#flattener
    for (let i = -1; i < decision.ordered.length; i++) {
      const cdn = i < 0 ? picked : (decision.ordered[i] ?? -1)
      const cname = entry.cnames[cdn]
      if (!cname || !flattener.find(cname.lower, this.query.type, zone)) continue
      this.#note(zone, entry, decision, cdn)
      if (flattener.count > 0) this.#flattened(zone, name, nameAt, decision.ttlSeconds)
      else this.#noData(zone, node, name, nameAt, decision.ttlSeconds)
      return NO_TARGET
    }
    this.#fail(EXTENDED_ERROR.noReachableAuthority)
    return NO_TARGET
  }

  #decide(entry: SteeredEntry): ReadyDecision {
    const decision = this.#steerer.decide(entry, this.client)
    this.#response.scopeBits = Math.max(
      this.#response.scopeBits,
      this.client.scopeBits(decision.byPlace, decision.cidrBits),
    )
    return decision
  }

  /** A name of another zone that this one points to is that zone's business. */
  #note(zone: Segment, entry: SteeredEntry, decision: ReadyDecision, cdn: number): void {
    if (zone !== this.outcome.zone) return
    this.outcome.steered = entry
    this.outcome.cdn = cdn
    this.outcome.strategyId = decision.strategyId
  }

  /** Writes an RRset, its signatures and, where they fit, the addresses kept with it. */
  #put(zone: Segment, node: number, entry: number, name: NameCursor, owner: number): void {
    const response = this.#response
    const base = response.at
    const end = zone.answersEnd(entry)
    const all = zone.allEnd(entry)
    if (!response.records(SECTION.answer, zone.bytes, zone.recordsAt(entry), end, zone.answers(entry), owner)) return
    if (this.#proofs.wanted(zone)) this.#signSet(zone, node, entry, name, owner)
    if (all > end) response.glue(zone.bytes, end, all, zone.optional(entry), base)
  }

  /**
   * A wildcard's set is signed as the name's own, so that there is nothing to prove about names in between (RFC 9824
   * 3.3).
   */
  #signSet(zone: Segment, node: number, entry: number, name: NameCursor, owner: number): void {
    const type = zone.typeOf(entry)
    if (!this.#lookup.wildcard) return this.#proofs.kept(zone, node, type, SECTION.answer, owner, OWN_TTL)
    const { rdata, ttlSeconds } = rdataIn(zone.bytes, zone.recordsAt(entry), zone.answersEnd(entry))
    this.#proofs.made(zone, SECTION.answer, ownerOf(name, owner), type & 0xffff, rdata, ttlSeconds, ttlSeconds)
  }

  /** The cut's servers; addresses of servers below the cut must go along, or the answer is cut off (RFC 9471). */
  #refer(zone: Segment, node: number, name: NameCursor, nameAt: number): void {
    const response = this.#response
    const start = name.starts[this.#lookup.cutLabel] ?? 0
    const cutAt = nameAt + start
    const entry = zone.entry(node, TYPE.NS)
    const base = response.at
    const servers = zone.answersEnd(entry)
    const mandatory = zone.mandatoryEnd(entry)
    const all = zone.allEnd(entry)
    if (!response.records(SECTION.authority, zone.bytes, zone.recordsAt(entry), servers, zone.answers(entry), cutAt))
      return
    if (this.#proofs.wanted(zone))
      this.#proveCut(zone, node, { lower: name.lower.subarray(start, name.length), at: cutAt })
    if (mandatory > servers && !response.glue(zone.bytes, servers, mandatory, zone.mandatory(entry), base))
      response.truncated = true
    else if (all > mandatory) response.glue(zone.bytes, mandatory, all, zone.optional(entry), base)
  }

  /** The DS of the zone below, or the proof that it has none (RFC 4035 3.1.4). */
  #proveCut(zone: Segment, node: number, owner: Owner): void {
    const ds = zone.entry(node, TYPE.DS)
    if (ds === 0) return this.#proofs.denial(zone, owner, [TYPE.NS])
    this.#response.records(
      SECTION.authority,
      zone.bytes,
      zone.recordsAt(ds),
      zone.answersEnd(ds),
      zone.answers(ds),
      owner.at,
    )
    this.#proofs.kept(zone, node, TYPE.DS, SECTION.authority, owner.at, OWN_TTL)
  }

  /**
   * There is no such name. A compact denial says so by itself: the response code is for those who want it beside (RFC
   * 9824 5).
   */
  #noName(zone: Segment, name: NameCursor, nameAt: number): void {
    const { type } = this.query
    if ((type === TYPE.NSEC || type === TYPE.RRSIG) && zone.signer !== null)
      return this.#proofs.asked(zone, ownerOf(name, nameAt), [TYPE.NXNAME])
    const signed = this.#proofs.wanted(zone)
    if (!signed || this.query.compactOk) this.#response.rcode = RCODE.NXDOMAIN
    this.#negative(zone, nameAt + name.length, OWN_TTL)
    if (signed) this.#proofs.denial(zone, ownerOf(name, nameAt), [TYPE.NXNAME])
  }

  /** The name has nothing of the type. */
  #noData(zone: Segment, node: number, name: NameCursor, nameAt: number, ttlCap: number): void {
    this.#negative(zone, nameAt + name.length, ttlCap)
    if (this.#proofs.wanted(zone)) this.#proofs.denial(zone, ownerOf(name, nameAt), this.#typesAt(zone, node))
  }

  /** What a name may be asked for beside the type in question, which it does not have. */
  #typesAt(zone: Segment, node: number): number[] {
    const flags = zone.flags(node)
    const flat = (flags & (FLAG.steeredFlat | FLAG.alias)) !== 0 ? [TYPE.A, TYPE.AAAA] : []
    const cname = (flags & FLAG.steeredCname) !== 0 ? [TYPE.CNAME] : []
    return [...zone.types(node), ...flat, ...cname].filter((type) => type !== this.query.type)
  }

  /** The zone's SOA, owned by the end of the name that ends at `nameEnd` of the message. */
  #negative(zone: Segment, nameEnd: number, ttlCap: number): void {
    this.#response.ownerless(
      SECTION.authority,
      zone.bytes,
      zone.negativeAt,
      zone.negativeAt + zone.negativeBytes,
      nameEnd - zone.origin.length,
      ttlCap,
    )
    if (!this.#proofs.wanted(zone)) return
    const ttlSeconds = ttlCap === OWN_TTL ? zone.negativeTtlSeconds : Math.min(ttlCap, zone.negativeTtlSeconds)
    this.#proofs.kept(zone, zone.apexAt, TYPE.SOA, SECTION.authority, nameEnd - zone.origin.length, ttlSeconds)
  }
}

function ownerOf(name: NameCursor, at: number): Owner {
  return { lower: name.lower.subarray(0, name.length), at }
}

/** The picked CDN, or the best other one with a name to answer with. */
function firstNamed(entry: SteeredEntry, picked: number, decision: ReadyDecision): number {
  if (entry.cnames[picked]) return picked
  return decision.ordered.find((cdn) => entry.cnames[cdn]) ?? picked
}

/** A name as it is read, for the few that are compared as text. */
function nameText({ lower, starts, labels }: NameCursor): string {
  const text: string[] = []
  for (let label = 0; label < labels; label++) {
    const at = starts[label] ?? 0
    text.push(String.fromCharCode(...lower.subarray(at + 1, at + 1 + (lower[at] ?? 0))))
  }
  return text.join('.')
}
