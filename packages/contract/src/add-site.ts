import { z } from 'zod'
import { Claim, ProofRecord } from './claims.ts'
import { RecordTtl } from './dns-records.ts'
import { HostName, RecordName } from './formats/fqdn.ts'
import { LIMITS } from './limits.ts'
import { changed, del, feature, get, patch, post } from './route.ts'
import { Contest, Site } from './sites.ts'

/** A site's name as it is typed; what is wrong with it is told by code, so the form itself is wide. */
const SiteName = z.string().trim().toLowerCase().min(1, 'validation.required').max(253)

/** A task of the worker: it goes on when nobody looks, and again after a restart. */
export const TaskState = z.enum(['none', 'waiting', 'running', 'done', 'failed'])
export type TaskState = z.infer<typeof TaskState>

/** Why a task ended without a result. */
export const TaskProblem = z.enum([
  'notDelegated',
  'noAddress',
  'privateAddress',
  'noAnswer',
  'ownServers',
  'notServed',
  'tooMany',
  'fault',
])
export type TaskProblem = z.infer<typeof TaskProblem>

/**
 * How records were found: the old server handed over its zone, names were guessed, a file was read, or somebody wrote
 * them.
 */
export const FoundBy = z.enum(['transfer', 'names', 'file', 'hand'])
export type FoundBy = z.infer<typeof FoundBy>

const task = {
  state: TaskState,
  problem: TaskProblem.nullable(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
}

export const Scan = z.object({
  ...task,
  /** The nameservers that were asked: those the name is delegated to now. */
  nameservers: z.array(z.object({ name: z.string(), addresses: z.array(z.string()) })),
  /** `names` cannot be complete: nobody can list a zone from outside. */
  method: z.enum(['transfer', 'names']).nullable(),
  namesAsked: z.int(),
  namesTotal: z.int(),
  /** Names that no server has answered for, or that there was no time for: there may be records of theirs. */
  unanswered: z.int().default(0),
  /** The first of them. */
  unansweredNames: z.array(z.string()).default([]),
  queries: z.int(),
  hasWildcard: z.boolean(),
  /** What the review holds now, by all ways together. */
  foundNames: z.int(),
  foundRecords: z.int(),
})
export type Scan = z.infer<typeof Scan>

/** A record that waits for its review. Nothing of it is served before the site is published. */
export const FoundRecord = z.object({
  id: z.string(),
  /** Any type that DNS has; `problem` says when a site cannot hold it. */
  type: z.string(),
  name: z.string(),
  /** As in a DNS record: without MX's preference. */
  value: z.string(),
  preference: z.int().nullable(),
  /** Seconds, within what the plan allows; null for Auto. */
  ttlSeconds: z.int().nullable(),
  /** What the old server says. */
  oldTtlSeconds: z.int().nullable(),
  foundBy: FoundBy,
  chosen: z.boolean(),
  multiCdn: z.boolean(),
  /**
   * `validation.<key>`, `code:<error code>` or `unsupportedType`; `proxied` when it leads to proxies of the provider that is
   * left, which may be added all the same; null when all is well.
   */
  problem: z.string().nullable(),
})
export type FoundRecord = z.infer<typeof FoundRecord>

/** A name that visitors ask for addresses of, and whether multi-CDN can steer it. */
export const FoundDomain = z.object({
  /** Id of the record that becomes the origin; null when there is not exactly one. */
  recordId: z.string().nullable(),
  name: z.string(),
  type: z.string(),
  origin: z.string(),
  multiCdn: z.boolean(),
  /**
   * Why it cannot be steered: `code:<error code>`, or `severalAddresses` where there is not exactly one record to take
   * as origin.
   */
  problem: z.string().nullable(),
})
export type FoundDomain = z.infer<typeof FoundDomain>

/**
 * `same` answers alike; `ttl` only keeps them for another time; `steered` is answered by multi-CDN, so it differs by
 * intention.
 */
export const ParityKind = z.enum(['same', 'ttl', 'steered', 'missing', 'extra', 'different', 'unanswered'])
export type ParityKind = z.infer<typeof ParityKind>

export const ParityRow = z.object({
  name: z.string(),
  type: z.string(),
  kind: ParityKind,
  old: z.array(z.string()),
  ours: z.array(z.string()),
  oldTtlSeconds: z.int().nullable(),
  ourTtlSeconds: z.int().nullable(),
})
export type ParityRow = z.infer<typeof ParityRow>

export const Parity = z.object({
  ...task,
  questionsAsked: z.int(),
  questionsTotal: z.int(),
  /** Version of the site that was compared; an older one than the site's is out of date. */
  version: z.int().nullable(),
  names: z.int(),
  differences: z.int(),
  /** Records that are served and lead to the proxies of the provider that is left. */
  proxied: z.int().default(0),
  /** Names that the scan had no answer for, where no zone file has told them since. */
  unscanned: z.int().default(0),
  /** Differences first; at most 2000 rows. */
  rows: z.array(ParityRow),
})
export type Parity = z.infer<typeof Parity>

/** Why a site is not verified. `otherPair`: the parent names nameservers of ours, but not this site's. */
export const NsReason = z.enum(['notDelegated', 'otherNameservers', 'otherPair', 'mixedNameservers', 'parentAway'])
export type NsReason = z.infer<typeof NsReason>

/**
 * What a delegation has to be: `delegated` to our nameservers, to them `alone`, to `two` of them at least, with their
 * right addresses where the parent tells them (`glue`),
 * `answered` by each of them, and without keys of others (`keys`).
 */
export const NsRequirement = z.enum(['delegated', 'alone', 'two', 'glue', 'answered', 'keys'])
export type NsRequirement = z.infer<typeof NsRequirement>

export const NsStatus = z.object({
  dnsState: z.enum(['draft', 'pending', 'verified']),
  /** `checking` asks again and again until verified, for 10 minutes at most; `timed-out` then. */
  state: z.enum(['unchecked', 'checking', 'checked', 'timed-out']),
  checkingUntil: z.iso.datetime().nullable(),
  checkedAt: z.iso.datetime().nullable(),
  reason: NsReason.nullable(),
  /** The parent zone, and what it says now. */
  parent: z.string().nullable(),
  delegation: z.array(z.object({ name: z.string(), glue: z.array(z.string()), ours: z.boolean() })),
  /**
   * The parent vouches for keys that are not ours: with other nameservers the name would fail for every validating
   * resolver.
   */
  hasDs: z.boolean(),
  /** Each with whether it is met; null while it is not known. */
  requirements: z.array(z.object({ requirement: NsRequirement, met: z.boolean().nullable() })),
  /** Of each set, which of its nameservers the parent names. */
  sets: z.array(z.object({ set: z.enum(['global', 'china']), named: z.array(z.string()), total: z.int() })),
  /** Serial that each named nameserver of ours answers for the zone; null when it does not answer. */
  serials: z.array(z.object({ name: z.string(), serial: z.int().nullable() })),
  nameservers: z.object({ global: z.array(z.string()), china: z.array(z.string()) }),
  claim: Claim,
  /** The record that proves the name while its nameservers are elsewhere; null where none is asked for. */
  proof: ProofRecord.nullable(),
})
export type NsStatus = z.infer<typeof NsStatus>

const found = {
  name: RecordName,
  value: z.string().trim().min(1, 'validation.required').max(4096),
  preference: z.int().min(0).max(65535).nullable(),
  ttlSeconds: RecordTtl,
}

const documents = ['dns-zone', 'edge-site', 'probe-targets'] as const
const steering = [900018, 900020, 900023, 900028, 900104, 900106] as const

/**
 * From a domain name to a site that answers as the old nameservers did. A draft (`zoneStatus` 0) is not served and goes
 * on where it was left.
 */
export const addSite = feature('add-site', {
  eligibility: get('/mdns/v2/eligibility/', {
    in: z.object({ domainName: SiteName }),
    out: z.object({ domainName: z.string(), sitesUsed: z.int(), sitesTotal: z.int() }),
    permission: 'AddSite',
    errors: [2020, 2021, 900012, 900020, 900023, 900027, 900028, 900103],
    summary: 'Whether a name can become a site; the code says why not.',
  }),
  create: post('/mdns/v2/zones/', {
    spends: true,
    in: z.object({ domainName: SiteName, contest: Contest }),
    out: changed(Site),
    permission: 'AddSite',
    errors: [2020, 2021, 900012, 900020, 900023, 900027, 900028, 900103],
    audit: 'site.createDraft',
    changes: [],
    summary: 'Adds a site as a draft and starts its scan.',
  }),
  scan: get('/mdns/v2/zones/{site}/scan/', { out: Scan, permission: 'ViewSite', errors: [] }),
  startScan: post('/mdns/v2/zones/{site}/scan/', {
    out: Scan,
    permission: 'EditSite',
    errors: [409],
    audit: null,
    changes: [],
    summary: 'Asks the old nameservers again. What is in the review stays.',
  }),
  readFile: post('/mdns/v2/zones/{site}/scan/file/', {
    in: z.object({ text: z.string().min(1, 'validation.required').max(LIMITS.zoneFile.characters) }),
    out: z.object({
      added: z.int(),
      known: z.int(),
      errors: z.array(z.object({ line: z.int(), column: z.int(), fault: z.string(), text: z.string() })),
    }),
    permission: 'EditSite',
    errors: [409],
    audit: null,
    changes: [],
    summary: 'Puts the records of a BIND zone file into the review; with errors, nothing of it.',
  }),
  found: get('/mdns/v2/zones/{site}/scan/records/', {
    out: z.object({
      data: z.array(FoundRecord),
      recordQuota: z.object({ used: z.int(), total: z.int() }),
      problem: z.string().nullable(),
    }),
    permission: 'ViewSite',
    errors: [],
  }),
  addFound: post('/mdns/v2/zones/{site}/scan/records/', {
    in: z.object({
      ...found,
      type: z.string().max(20),
      preference: found.preference.default(null),
      ttlSeconds: found.ttlSeconds.default(null),
    }),
    out: FoundRecord,
    permission: 'EditSite',
    errors: [409, 900101, 27005, 810005, 810006],
    audit: null,
    changes: [],
  }),
  choose: patch('/mdns/v2/zones/{site}/scan/records/', {
    in: z.object({ ids: z.array(z.uuid()).min(1).max(20_000), chosen: z.boolean() }),
    out: z.object({ changed: z.int() }),
    permission: 'EditSite',
    errors: [409],
    audit: null,
    changes: [],
  }),
  editFound: patch('/mdns/v2/zones/{site}/scan/records/{id}/', {
    in: z.object({ ...found, multiCdn: z.boolean() }).partial(),
    out: FoundRecord,
    permission: 'EditSite',
    errors: [409, 900101, 27005, 810005, 810006, ...steering],
    audit: null,
    changes: [],
  }),
  removeFound: del('/mdns/v2/zones/{site}/scan/records/{id}/', {
    out: z.object({ id: z.string() }),
    permission: 'EditSite',
    errors: [409],
    audit: null,
    changes: [],
  }),
  domains: get('/mdns/v2/zones/{site}/cdn_domain/', {
    out: z.object({ data: z.array(FoundDomain) }),
    permission: 'ViewSite',
    errors: [],
  }),
  publish: post('/mdns/v2/zones/{site}/publish/', {
    out: changed(Site),
    permission: 'EditSite',
    errors: [409, 900101, 900102, 900105, 900108, 900109, 27005, 810005, 810006, ...steering],
    audit: 'site.publish',
    changes: documents,
    summary:
      'Adds the chosen records as one version and serves the site. It is pending until its parent delegates it here.',
  }),
  parity: get('/mdns/v2/zones/{site}/check/', { out: Parity, permission: 'ViewSite', errors: [] }),
  startParity: post('/mdns/v2/zones/{site}/check/', {
    out: Parity,
    permission: 'EditSite',
    errors: [409],
    audit: null,
    changes: [],
    summary: 'Asks the old nameservers and ours the same questions and compares the answers.',
  }),
  nsStatus: get('/mdns/v2/zones/{site}/ns_status/', { out: NsStatus, permission: 'ViewSite', errors: [] }),
  checkNameservers: post('/mdns/v2/zones/{site}/ns_status/', {
    out: NsStatus,
    permission: 'EditSite',
    errors: [409],
    audit: null,
    changes: [],
  }),
  addDomain: post('/mdns/v2/zones/{site}/cdn_domain/', {
    spends: true,
    in: z.object({ name: RecordName, origin: z.union([z.ipv4(), HostName], 'validation.fqdnOrIpAddress') }),
    out: changed(z.object({ domainId: z.string(), name: z.string(), recordId: z.string() })),
    permission: 'EditSite',
    planFeature: 'multiCdn.enable',
    errors: [409, 2019, 27005, 810006, 900102, 900105, ...steering],
    audit: 'domain.create',
    changes: documents,
    summary:
      'Makes a name of the site one that multi-CDN serves: its record is added, or switched on when it is there.',
  }),
})
