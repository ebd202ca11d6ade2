import { z } from 'zod'
import { IpAddress } from './formats/cidr.ts'
import { Location } from './geography.ts'
import { LIMITS } from './limits.ts'
import { StrategyInput } from './routing-strategies.ts'
import { CdnScores, FeedSaid, Measure } from './snapshots/scores.ts'
import { PolicyCdn, SteeringSettings, VsrRuleEntry } from './steering.ts'

const Id = z.string().min(1).max(64)
/** `country:JP` or `country:JP|AS2497`. */
const ScoreKey = z.string().max(160)

const CaseCdn = PolicyCdn.extend({
  cdnId: Id,
  name: z.string().max(80).default(''),
  enabled: z.boolean().default(true),
  serving: z.boolean().default(true),
  /** A target that names one which is not is skipped. */
  installed: z.boolean().default(true),
}).omit({ cname: true })

const CaseStrategy = StrategyInput.extend({
  id: Id,
  name: StrategyInput.shape.name.default('Strategy'),
  /** Read smallest first; its place in the list, from 1, when left out. */
  priority: z.int().optional(),
})

/** Where somebody is; what is left out is not known, but a country tells its continent. */
const CaseLocation = z.object({
  continent: Location.shape.continent.optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'validation.countryCode')
    .nullable()
    .default(null),
  region: Location.shape.region.default(null),
  city: Location.shape.city.default(null),
  network: Location.shape.network.default(null),
  asn: Location.shape.asn.default(null),
})

const CaseVsrRule = VsrRuleEntry.extend({
  id: Id,
  name: z.string().max(80).default(''),
  enabled: z.boolean().default(true),
  cdnId: Id.nullable().default(null),
  mimickedAddress: IpAddress,
  mimickedLocation: CaseLocation,
})

/** Samples without a time are of the moment that is decided for. */
const CaseMeasure = Measure.extend({
  newestAt: z.number().optional(),
  latencyMs: Measure.shape.latencyMs.default(null),
})

const CaseFeedSaid = FeedSaid.extend({
  name: FeedSaid.shape.name.default(''),
  share: FeedSaid.shape.share.default(0.25),
  availability: FeedSaid.shape.availability.default(null),
  latencyMs: FeedSaid.shape.latencyMs.default(null),
  newestAt: z.number().optional(),
})

const CaseScores = z.object({
  builtAt: z.number().optional(),
  lifetimeSeconds: z.number().positive().max(3600).default(300),
  cdns: z.record(
    Id,
    CdnScores.extend({
      hardDown: z.boolean().default(false),
      hardDownSince: z.number().nullable().default(null),
      places: z
        .record(
          ScoreKey,
          z.object({
            rum: CaseMeasure.optional(),
            sum: CaseMeasure.optional(),
            nel: CaseMeasure.optional(),
            edge: CaseMeasure.optional(),
            feed: z.array(CaseFeedSaid).max(LIMITS.outsideFeeds.perOrganization).optional(),
          }),
        )
        .default({}),
    }),
  ),
})

/**
 * Everything that a decision is made from. Nothing is read of a site, of measurements or of location data, so the same
 * case is decided the same anywhere and for ever.
 */
export const SteeringCase = z.object({
  policy: z.object({
    cdns: z.array(CaseCdn).max(50),
    strategies: z.array(CaseStrategy).max(50).default([]),
    vsrRules: z.array(CaseVsrRule).max(50).default([]),
    settings: SteeringSettings.extend({
      minimumSamples: z.int().min(1).max(10_000).default(20),
      marginPercent: z.number().min(0).max(50).default(5),
    }).default({ minimumSamples: 20, marginPercent: 5, ttlSeconds: 30 }),
  }),
  scores: CaseScores.nullable().default(null),
  visitor: z.object({
    address: IpAddress.default('0.0.0.0'),
    /** Leading bits of the address that are known; all of them unless it says less, none without an address. */
    prefixLength: z.int().min(0).max(128).optional(),
    location: CaseLocation,
  }),
  /** The CDN that the like of this visitor got before. */
  previous: Id.nullable().default(null),
  /** Epoch ms; that of the call when it is left out. */
  now: z.number().min(0).optional(),
})
export type SteeringCase = z.infer<typeof SteeringCase>
