import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { changed, feature, get, post } from './route.ts'

/**
 * `bind` is the master file of RFC 1035 5, `csv` a table with the columns name, type, ttl, preference, value, multi_cdn
 * (RFC 4180).
 */
export const ZoneFileFormat = z.enum(['bind', 'csv'])
export type ZoneFileFormat = z.infer<typeof ZoneFileFormat>

/** What can be wrong with a file as such; one of them and nothing of the file is taken. */
export const ZoneFileFault = z.enum([
  'controlCharacter',
  'unclosedQuote',
  'unclosedParenthesis',
  'extraParenthesis',
  'tooManyRecords',
  'badEscape',
  'emptyLabel',
  'longLabel',
  'longName',
  'noOwner',
  'noType',
  'unknownType',
  'metaType',
  'wrongClass',
  'badTtl',
  'missingField',
  'extraText',
  'unexpectedQuote',
  'badNumber',
  'badIpv4',
  'badIpv6',
  'longString',
  'badTag',
  'badHex',
  'badGeneric',
  'longData',
  'badParameter',
  'include',
  'unknownDirective',
  'badGenerate',
  'csvQuote',
  'csvHeader',
  'csvUnknownColumn',
  'csvMissingColumn',
  'csvCells',
  'csvFlag',
])
export type ZoneFileFault = z.infer<typeof ZoneFileFault>

/** Line and column count from 1; `text` is the piece of the file that is meant, cut short. */
export const ZoneFileError = z.object({ line: z.int(), column: z.int(), fault: ZoneFileFault, text: z.string() })
export type ZoneFileError = z.infer<typeof ZoneFileError>

/**
 * Why a record of the file is not taken, beside `validation.<key>` and `code:<error code>`: it is there already, or no
 * file can change it.
 */
export const ZoneFileSkip = z.enum(['same', 'steered', 'managed', 'signing', 'unsupportedType', 'outside'])
export type ZoneFileSkip = z.infer<typeof ZoneFileSkip>

/**
 * What was made fit: a TTL within the plan's limits, the TTL that the set has already, multi-CDN that a file cannot
 * switch on; or what looks like a mistake: the name ends with the site's own, so that it stands there twice;
 * or that a comment or tags come along.
 */
export const ZoneFileNote = z.enum(['ttlRaised', 'ttlLowered', 'ttlOfSet', 'notSteered', 'nameDoubled', 'noted'])
export type ZoneFileNote = z.infer<typeof ZoneFileNote>

export const ZoneFileRow = z.object({
  action: z.enum(['added', 'changed', 'removed', 'skipped']),
  /** Line of the file; null for what is not in it: removed, or kept although the rest is replaced. */
  line: z.int().nullable(),
  type: z.string(),
  /** Relative to the site; absolute with the last dot when it is outside. */
  name: z.string(),
  value: z.string(),
  preference: z.int().nullable(),
  /** Seconds, or null for Auto. */
  ttlSeconds: z.int().nullable(),
  /** What a changed record was. */
  before: z.object({ value: z.string(), preference: z.int().nullable(), ttlSeconds: z.int().nullable() }).nullable(),
  /** Of a skipped row: a `ZoneFileSkip`, `validation.<key>` or `code:<error code>`. */
  reason: z.string().nullable(),
  notes: z.array(ZoneFileNote),
})
export type ZoneFileRow = z.infer<typeof ZoneFileRow>

export const ZoneFileCounts = z.object({ added: z.int(), changed: z.int(), removed: z.int(), skipped: z.int() })
export type ZoneFileCounts = z.infer<typeof ZoneFileCounts>

/** What an import has done, and each line of the file that was not taken, with its reason. */
export const ZoneFileApplied = ZoneFileCounts.extend({ left: z.array(ZoneFileRow) })

/**
 * `merge`: a name and type that the file has becomes what the file says, all others stay. `replace`: all others go.
 * What multi-CDN steers, the SOA and the site's own nameservers stay in both.
 */
export const ZoneFileMode = z.enum(['merge', 'replace'])
export type ZoneFileMode = z.infer<typeof ZoneFileMode>

const upload = {
  format: ZoneFileFormat,
  text: z.string().max(LIMITS.zoneFile.characters),
  mode: ZoneFileMode.default('merge'),
}

export const ZoneFilePreview = z.object({
  /** Version of the site that was compared with; sent back, it makes sure that nothing has changed in between. */
  version: z.int(),
  /** Not empty: the file cannot be read, and there are no rows. At most 100. */
  errors: z.array(ZoneFileError),
  rows: z.array(ZoneFileRow),
  counts: ZoneFileCounts,
  recordQuota: z.object({ used: z.int(), total: z.int(), after: z.int() }),
  /**
   * Share of the site's records that are changed or removed, 0 to 1, and whether that is so much that it has to be
   * confirmed.
   */
  touchedShare: z.number(),
  needsForce: z.boolean(),
})
export type ZoneFilePreview = z.infer<typeof ZoneFilePreview>

export const zoneFiles = feature('zone-files', {
  export: get('/mdns/v2/zones/{site}/zone-file/', {
    fromReplica: true,
    in: z.object({ format: ZoneFileFormat.default('bind') }),
    out: z.string(),
    media: 'text',
    permission: 'ViewSite',
    errors: [],
    summary:
      'The zone as a file: one record per line, sorted. What multi-CDN steers is its origin, marked by a comment (BIND) or a column (CSV).',
  }),
  preview: post('/mdns/v2/zones/{site}/zone-file/preview/', {
    in: z.object(upload),
    out: ZoneFilePreview,
    permission: 'ViewSite',
    errors: [],
    audit: null,
    changes: [],
    summary: 'What importing the file would do, record by record. Nothing is written.',
  }),
  apply: post('/mdns/v2/zones/{site}/zone-file/', {
    spends: true,
    in: z.object({
      ...upload,
      version: z.int().nullable().default(null),
      force: z.boolean().default(false),
      /** Of a file that is larger than one call takes and comes in parts, for the version's title. */
      part: z
        .object({ number: z.int().min(1), of: z.int().min(1).max(LIMITS.zoneFile.parts) })
        .refine(({ number, of }) => number <= of)
        .nullable()
        .default(null),
    }),
    out: changed(ZoneFileApplied),
    permission: 'EditSite',
    apiTier: 3,
    errors: [409, 900102, 900107, 900113, 900116],
    audit: 'zoneFile.apply',
    changes: ['dns-zone', 'edge-site', 'probe-targets'],
    summary:
      'Imports the file as one version, whole or not at all; a larger one comes in parts, each a version of its own. With `version` it is refused (409) when the site has changed since the preview.',
  }),
})
