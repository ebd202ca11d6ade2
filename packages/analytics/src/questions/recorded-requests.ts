import { RecordedRequest } from '@fairway/contract'
import type { EventStore, QueryBound } from '../store/store.ts'

export type Recorded = {
  /** Epoch ms. */ at: number
  id: string
  method: string
  path: string
  country: string
  request: RecordedRequest
}
type Row = Omit<Recorded, 'request'> & { request: string }

const PAGE = 5000

/**
 * The newest recorded requests of a domain, at most so many, from the oldest of them on, some thousand at a time.
 * @param bound of each question
 */
export async function* recordedRequests(
  store: EventStore,
  input: { organizationId: string; siteId: string; domainId: string; most: number },
  bound?: QueryBound,
): AsyncGenerator<Recorded[]> {
  const parameters = {
    organization: input.organizationId,
    site: input.siteId,
    domain: input.domainId,
    most: input.most,
  }
  const where = `organization = {organization:String} AND site = {site:String} AND domain = {domain:String}`
  const [first] = await store.query<{ begin: number }>(
    `SELECT toUnixTimestamp64Milli(min(at)) AS begin FROM (SELECT at FROM recorded_requests WHERE ${where} ORDER BY at DESC LIMIT {most:UInt32})`,
    parameters,
    bound,
  )
  for (let skipped = 0; skipped < input.most; skipped += PAGE) {
    const rows = await store.query<Row>(
      `SELECT toUnixTimestamp64Milli(recorded_requests.at) AS at, id, method, path, country, request FROM recorded_requests
       WHERE ${where} AND recorded_requests.at >= fromUnixTimestamp64Milli({begin:Int64}) ORDER BY recorded_requests.at, id LIMIT {page:UInt32} OFFSET {skipped:UInt32}`,
      { ...parameters, begin: first?.begin ?? 0, page: Math.min(PAGE, input.most - skipped), skipped },
      bound,
    )
    yield rows.flatMap((row) => {
      const request = RecordedRequest.safeParse(JSON.parse(row.request))
      return request.success ? [{ ...row, request: request.data }] : []
    })
    if (rows.length < PAGE) return
  }
}
