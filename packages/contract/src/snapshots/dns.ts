import { z } from 'zod'
import { DNS_TYPES } from '../lean.ts'
import { SteeringPolicy } from '../steering.ts'

/** A type by its number, for those without a name here (RFC 3597 5). */
export const GenericType = z.templateLiteral(['TYPE', z.int().min(1).max(65_535)])
export type GenericType = z.infer<typeof GenericType>
export type DnsType = keyof typeof DNS_TYPES | GenericType

const KNOWN_TYPES = Object.keys(DNS_TYPES) as (keyof typeof DNS_TYPES)[]

/**
 * An RRset in presentation form (RFC 1035 5.1). `name` is absolute, lower case, without the trailing dot; names inside
 * rdata are absolute with it.
 */
export const Rrset = z.object({
  name: z.string().max(253),
  type: z.union([z.enum(KNOWN_TYPES), GenericType]),
  ttlSeconds: z.int().min(0).max(2147483647),
  rdata: z.array(z.string()).min(1),
  /**
   * Beside each rdata how often it is answered in relation to the others: every answer has one of them. Left out, every
   * answer has all.
   */
  weights: z.array(z.int().min(0)).optional(),
})
export type Rrset = z.infer<typeof Rrset>

/**
 * A name answered by steering. With one CNAME per CDN; at the apex the CNAME's addresses are answered instead
 * (flattened).
 */
export const SteeredName = z.object({
  name: z.string().max(253),
  domainId: z.string(),
  policyId: z.string(),
})
export type SteeredName = z.infer<typeof SteeredName>

/**
 * A name that answers the addresses of another one as its own (ALIAS). `ttlSeconds` is the longest that resolvers may
 * keep them.
 */
export const AliasName = z.object({
  name: z.string().max(253),
  target: z.string().max(253),
  ttlSeconds: z.int().min(0),
})
export type AliasName = z.infer<typeof AliasName>

/**
 * A key of a signed zone: ECDSA P-256 with SHA-256 (RFC 6605), key and zone signing in one. All keys sign the keys, the
 * one that `signs` everything else.
 */
export const ZoneKey = z.object({
  /** RFC 4034 B. */
  tag: z.int(),
  /** 64 bytes in base64. */
  publicKey: z.string(),
  /** PKCS #8, sealed for the nodes. */
  sealedPrivateKey: z.string(),
  signs: z.boolean(),
  /** Asked of the parent by CDS and CDNSKEY (RFC 7344). */
  announced: z.boolean(),
})
export type ZoneKey = z.infer<typeof ZoneKey>

/** How a zone is signed. `withdraw` asks the parent to take the DS away (RFC 8078 4). */
export const ZoneSigning = z.object({ keys: z.array(ZoneKey).min(1), withdraw: z.boolean() })
export type ZoneSigning = z.infer<typeof ZoneSigning>

/**
 * Where a zone is fetched from: who may say that it has changed there (RFC 1996), and what such a notice may be signed
 * with.
 */
export const ZonePrimary = z.object({
  addresses: z.array(z.string()).min(1),
  key: z.object({ name: z.string().max(253), algorithm: z.string(), sealedSecret: z.string() }).nullable(),
  /** It could not be reached for as long as its SOA allows: nothing of the zone is answered (RFC 1034 4.3.5). */
  expired: z.boolean(),
})
export type ZonePrimary = z.infer<typeof ZonePrimary>

/**
 * How a zone with steered names or aliases is given to secondaries, which a transfer cannot carry: `flattened` has the
 * addresses of names that cannot be a CNAME. Left out, nothing of it is given.
 */
export const ZoneTransfer = z.object({
  flattened: z.array(z.object({ name: z.string().max(253), a: z.array(z.ipv4()), aaaa: z.array(z.ipv6()) })),
})
export type ZoneTransfer = z.infer<typeof ZoneTransfer>

/** One zone, whole, at one version: what the publisher sends and a DNS node serves. */
export const DnsZone = z.object({
  /**
   * Site id, `system:<origin>` for the installation's own zones, `catalog:<organisation>` for a list of zones (RFC
   * 9432).
   */
  zoneId: z.string(),
  organizationId: z.string().nullable(),
  /**
   * The organisation has shown that the name is its own. Without it, no answer of a zone of another organisation goes on
   * into this one.
   */
  proven: z.boolean().optional(),
  origin: z.string().max(253),
  version: z.int(),
  /** How often what secondaries are given has changed beside the version; the serial is both together. */
  step: z.int().optional(),
  rrsets: z.array(Rrset),
  steered: z.array(SteeredName),
  policies: z.array(SteeringPolicy),
  aliases: z.array(AliasName).optional(),
  signing: ZoneSigning.optional(),
  primary: ZonePrimary.optional(),
  transfer: ZoneTransfer.optional(),
})
export type DnsZone = z.infer<typeof DnsZone>

/**
 * What has changed in a large zone since it was sent whole: `names` are those whose sets are replaced by `rrsets` (none
 * for a name that has gone), `apex` its SOA and NS, which each version has anew. It holds every change since `since`,
 * so it fits on any version from there to its own, and is the same when it is applied twice.
 */
export const DnsZonePatch = z.object({
  zoneId: z.string(),
  since: z.int(),
  version: z.int(),
  step: z.int().optional(),
  apex: z.array(Rrset),
  names: z.array(z.string().max(253)),
  rrsets: z.array(Rrset),
})
export type DnsZonePatch = z.infer<typeof DnsZonePatch>
