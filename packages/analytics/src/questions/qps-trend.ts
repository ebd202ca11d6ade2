import type { Overview } from '@fairway/contract'
import type { EventStore } from '../store/store.ts'

export type QpsTrendInput = {
  organizationId: string
  siteId: string
  domainId?: string | undefined
  /** Length of the line. */ seconds: number
  /** Epoch ms. */ now: number
}

const POINTS = 60
/** Nodes report in buckets of up to 10 s: the newest ones are not full yet. */
const SETTLING_SECONDS = 15
const RATE_SECONDS = 30

/** DNS answers a second, steered or not: now, and as a line of sixty points. */
export async function qpsTrend(
  store: EventStore,
  input: QpsTrendInput,
): Promise<Pick<Overview, 'queriesPerSecond' | 'queriesTrend'>> {
  const step = Math.max(10, Math.ceil(input.seconds / POINTS / 10) * 10)
  const until = Math.floor((Math.floor(input.now / 1000) - SETTLING_SECONDS) / 10) * 10
  const from = until - step * Math.ceil(input.seconds / step)
  const rows = await store.query<{ point: number; newest: number; n: number }>(
    `SELECT intDiv(toUInt32(toDateTime(at)) - {from:UInt32}, {step:UInt32}) AS point, sumIf(answers, at >= fromUnixTimestamp({recent:Int64})) AS newest, sum(answers) AS n
     FROM dns_answers WHERE organization = {organization:String} AND site = {site:String} AND at >= fromUnixTimestamp({from:Int64}) AND at < fromUnixTimestamp({until:Int64})
       ${input.domainId === undefined ? '' : 'AND domain = {domain:String}'}
     GROUP BY point`,
    {
      organization: input.organizationId,
      site: input.siteId,
      domain: input.domainId ?? '',
      from,
      until,
      step,
      recent: until - RATE_SECONDS,
    },
  )
  const answers = new Map(rows.map((row) => [row.point, row.n]))
  return {
    queriesPerSecond: rows.reduce((sum, row) => sum + row.newest, 0) / RATE_SECONDS,
    queriesTrend: Array.from({ length: (until - from) / step }, (_, index) => ({
      at: (from + index * step) * 1000,
      value: (answers.get(index) ?? 0) / step,
    })),
  }
}
