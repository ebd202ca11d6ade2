import { z } from 'zod'

/**
 * What is counted from the serving nodes' logs and may cost money. Traffic is in bytes. China's queries are those of
 * visitors there; `dnsQuery` are all others. Minutes of live streams are those in which a transcoder ran; of encoding,
 * those of each quality that was made; stored ones are the length of each video, once for each day that it is kept.
 */
export const METERS = [
  'dnsQuery',
  'chinaDnsQuery',
  'cdnTraffic',
  'cdnRequest',
  'streamView',
  'liveMinute',
  'encodedMinute',
  'storedMinute',
] as const
export const Meter = z.enum(METERS)
export type Meter = z.infer<typeof Meter>

/** What a plan bounds: attached CDNs and DNS records, and the meters. */
export const UsageType = z.enum(['mcdn', 'dns', ...METERS])
export type UsageType = z.infer<typeof UsageType>

/** Amounts by meter; one that is not named has no bound. */
export const MeterAmounts = z.partialRecord(Meter, z.int().min(0))
export type MeterAmounts = z.infer<typeof MeterAmounts>

export const UsageItem = z.object({
  type: UsageType,
  /** Null has no bound. */
  quota: z.number().nullable(),
  used: z.number(),
  /** Percent of the quota, with two decimals; may be above 100. */
  progress: z.number(),
  unit: z.enum(['count', 'bytes']),
  overUsage: z.boolean(),
  /** What the use above the quota costs until now, in the currency's smallest unit; null when it is not billed. */
  overMinor: z.int().nullable(),
})
export type UsageItem = z.infer<typeof UsageItem>

export const UsageReport = z.object({
  month: z.enum(['current', 'previous']),
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  currency: z.string(),
  /** When the nodes' logs were last counted; null before the first time. */
  countedAt: z.iso.datetime().nullable(),
  items: z.array(UsageItem),
})
export type UsageReport = z.infer<typeof UsageReport>
