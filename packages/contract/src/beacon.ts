import { z } from 'zod'
import { LIMITS } from './limits.ts'

const Milliseconds = z.number().nonnegative().max(600_000)

/** One CDN measured once in a visitor's browser (Resource Timing). What was not measured is absent. */
export const BeaconSample = z.object({
  /** CDN id. */
  c: z.string().max(64),
  /** First byte: from the request's start to the answer's, in ms; absent when the fetch failed. */
  r: Milliseconds.optional(),
  /** 1 when the test object arrived whole. */
  ok: z.union([z.literal(0), z.literal(1)]),
  /** TCP handshake, ms; only where a connection was opened for it. */
  t: Milliseconds.optional(),
  /** TLS handshake, ms. */
  l: Milliseconds.optional(),
  /** Round trip: the first byte of a request without a body over a connection that stands, ms. */
  w: Milliseconds.optional(),
  /** Mbit/s of the larger object, which is fetched rarely. */
  m: z.number().positive().max(100_000).optional(),
  /**
   * The object is at fault and not the CDN: the answer was there, but not for pages (`cors`), or it was one of 4xx
   * (`http`). Heeded for objects of the organisation's own only.
   */
  f: z.enum(['cors', 'http']).optional(),
})

/**
 * What the beacon posts. No cookie, no identifier; the collector cuts the address to /24 or /48 before it is stored.
 */
export const Beacon = z.object({
  v: z.literal(1),
  /** Public key of the organisation's pulse settings. */
  k: z.string().max(64),
  /** Names this batch of this page view by chance: one that comes again is not counted again. */
  i: z.string().min(8).max(64).optional(),
  /** What the script cost the page so far: requests, bytes over the wire, its longest task in ms. */
  p: z
    .tuple([z.int().min(0).max(65_535), z.int().min(0).max(4_294_967_295), z.number().min(0).max(600_000)])
    .optional(),
  s: z.array(BeaconSample).min(1).max(LIMITS.beacon.samplesPerPost),
})
export type Beacon = z.infer<typeof Beacon>

/** Where a browser measures one CDN. */
export const BeaconTarget = z.object({
  /** CDN id. */
  c: z.string(),
  /** The test object. */
  u: z.string(),
  /** A larger object of the same CDN, for throughput. */
  l: z.string().optional(),
  /** The object is the organisation's own (a monitoring CDN's): its faults are not the CDN's. */
  o: z.literal(1).optional(),
})
export type BeaconTarget = z.infer<typeof BeaconTarget>

/** What the script fetches with dynamic settings: which CDNs to measure, where, and when. */
export const BeaconSettings = z.object({
  startDelaySeconds: z.int().min(2).max(60),
  repeatDelaySeconds: z.int().min(10).max(60),
  /** 0 is for as long as the page is open. */
  batchNumber: z.int().min(0).max(50),
  targets: z.array(BeaconTarget),
})
export type BeaconSettings = z.infer<typeof BeaconSettings>
