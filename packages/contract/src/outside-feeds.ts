import { z } from 'zod'
import { NetworkKey } from './geography.ts'
import { LIMITS } from './limits.ts'
import { del, feature, get, post, put } from './route.ts'
import { OutsideState } from './snapshots/scores.ts'

const Instant = z.iso.datetime()
const { entries, samples, perOrganization } = LIMITS.outsideFeeds

/** `world`, `country:JP`, `region:US-CA`, or one of the last two with a network, `country:JP|AS2497`. */
export const FeedPlace = z
  .string()
  .max(120)
  .refine((text) => {
    const [place = '', network, ...more] = text.split('|')
    if (more.length > 0 || (network !== undefined && !NetworkKey.safeParse(network).success)) return false
    return (
      (place === 'world' && network === undefined) ||
      /^(?:country:[A-Z]{2}|region:[A-Z]{2}-[^-|\p{Cc}\p{Cs}]{1,60})$/u.test(place)
    )
  }, 'validation.scoreKey')

/** What a feed says of one CDN at one place. */
export const FeedEntry = z
  .strictObject({
    cdn: z.string().min(1).max(64),
    place: FeedPlace,
    /** Percent. */
    availability: z.number().min(0).max(100).optional(),
    /** Median time to the first byte. */
    latencyMs: z.number().min(LIMITS.beacon.rttMs.min).max(LIMITS.beacon.rttMs.max).optional(),
    /** How many measurements it is made from. */
    samples: z.int().min(1).max(samples),
    measuredAt: z.iso.datetime({ offset: true }),
  })
  .refine(({ availability, latencyMs }) => availability !== undefined || latencyMs !== undefined, {
    path: ['availability'],
    message: 'validation.required',
  })
export type FeedEntry = z.infer<typeof FeedEntry>

/** The body that a feed posts to the collector, signed. */
export const FeedPost = z.strictObject({ entries: z.array(FeedEntry).min(1).max(entries) })
export type FeedPost = z.infer<typeof FeedPost>

/** Why a whole post was not taken. */
export const FeedRefusal = z.enum([
  'too-large',
  'too-many-requests',
  'bad-signature',
  'outside-window',
  'repeated',
  'wrong-form',
  'contradicts-itself',
])
export type FeedRefusal = z.infer<typeof FeedRefusal>

/** What became of one entry. `jumped`: it counts once it is said again. */
export const EntryVerdict = z.enum(['taken', 'unknown-cdn', 'too-old', 'in-future', 'not-newer', 'jumped'])
export type EntryVerdict = z.infer<typeof EntryVerdict>

const Count = z.int().min(0)

/** One post as the collector saw it. Times are epoch ms. */
export const SeenPost = z.object({
  at: z.number(),
  bytes: Count,
  refused: FeedRefusal.nullable(),
  /** Of a post of the wrong form, what is wrong. */
  problem: z.string().max(200).nullable(),
  entries: Count,
  verdicts: z.partialRecord(EntryVerdict, Count),
})
export type SeenPost = z.infer<typeof SeenPost>

/** What the collector knows of one feed. Times are epoch ms. */
export const SeenFeed = z.object({
  feed: z.string(),
  state: OutsideState,
  since: z.number().nullable(),
  cdnId: z.string().nullable(),
  place: z.string().nullable(),
  /** What it says now. */
  entries: Count,
  samples: Count,
  newestAt: z.number().nullable(),
  /** Of what visitors or probes measure too, so much agrees. */
  compared: Count,
  agreeing: Count,
  posts: z.array(SeenPost),
})
export type SeenFeed = z.infer<typeof SeenFeed>

export const OutsideFeedInput = z.object({
  name: z.string().trim().min(1, 'validation.required').max(60),
  /** Each of its samples counts for so much of one. */
  weightPercent: z.int().min(0).max(100).default(100),
  enabled: z.boolean().default(true),
})
export type OutsideFeedInput = z.infer<typeof OutsideFeedInput>

export const OutsideFeed = z.object({
  id: z.string(),
  name: z.string(),
  weightPercent: z.int(),
  enabled: z.boolean(),
  createdAt: Instant,
  /** When the key before this one ends; null when there is none. */
  oldKeyUntil: Instant.nullable(),
  /** Where it posts to. */
  url: z.string(),
  /** Null while the collector does not answer: nothing is known then. */
  seen: SeenFeed.nullable(),
})
export type OutsideFeed = z.infer<typeof OutsideFeed>

const withKey = z.object({ data: OutsideFeed, key: z.string() })
const READ = { permission: 'ViewPerformancePolicy', partnerFeature: 'pulse' } as const
const WRITE = { permission: 'EditPerformancePolicy', partnerFeature: 'pulse', changes: [] } as const

/** Measurements of the organisation's own, or of somebody it trusts, posted with a signature. */
export const outsideFeeds = feature('outside-feeds', {
  list: get('/measure/v2/feeds/', {
    fromReplica: true,
    out: z.object({ data: z.array(OutsideFeed).max(perOrganization), limit: z.int() }),
    ...READ,
    errors: [],
  }),
  create: post('/measure/v2/feeds/', {
    in: OutsideFeedInput,
    out: withKey,
    ...WRITE,
    errors: [27050, 27051],
    lasting: true,
    audit: 'outside-feed.create',
    summary: 'The key that signs its posts is in this answer only.',
  }),
  update: put('/measure/v2/feeds/{id}/', {
    in: OutsideFeedInput,
    out: OutsideFeed,
    ...WRITE,
    errors: [27051],
    audit: 'outside-feed.update',
  }),
  rotateKey: post('/measure/v2/feeds/{id}/rotate-key/', {
    out: withKey,
    ...WRITE,
    errors: [],
    lasting: true,
    audit: 'outside-feed.rotate-key',
    summary: 'A new key; the one before is good for a day more.',
  }),
  remove: del('/measure/v2/feeds/{id}/', {
    out: z.object({}),
    ...WRITE,
    errors: [],
    audit: 'outside-feed.remove',
  }),
})
