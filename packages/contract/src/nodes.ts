import { z } from 'zod'
import { IpAddress } from './formats/cidr.ts'
import { EdgeCertificates, EdgeChallenges } from './snapshots/certificates.ts'
import { DnsZone, DnsZonePatch } from './snapshots/dns.ts'
import { EdgePages } from './snapshots/pages.ts'
import { EdgePurges, EdgeSimulatedCdn, EdgeSite } from './snapshots/edge.ts'
import { EdgeSecurity } from './snapshots/security.ts'
import { OutsideFeedKeys } from './snapshots/outside-feeds.ts'
import { ScoresSnapshot } from './snapshots/scores.ts'
import { StreamBalance } from './snapshots/stream-balance.ts'
import { StreamPeersDocument } from './snapshots/stream-peers.ts'
import { DnsTransfers } from './snapshots/transfers.ts'
import { NodeDisk } from './node-disk.ts'
import { feature, get, post } from './route.ts'
import { RegionName } from './region-name.ts'
import { PublicationKind } from './publication-kind.ts'

/**
 * Where a CDN is probed. `address` is connected to when set; the host goes into Host and SNI. `house` when the address
 * is one of this installation's own, which no user has named.
 */
export const ProbeTarget = z.object({
  cdnId: z.string(),
  host: z.string(),
  address: z.string().nullable(),
  port: z.int().min(1).max(65535),
  tls: z.boolean(),
  path: z.string().startsWith('/'),
  house: z.boolean().default(false),
  /** What is asked for is a page of the customer's own: whatever the origin says by it, the CDN that passes it on is alive. */
  page: z.literal(true).optional(),
  /** Other names of the customer that this CDN serves: it is dead when none of them answers. */
  others: z
    .array(z.object({ host: z.string(), address: z.string().nullable() }))
    .max(2)
    .optional(),
})
export type ProbeTarget = z.infer<typeof ProbeTarget>

export const ProbeTargets = z.object({ organizationId: z.string(), version: z.int(), targets: z.array(ProbeTarget) })
export type ProbeTargets = z.infer<typeof ProbeTargets>

/** One probe's outcome. */
export const ProbeResult = z.object({
  organizationId: z.string(),
  cdnId: z.string(),
  at: z.number(),
  ok: z.boolean(),
  /** Time to the first byte of the answer, ms; null when it failed. */
  rttMs: z.number().nullable(),
  error: z.string().max(200).nullable(),
})
export type ProbeResult = z.infer<typeof ProbeResult>

const envelope = <K extends string, B extends z.ZodType>(kind: K, body: B) =>
  z.object({ revision: z.int(), kind: z.literal(kind), key: z.string(), version: z.int(), body: body.nullable() })

export const Publication = z.discriminatedUnion('kind', [
  // Of a zone whose whole the node has had, `patch` alone, with a body of null; only where the feed was asked for it.
  envelope('dns-zone', DnsZone).extend({ patch: DnsZonePatch.optional() }),
  envelope('edge-certificates', EdgeCertificates),
  envelope('edge-challenges', EdgeChallenges),
  envelope('edge-pages', EdgePages),
  envelope('edge-purges', EdgePurges),
  envelope('edge-security', EdgeSecurity),
  envelope('edge-site', EdgeSite),
  envelope('simulated-cdn', EdgeSimulatedCdn),
  envelope('scores', ScoresSnapshot),
  envelope('probe-targets', ProbeTargets),
  envelope('dns-transfers', DnsTransfers),
  envelope('stream-balance', StreamBalance),
  envelope('stream-peers', StreamPeersDocument),
  envelope('outside-feeds', OutsideFeedKeys),
])
export type Publication = z.infer<typeof Publication>

/** What of a publication is read when its body is not one that this version knows. */
export const PublicationHead = z.object({
  revision: z.int(),
  kind: PublicationKind,
  key: z.string(),
  version: z.int(),
})
export type PublicationHead = z.infer<typeof PublicationHead>

export const NodeRole = z.enum(['dns', 'edge', 'collector'])
export type NodeRole = z.infer<typeof NodeRole>

/** A node's word on one publication: it serves that version, or why it does not. */
export const Acknowledgement = z.object({
  kind: PublicationKind,
  key: z.string(),
  version: z.int(),
  ok: z.boolean(),
  reason: z.string().max(500).nullable(),
})
export type Acknowledgement = z.infer<typeof Acknowledgement>

/** Probes changed their mind about a CDN; `evidence` says by which nodes and checks. */
export const HealthTransition = z.object({
  organizationId: z.string(),
  cdnId: z.string(),
  hardDown: z.boolean(),
  at: z.number(),
  evidence: z.string().max(500),
})
export type HealthTransition = z.infer<typeof HealthTransition>

/** The middle of a node's last connections to a domain's origin; null when all of them failed. */
export const OriginTime = z.object({
  domainId: z.uuid(),
  ms: z.number().min(0).max(60_000).nullable(),
  samples: z.int().min(0).max(1000),
  failed: z.int().min(0).max(1000),
  at: z.number().min(0),
})
export type OriginTime = z.infer<typeof OriginTime>

/** Requests sent to a domain's origin: for visitors of the node's own, and for other nodes. */
export const ShieldCount = z.object({
  domainId: z.uuid(),
  own: z.int().min(0).max(1e12),
  others: z.int().min(0).max(1e12),
})
export type ShieldCount = z.infer<typeof ShieldCount>

/**
 * What a node saw of a domain's origin in its last two minutes. `silent` took the connection and said nothing: at most
 * one for each network of visitors and half a minute.
 */
export const OriginReport = z.object({
  domainId: z.uuid(),
  answered: z.int().min(0).max(1e9),
  unconnected: z.int().min(0).max(1e9),
  silent: z.int().min(0).max(1e9),
})
export type OriginReport = z.infer<typeof OriginReport>

/** How nodes speak with the API; authorised by the installation's node token. */
export const nodes = feature('nodes', {
  /** What a machine that was invited has to know. The token is used up. */
  join: post('/nodes/v1/join/', {
    in: z.object({
      token: z.string().min(20).max(200),
      /** What the machine would be called: its host name, unless it was told another. */
      name: z.string().min(1).max(100).optional(),
    }),
    out: z.object({
      nodeToken: z.string(),
      collector: z.string(),
      /** All of them, where there are several. */
      collectors: z.array(z.string()).optional(),
      serviceDomain: z.string(),
      /** What it is to be called: another machine may have its name already. */
      name: z.string().optional(),
    }),
    permission: 'public',
    errors: [7408],
    audit: null,
    changes: [],
  }),
  register: post('/nodes/v1/register/', {
    in: z.object({
      name: z.string().max(100),
      role: NodeRole,
      version: z.string(),
      controlUrl: z.string().nullable(),
      /** Of an edge: the shield region that its machine was told, and where other nodes fetch through it. */
      shield: z.object({ region: RegionName.nullable(), address: z.string().max(300).nullable() }).optional(),
      /** Of an edge: the port at which it offers HTTP/3. */
      http3Port: z.int().min(1).max(65_535).nullable().optional(),
      /** Where the world reaches a name server or an edge; none is told by a version that does not know. */
      addresses: z.array(IpAddress).max(8).optional(),
      /** The epoch of what it has taken, and up to which revision of it. */
      epoch: z.uuid().optional(),
      cursor: z.int().nonnegative().optional(),
    }),
    /** Revisions of one epoch say nothing about those of another: with another one a node takes everything anew. */
    out: z.object({ nodeId: z.string(), epoch: z.uuid().optional() }),
    permission: 'node',
    errors: [],
    audit: null,
    changes: [],
  }),
  /**
   * What a node has applied; an empty list every 5 s is its sign of life. With what is free on its disk, where it can
   * be asked.
   */
  acknowledge: post('/nodes/v1/{node}/acknowledgements/', {
    in: z.object({
      acknowledgements: z.array(Acknowledgement).max(1000),
      disk: NodeDisk.optional(),
      /** Revision up to which it has taken, or refused, everything that it follows. */
      cursor: z.int().nonnegative().optional(),
      /** Of the cursor. */
      epoch: z.uuid().optional(),
    }),
    out: z.object({ stored: z.int() }),
    permission: 'node',
    errors: [],
    audit: null,
    changes: [],
  }),
  /** How near the origins of shielded domains are to this node, and what it has sent there since it last said so. */
  tellShield: post('/nodes/v1/{node}/shield/', {
    in: z.object({ times: z.array(OriginTime).max(2000), counts: z.array(ShieldCount).max(10_000) }),
    out: z.object({}),
    permission: 'node',
    errors: [],
    audit: null,
    changes: [],
  }),
  /**
   * Origins that fail here, and those that were asked for; answers with the domains that fail elsewhere, of which this
   * node is to tell what it sees.
   */
  tellOrigins: post('/nodes/v1/{node}/origins/', {
    in: z.object({ origins: z.array(OriginReport).max(2000) }),
    out: z.object({ asked: z.array(z.string()) }),
    permission: 'node',
    errors: [],
    audit: null,
    changes: [],
  }),
  /** Primaries have told this node that these zones have changed there. */
  notice: post('/nodes/v1/notices/', {
    in: z.object({ siteIds: z.array(z.string()).max(1000) }),
    out: z.object({}),
    permission: 'node',
    errors: [],
    audit: null,
    changes: [],
  }),
  /**
   * Server-sent events, one `Publication` each, from a cursor; a comment line every 5 s, and `: whole` where all there was has
   * been sent. `patches` for who takes changes of large zones without the rest of the zone. Ends where the epoch does.
   */
  feed: get('/nodes/v1/{node}/feed/', {
    in: z.object({
      cursor: z.coerce.number().int().default(0),
      kinds: z.string(),
      patches: z.enum(['yes']).optional(),
      epoch: z.uuid().optional(),
    }),
    out: Publication,
    permission: 'node',
    errors: [],
    stream: 'events',
  }),
  /** The collector's newest scores, and what changed about health since the last post. */
  publishScores: post('/nodes/v1/{node}/scores/', {
    in: z.object({ snapshots: z.array(ScoresSnapshot).max(1000), transitions: z.array(HealthTransition).max(1000) }),
    out: z.object({ stored: z.int() }),
    permission: 'node',
    errors: [],
    audit: null,
    changes: [],
  }),
})
