import { z } from 'zod'
import { DNS_REQUEST_DIMENSIONS } from './lean.ts'
import { ChartMark, SeriesPoint } from './analytics-dem.ts'
import { DnsSample } from './collector.ts'
import { EpochSeconds } from './formats/epoch-seconds.ts'
import { feature, get } from './route.ts'

/** What DNS queries are told apart by. */
export type DnsRequestDimension = (typeof DNS_REQUEST_DIMENSIONS)[number]

const Window = {
  seconds: z.coerce
    .number()
    .int()
    .min(60)
    .max(31 * 86_400)
    .default(86_400),
  /** Epoch seconds; the window ends here. Default now. */
  until: EpochSeconds.optional(),
}

/** One value of a dimension. An empty value is "unknown", for names "no such name". */
const Share = z.object({ value: z.string(), requests: z.int() })

export const DnsRequestReport = z.object({
  intervalSeconds: z.int(),
  /** All queries of the range. Averages over the range are this by its seconds. */
  total: z.int(),
  /** The most asked six values, then one line `other` when there are more. `value` is queries in the interval. */
  series: z.array(z.object({ value: z.string(), other: z.boolean(), points: z.array(SeriesPoint) })),
  /** Most first, at most 100. */
  shares: z.array(Share),
  /** How many values there are in all. */
  distinct: z.int(),
  marks: z.array(ChartMark),
})
export type DnsRequestReport = z.infer<typeof DnsRequestReport>

export const DnsTailEntry = DnsSample.omit({ organizationId: true, siteId: true }).extend({
  id: z.string(),
  node: z.string(),
})
export type DnsTailEntry = z.infer<typeof DnsTailEntry>

export const dnsRequests = feature('dns-requests', {
  report: get('/analytics/v2/sites/{site}/dns-requests/', {
    fromReplica: true,
    in: z.object({
      ...Window,
      by: z.enum(DNS_REQUEST_DIMENSIONS).default('rcode'),
      name: z.string().max(1024).optional(),
      type: z.string().max(16).optional(),
      rcode: z.string().max(16).optional(),
    }),
    out: DnsRequestReport,
    permission: 'ViewSite',
    errors: [503],
    summary:
      'DNS queries of a site over time, told apart by one dimension. The filters name, type and rcode narrow the dimensions name, type, rcode and node.',
  }),
  /** Newest first. */
  tail: get('/analytics/v2/sites/{site}/dns-requests/tail/', {
    in: z.object({
      limit: z.coerce.number().int().min(1).max(500).default(100),
      search: z.string().max(200).optional(),
      rcode: z.string().max(16).optional(),
    }),
    out: z.object({ data: z.array(DnsTailEntry) }),
    permission: 'ViewSite',
    errors: [503],
    summary: 'Queries drawn by lot, newest first: at most ten per site, node and two seconds.',
  }),
})
