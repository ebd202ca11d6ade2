import { z } from 'zod'
import { LIMITS } from './limits.ts'

/** One CDN measured once in a visitor's browser (Resource Timing). */
export const BeaconSample = z.object({
  /** CDN id. */
  c: z.string().max(64),
  /** Round-trip time in ms; absent when the fetch failed. */
  r: z.number().nonnegative().max(600_000).optional(),
  /** 1 when the test object arrived whole. */
  ok: z.union([z.literal(0), z.literal(1)]),
})

/**
 * What the beacon posts. No cookie, no identifier; the collector cuts the address to /24 or /48 before it is stored.
 */
export const Beacon = z.object({
  v: z.literal(1),
  /** Public key of the organisation's pulse settings. */
  k: z.string().max(64),
  s: z.array(BeaconSample).min(1).max(LIMITS.beacon.samplesPerPost),
})
export type Beacon = z.infer<typeof Beacon>

/** What the script fetches with dynamic settings: which CDNs to measure, where, and when. */
export const BeaconSettings = z.object({
  startDelaySeconds: z.int().min(2).max(60),
  repeatDelaySeconds: z.int().min(10).max(60),
  batchNumber: z.int().min(0).max(50),
  targets: z.array(z.object({ c: z.string(), u: z.string() })),
})
export type BeaconSettings = z.infer<typeof BeaconSettings>
