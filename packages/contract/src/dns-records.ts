import { z } from 'zod'
import { RecordName } from './formats/fqdn.ts'
import { tagList } from './formats/tags.ts'
import { RECORD_TYPES } from './lean.ts'
import { LIMITS } from './limits.ts'
import { GenericType } from './snapshots/dns.ts'
import { ListQuery, changed, del, feature, get, page, patch, post } from './route.ts'

export type NamedRecordType = (typeof RECORD_TYPES)[number]

/** Or any other type by its number, `TYPE65400`, with its rdata as `\# length hexadecimal` (RFC 3597 5). */
export const RecordType = z.union([z.enum(RECORD_TYPES), GenericType])
export type RecordType = z.infer<typeof RecordType>

/** Seconds, or null for Auto (300 s; 30 s while multi-CDN steers the name). */
export const RecordTtl = z.int().min(LIMITS.ttlSeconds.min).max(LIMITS.ttlSeconds.max).nullable()

export const DnsRecord = z.object({
  id: z.string(),
  type: RecordType,
  /** Relative to the site, `@` for the apex. */
  name: z.string(),
  /**
   * Presentation form of the rdata, without MX's preference; SRV is `priority weight port target`, CAA `flags tag
   * "value"`. Names in it are absolute, the last dot may be left out.
   */
  value: z.string(),
  preference: z.int().nullable(),
  ttlSeconds: z.int().nullable(),
  /** Steered by multi-CDN: the value is the origin then. */
  multiCdn: z.boolean(),
  /**
   * Share of answers in relation to the other records of the name and type; null without weighted round robin. A and
   * AAAA only.
   */
  weight: z.int().nullable(),
  /** For the owner's eyes. */
  comment: z.string(),
  tags: z.array(z.string()),
  domainId: z.string().nullable(),
  /** Ids of the CDNs that may answer, in series order. */
  cdnIds: z.array(z.string()),
  createdAt: z.iso.datetime(),
  modifiedAt: z.iso.datetime(),
})
export type DnsRecord = z.infer<typeof DnsRecord>

const fields = {
  name: RecordName,
  value: z.string().trim().min(1, 'validation.required').max(8192),
  preference: z.int().min(0).max(65535).nullable(),
  ttlSeconds: RecordTtl,
  multiCdn: z.boolean(),
  weight: z.int().min(0).max(LIMITS.recordWeight).nullable(),
  /** One line; empty for none. */
  comment: z
    .string()
    .trim()
    .max(LIMITS.recordComment)
    .regex(/^\P{Cc}*$/u, 'validation.oneLine'),
  tags: tagList(LIMITS.tagsPerRecord),
}

/**
 * A record as it is entered. Whether the value fits the type is decided by `validateRecord` in the domain, on both
 * sides alike.
 */
export const RecordInput = z.object({
  type: RecordType,
  ...fields,
  preference: fields.preference.default(null),
  ttlSeconds: fields.ttlSeconds.default(null),
  multiCdn: fields.multiCdn.default(false),
  weight: fields.weight.default(null),
  comment: fields.comment.optional(),
  tags: fields.tags.optional(),
})
export type RecordInput = z.infer<typeof RecordInput>

/** A change of a record: what is left out stays as it is, so nothing here has a default. */
export const RecordPatch = z.object(fields).partial()
export type RecordPatch = z.infer<typeof RecordPatch>

export const Zone = z.object({
  siteId: z.string(),
  origin: z.string(),
  nameservers: z.object({ global: z.array(z.string()), china: z.array(z.string()) }),
  soa: z.object({
    mname: z.string(),
    rname: z.string(),
    serial: z.int(),
    refresh: z.int(),
    retry: z.int(),
    expire: z.int(),
    minimum: z.int(),
  }),
  recordQuota: z.object({ used: z.int(), total: z.int() }),
  /** The records come from another primary and are changed there. */
  fetched: z.boolean(),
})

const errors = [
  409, 27005, 27043, 810005, 810006, 900018, 900020, 900023, 900028, 900101, 900102, 900104, 900105, 900106, 900107,
  900108, 900109, 900110, 900111, 900113, 900115,
] as const

export const dnsRecords = feature('dns-records', {
  list: get('/mdns/v2/zones/{site}/rrsets/', {
    fromReplica: true,
    in: ListQuery.extend({
      name: RecordName.optional(),
      /** One, or several parted by commas, any of which fits. */
      type: z.string().max(LIMITS.recordFilter).optional(),
      multi_cdn: z.enum(['true', 'false']).optional(),
      tag: z.string().max(LIMITS.recordFilter).optional(),
    }),
    out: page(DnsRecord),
    permission: 'ViewSite',
    errors: [],
    summary: 'The records of a site, page by page. All at once (`page_size=-1`) where there are not too many.',
  }),
  zone: get('/mdns/v2/zones/{site}/', { out: Zone, permission: 'ViewSite', errors: [] }),
  get: get('/mdns/v2/zones/{site}/rrsets/{id}/', { out: DnsRecord, permission: 'ViewSite', errors: [] }),
  create: post('/mdns/v2/zones/{site}/rrsets/', {
    spends: true,
    in: RecordInput,
    out: changed(DnsRecord),
    permission: 'EditSite',
    errors,
    audit: 'dnsRecord.create',
    changes: ['dns-zone', 'edge-site', 'probe-targets'],
  }),
  update: patch('/mdns/v2/zones/{site}/rrsets/{id}/', {
    in: RecordPatch,
    out: changed(DnsRecord),
    permission: 'EditSite',
    errors,
    audit: 'dnsRecord.update',
    changes: ['dns-zone', 'edge-site', 'probe-targets'],
  }),
  remove: del('/mdns/v2/zones/{site}/rrsets/{id}/', {
    out: changed(z.object({ id: z.string() })),
    permission: 'EditSite',
    errors,
    audit: 'dnsRecord.remove',
    changes: ['dns-zone', 'edge-site', 'probe-targets'],
  }),
  updateMany: post('/mdns/v2/zones/{site}/rrsets/update/', {
    in: z.object({
      ids: z.array(z.string()).min(1).max(LIMITS.recordsPerChange),
      /** What all of them get; what is left out stays. */
      set: z
        .object({
          ttlSeconds: RecordTtl,
          value: fields.value,
          weight: fields.weight,
          comment: fields.comment,
          addTags: fields.tags,
          removeTags: fields.tags,
        })
        .partial(),
      force: z.boolean().default(false),
    }),
    out: changed(z.object({ updated: z.int() })),
    permission: 'EditSite',
    errors,
    audit: 'dnsRecord.updateMany',
    changes: ['dns-zone', 'edge-site', 'probe-targets'],
    summary: 'Gives many records another TTL, value, weight, comment or tags as one version, all or none.',
  }),
  removeMany: post('/mdns/v2/zones/{site}/rrsets/delete/', {
    in: z.object({ ids: z.array(z.string()).min(1).max(LIMITS.recordsPerChange), force: z.boolean().default(false) }),
    out: changed(z.object({ removed: z.int() })),
    permission: 'EditSite',
    apiTier: 3,
    errors,
    audit: 'dnsRecord.removeMany',
    changes: ['dns-zone', 'edge-site', 'probe-targets'],
  }),
})
