import { z } from 'zod'
import { BeaconSettings } from './beacon.ts'
import { LIMITS } from './limits.ts'
import { del, feature, get, post, put } from './route.ts'

const Instant = z.iso.datetime()

const HOST_LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'

/** A host that beacons may come from: a name or an IPv4 address, or `*.name` for every name below it. */
export const PulseHost = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(new RegExp(`^(?:\\*\\.)?${HOST_LABEL}(?:\\.${HOST_LABEL})*$`), 'validation.fqdn')

/** A public key. `until`: an old one, which ends then; null is the key of new snippets. */
export const PulseKey = z.object({ key: z.string(), createdAt: Instant, until: Instant.nullable() })

/** How the script gets on a page: by its tag, by a tag manager, or as an npm package in one's own bundle. */
export const PulseSnippets = z.object({ script: z.string(), tagManager: z.string(), npm: z.string() })
export type PulseSnippets = z.infer<typeof PulseSnippets>

/** The script as it is served now. Its address names its content and stays, also when a newer one is served. */
export const PulseScript = z.object({
  url: z.string(),
  integrity: z.string(),
  bytes: z.int(),
  gzipBytes: z.int(),
  /** Address of the npm package. */
  package: z.string(),
})
export type PulseScript = z.infer<typeof PulseScript>

/** An organisation's beacon: its public key, the tag to paste, and the settings the script fetches. */
export const PulseSettings = z.object({
  key: z.string(),
  keys: z.array(PulseKey),
  tag: z.string(),
  settings: BeaconSettings,
  throughput: z.boolean(),
  /** Empty: pages of every host. */
  hosts: z.array(z.string()),
  /** Names of the organisation's own sites, as hosts. */
  ownHosts: z.array(z.string()),
  script: PulseScript,
  /** Settings are fetched. */
  dynamic: PulseSnippets,
  /** Settings stand in the snippet: what is changed here does not change pages. */
  static: PulseSnippets,
  /** Lines for a page's Content-Security-Policy. */
  csp: z.string(),
})
export type PulseSettings = z.infer<typeof PulseSettings>

/** Median and 95th percentile of what was told; null when nothing was. */
const Spread = z.object({ median: z.number(), p95: z.number() }).nullable()

/** What came from visitors' browsers in the last 24 hours. Times are ms. */
export const PulseFigures = z.object({
  beacons: z.int(),
  samples: z.int(),
  /** Oldest and newest stored measurement of the last 30 days. */
  firstAt: Instant.nullable(),
  newestAt: Instant.nullable(),
  /** What the script costs a page, as browsers measured it. */
  load: z.object({ pages: z.int(), requests: Spread, bytes: Spread, longestTaskMs: Spread }),
  cdns: z.array(
    z.object({
      cdnId: z.string(),
      name: z.string(),
      series: z.int(),
      samples: z.int(),
      availability: z.number(),
      firstByteMs: z.number().nullable(),
      roundTripMs: z.number().nullable(),
      connectMs: z.number().nullable(),
      tlsMs: z.number().nullable(),
      mbps: z.number().nullable(),
    }),
  ),
  /** Since when round trips, handshakes and throughput are kept apart; before it there is the first byte alone. */
  splitSince: Instant.nullable(),
})
export type PulseFigures = z.infer<typeof PulseFigures>

/** Why a beacon was not taken, as far as it can be told whose it was. */
export const PulseRefusal = z.enum(['wrong-host', 'repeated', 'old-key'])
export type PulseRefusal = z.infer<typeof PulseRefusal>

const Count = z.int().min(0)

/** What the collector has seen of an organisation's beacons since it counts. Times are epoch ms. */
export const PulseSeen = z.object({
  since: z.number(),
  beacons: Count,
  lastAt: z.number().nullable(),
  refused: z.record(PulseRefusal, Count),
  keys: z.array(z.object({ key: z.string(), beacons: Count, lastAt: z.number() })),
  /** The hosts of the pages; empty is not told by the browser. Those that came last, 50 at most. */
  hosts: z.array(z.object({ host: z.string(), beacons: Count, refused: Count, lastAt: z.number() })),
  /** CDN ids whose own test object browsers found at fault, and how often. */
  faults: z.array(z.object({ cdnId: z.string(), cors: Count, http: Count, lastAt: z.number() })),
  /** Posts of players of the organisation's videos, those too many to be kept, and when the last that was kept came. */
  plays: z.object({ posts: Count, refused: Count.default(0), lastAt: z.number().nullable() }),
  /** The newest beacon as it was sent, and the rows that it became. */
  latest: z.object({ at: z.number(), sent: z.string(), stored: z.array(z.record(z.string(), z.unknown())) }).nullable(),
})
export type PulseSeen = z.infer<typeof PulseSeen>

const READ = { permission: 'ViewPerformancePolicy', partnerFeature: 'pulse' } as const
const WRITE = { permission: 'EditPerformancePolicy', partnerFeature: 'pulse' } as const

export const pulse = feature('pulse', {
  get: get('/measure/v2/beacon/', { out: PulseSettings, ...READ, errors: [] }),
  update: put('/measure/v2/beacon/', {
    in: BeaconSettings.omit({ targets: true }).extend({
      throughput: z.boolean().optional(),
      hosts: z.array(PulseHost).max(LIMITS.beacon.hosts, `validation.atMostEntries:${LIMITS.beacon.hosts}`).optional(),
    }),
    out: PulseSettings,
    ...WRITE,
    errors: [],
    audit: 'pulse.update',
    changes: [],
  }),
  rotate: post('/measure/v2/beacon/keys/', {
    in: z.object({
      keepOldHours: z
        .int()
        .min(0)
        .max(24 * 90)
        .default(24 * 7),
    }),
    out: PulseSettings,
    ...WRITE,
    errors: [27047],
    audit: 'pulse.rotate-key',
    changes: [],
    summary: 'Makes a new key; the one before it is taken for so many hours more.',
  }),
  endKey: del('/measure/v2/beacon/keys/{key}/', {
    out: PulseSettings,
    ...WRITE,
    errors: [],
    audit: 'pulse.end-key',
    changes: [],
    summary: 'Ends an old key at once.',
  }),
  figures: get('/measure/v2/beacon/figures/', { fromReplica: true, out: PulseFigures, ...READ, errors: [503] }),
  live: get('/measure/v2/beacon/live/', {
    out: PulseSeen,
    ...READ,
    errors: [],
    stream: 'events',
    summary: 'What the collector sees of the beacons, as it happens.',
  }),
})
