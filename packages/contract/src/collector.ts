import { z } from 'zod'
import { BeaconSettings } from './beacon.ts'
import { DNS_TRANSPORTS } from './lean.ts'
import { LIMITS } from './limits.ts'
import { ProbeResult } from './nodes.ts'

/** What nodes and the API send to the collector, authorised by the node token. Beacons come from anybody. */

/** Tells nodes apart: `<machine>/<role>`. Two roles of one machine are two nodes. */
const NodeLabel = z.string().min(1).max(130)

/** Body of `POST /probes/`: what one node measured. */
export const ProbeReport = z.object({
  node: NodeLabel,
  results: z.array(ProbeResult).max(1000),
  /** Another collector writes them down. */
  isHeardOnly: z.boolean().optional(),
})
export type ProbeReport = z.infer<typeof ProbeReport>

/** Answers of one DNS node that are alike, counted over a bucket of at most 10 s. */
export const DnsAnswerCount = z.object({
  /** Start of the bucket, epoch ms. */
  at: z.number(),
  organizationId: z.string().max(64),
  siteId: z.string().max(64),
  /** Null for records that are not steered. */
  domainId: z.string().max(64).nullable(),
  /** The CDN answered with; null for records that are not steered. */
  cdnId: z.string().max(64).nullable(),
  /** Country of the client subnet or resolver; null when unknown. */
  country: z.string().length(2).nullable(),
  answers: z.int().min(1),
})
export type DnsAnswerCount = z.infer<typeof DnsAnswerCount>

/** Body of `POST /dns-answers/`. */
export const DnsAnswers = z.object({ node: NodeLabel, counts: z.array(DnsAnswerCount).max(5000) })
export type DnsAnswers = z.infer<typeof DnsAnswers>

const SiteOwner = { at: z.number(), organizationId: z.string().max(64), siteId: z.string().max(64) }
const RcodeName = z.string().max(16)
const TypeName = z.string().max(16)
const DnsName = z.string().max(1024)

/**
 * Queries of one DNS node for one name and type with one outcome, counted over a bucket. `name` is the owner name that
 * answered, a wildcard included; empty where there is no such name, or where a bucket had too many.
 */
export const DnsRequestCount = z.object({
  ...SiteOwner,
  name: DnsName,
  type: TypeName,
  rcode: RcodeName,
  requests: z.int().min(1),
})
export type DnsRequestCount = z.infer<typeof DnsRequestCount>

/**
 * Queries by the network that they came from (`AS7922`, or a network of mainland China such as `CT`); empty when
 * unknown.
 */
export const DnsNetworkCount = z.object({ ...SiteOwner, network: z.string().max(32), requests: z.int().min(1) })
export type DnsNetworkCount = z.infer<typeof DnsNetworkCount>

/**
 * One query, drawn by lot. `client` is a prefix, at most /24 or /48; `scoped` when it was the resolver's client and not
 * the resolver.
 */
export const DnsSample = z.object({
  ...SiteOwner,
  domainId: z.string().max(64).nullable(),
  name: DnsName,
  type: TypeName,
  rcode: RcodeName,
  cdnId: z.string().max(64).nullable(),
  strategyId: z.string().max(64).nullable(),
  country: z.string().max(2).nullable(),
  network: z.string().max(32).nullable(),
  client: z.string().max(50),
  scoped: z.boolean(),
  transport: z.enum(DNS_TRANSPORTS),
})
export type DnsSample = z.infer<typeof DnsSample>

/** Body of `POST /dns-requests/`. */
export const DnsRequests = z.object({
  node: NodeLabel,
  rows: z
    .array(
      z.discriminatedUnion('kind', [
        DnsRequestCount.extend({ kind: z.literal('request') }),
        DnsNetworkCount.extend({ kind: z.literal('network') }),
        DnsSample.extend({ kind: z.literal('sample') }),
      ]),
    )
    .max(5000),
})
export type DnsRequests = z.infer<typeof DnsRequests>

/**
 * Body of `PUT /pulse/`: an organisation's public beacon keys and what the script may fetch with them; null settings
 * withdraw them. `hosts`: whose pages may send beacons, every host when empty.
 */
export const PulseRegistration = z.object({
  organizationId: z.string().max(64),
  /** `until`: epoch ms when an old key ends. */
  keys: z.array(z.object({ key: z.string().min(1).max(64), until: z.number().nullable() })).max(LIMITS.beacon.keys + 1),
  hosts: z.array(z.string().max(253)).max(LIMITS.beacon.hosts).default([]),
  settings: BeaconSettings.nullable(),
})
export type PulseRegistration = z.infer<typeof PulseRegistration>
