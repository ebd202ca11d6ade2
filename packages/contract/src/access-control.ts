import { z } from 'zod'
import { Cidr } from './formats/cidr.ts'
import { NetworkKey, PlaceKey } from './geography.ts'
import { LIMITS } from './limits.ts'
import { Note } from './security-expressions.ts'
import { ListQuery, changed, del, feature, get, page, patch, post } from './route.ts'

/** The whitelist goes first: who is on it passes access control, bot management and all rules. */
export const AccessList = z.enum(['whitelist', 'blacklist'])
export type AccessList = z.infer<typeof AccessList>

const ExpiresAt = z.iso.datetime().nullable().default(null)
const common = { list: AccessList, note: Note, expiresAt: ExpiresAt }

/**
 * An address or a block of them, or a place, which may be narrowed to one network there. A place that is excluded is
 * taken out of the places of the same list.
 */
export const AccessEntryInput = z.discriminatedUnion('kind', [
  z.object({ ...common, kind: z.literal('address'), value: z.string().trim().pipe(Cidr) }),
  z.object({
    ...common,
    kind: z.literal('place'),
    value: PlaceKey,
    network: NetworkKey.nullable().default(null),
    exclude: z.boolean().default(false),
  }),
])
export type AccessEntryInput = z.infer<typeof AccessEntryInput>

export const AccessEntry = z.object({
  id: z.string(),
  list: AccessList,
  kind: z.enum(['address', 'place']),
  /** A block in its shortest form, or a place key. */
  value: z.string(),
  network: z.string().nullable(),
  exclude: z.boolean(),
  note: z.string(),
  expiresAt: z.string().nullable(),
  /** Its time is over: it does nothing any more. */
  expired: z.boolean(),
  createdAt: z.iso.datetime(),
})
export type AccessEntry = z.infer<typeof AccessEntry>

/**
 * Requests are written down by their /24 or /48 only: where an entry is narrower than that, some of a network's requests
 * are meant, and counts are told as `least` and `most`.
 */
const Count = z.object({ least: z.int(), most: z.int() })
export const AccessEffect = z.object({
  /** Requests for the domain in the last day that are known. */
  requests: z.int(),
  /** Of them, those that the lists keep out as they are saved. */
  before: Count,
  /** Of them, those that the lists would keep out with the change. */
  after: Count,
  /** Those newly kept out by country (empty where unknown), most first. */
  countries: z.array(z.object({ country: z.string(), requests: z.int() })),
  /** The person who asks. */
  you: z.object({ address: z.string(), before: z.boolean(), after: z.boolean() }),
})
export type AccessEffect = z.infer<typeof AccessEffect>

/** Something to know of entries before they are saved; none of it is refused. */
export const AccessRemark = z.object({
  kind: z.enum([
    /** Of all there are, in `value`: nothing else of web security is asked of anybody. */ 'lets-everybody-in',
    'keeps-everybody-out',
    /** Much more of the internet than one network. */ 'very-wide',
    /** Nobody has such an address on the internet: only what is inside comes from there. */ 'private',
    'documentation',
    /** Does nothing beside the entry `other` of its list. */ 'covered',
    /** So many that are there (`count`) do nothing beside it any more. */ 'covers',
    /** Does nothing, since `other` of the whitelist goes first. */ 'overruled',
    /** So many of the blacklist (`count`) do nothing any more, since it goes first. */ 'overrules',
    /** Takes a place out of a list that has no place. */ 'excludes-nothing',
  ]),
  /** The entry that it is about, in its shortest form. */ value: z.string(),
  other: z.string().nullable(),
  count: z.int(),
})
export type AccessRemark = z.infer<typeof AccessRemark>

const AT = '/wafmgmt/v2/sites/{site}/domains/{domain}/access-control'
const change = ['edge-security'] as const

export const accessControl = feature('access-control', {
  list: get(`${AT}/`, {
    fromReplica: true,
    in: ListQuery.extend({ list: AccessList.optional(), kind: z.enum(['address', 'place']).optional() }),
    out: page(AccessEntry),
    permission: 'ViewSite',
    errors: [],
  }),
  create: post(`${AT}/`, {
    in: AccessEntryInput,
    out: changed(AccessEntry),
    permission: 'EditSite',
    planFeature: 'waf.enable',
    errors: [26902, 26903, 27005],
    audit: 'accessEntry.create',
    changes: change,
  }),
  createMany: post(`${AT}/entries/`, {
    in: z.object({ entries: z.array(AccessEntryInput).min(1).max(100) }),
    out: changed(z.object({ added: z.int(), /** Already there. */ duplicates: z.int() })),
    permission: 'EditSite',
    planFeature: 'waf.enable',
    errors: [26902, 27005],
    audit: 'accessEntry.create',
    changes: change,
    summary: 'Adds several entries in one version: all of them, or none when they are too many.',
  }),
  import: post(`${AT}/import/`, {
    in: z.object({
      list: AccessList,
      /** One address or block a line; what follows a `#` is its note. */
      text: z.string().max(2_000_000),
      expiresAt: ExpiresAt,
    }),
    out: changed(
      z.object({
        added: z.int(),
        /** Already there. */
        duplicates: z.int(),
        /** Lines that are neither an address nor a block, at most a hundred of them. */
        refused: z.array(z.object({ line: z.int(), text: z.string(), message: z.string() })),
      }),
    ),
    permission: 'EditSite',
    planFeature: 'waf.enable',
    errors: [26902],
    audit: 'accessEntry.import',
    changes: change,
    summary: 'Adds many addresses at once: all that can be read, or none when they are too many.',
  }),
  effect: post(`${AT}/effect/`, {
    in: z.object({
      add: z.array(AccessEntryInput).max(100).default([]),
      /** Lines as `import` takes them, for this list. */
      text: z.object({ list: AccessList, lines: z.string().max(2_000_000) }).optional(),
      remove: z.array(z.uuid()).max(LIMITS.accessEntriesPerDomain).default([]),
    }),
    out: AccessEffect,
    permission: 'ViewSite',
    errors: [503, 26902],
    audit: null,
    changes: [],
    summary: 'Whom a change of the lists would lock out, by the requests of the last day, before it is saved.',
  }),
  remarks: post(`${AT}/remarks/`, {
    in: z.object({
      add: z.array(AccessEntryInput).max(100).default([]),
      /** Lines as `import` takes them, for this list. */
      text: z.object({ list: AccessList, lines: z.string().max(2_000_000) }).optional(),
    }),
    out: z.object({ data: z.array(AccessRemark), /** That are left out here. */ more: z.int() }),
    permission: 'ViewSite',
    errors: [26902],
    audit: null,
    changes: [],
    summary: 'What there is to know of entries before they are saved; without any, of the lists as they are.',
  }),
  update: patch(`${AT}/{id}/`, {
    in: z.object({ note: Note.unwrap().optional(), expiresAt: z.iso.datetime().nullable().optional() }),
    out: changed(AccessEntry),
    permission: 'EditSite',
    planFeature: 'waf.enable',
    errors: [],
    audit: 'accessEntry.update',
    changes: change,
  }),
  remove: del(`${AT}/{id}/`, {
    out: changed(z.object({ id: z.string() })),
    permission: 'EditSite',
    errors: [],
    audit: 'accessEntry.remove',
    changes: change,
  }),
  removeMany: post(`${AT}/remove/`, {
    in: z.object({ ids: z.array(z.uuid()).min(1).max(LIMITS.accessEntriesPerDomain) }),
    out: changed(z.object({ removed: z.int() })),
    permission: 'EditSite',
    apiTier: 3,
    errors: [],
    audit: 'accessEntry.remove',
    changes: change,
  }),
})
