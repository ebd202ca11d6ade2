import { RequestShape } from '@fairway/contract'
import type { EventStore } from '../store/store.ts'

const Shape = RequestShape.omit({ weight: true })

export type SampledShape = {
  /** Epoch ms. */ at: number
  id: string
  method: string
  status: number
  /** /24 or /48 of the visitor. */ client: string
  weight: number
  shape: Omit<RequestShape, 'weight'>
}
type Row = Omit<SampledShape, 'shape'> & { shape: string }

/** The oldest forms of requests for a domain after one of them, at most so many. Times are epoch ms. */
export async function requestShapes(
  store: EventStore,
  input: {
    organizationId: string
    siteId: string
    domainId: string
    after: { at: number; id: string }
    until: number
    most: number
  },
): Promise<SampledShape[]> {
  const rows = await store.query<Row>(
    `SELECT toUnixTimestamp64Milli(request_shapes.at) AS at, id, method, status, client, weight, shape FROM request_shapes
     WHERE organization = {organization:String} AND site = {site:String} AND domain = {domain:String}
       AND request_shapes.at >= fromUnixTimestamp64Milli({from:Int64}) AND request_shapes.at <= fromUnixTimestamp64Milli({until:Int64})
       AND (request_shapes.at > fromUnixTimestamp64Milli({from:Int64}) OR id > {id:String})
     ORDER BY request_shapes.at, id LIMIT {most:UInt32}`,
    {
      organization: input.organizationId,
      site: input.siteId,
      domain: input.domainId,
      from: input.after.at,
      id: input.after.id,
      until: input.until,
      most: input.most,
    },
  )
  return rows.flatMap((row) => {
    const shape = Shape.safeParse(JSON.parse(row.shape))
    return shape.success ? [{ ...row, shape: shape.data }] : []
  })
}

/** Domains of which forms have come since then. */
export async function domainsWithShapes(store: EventStore, since: number): Promise<string[]> {
  const rows = await store.query<{ domain: string }>(
    'SELECT DISTINCT domain FROM request_shapes WHERE at >= fromUnixTimestamp64Milli({since:Int64})',
    { since },
  )
  return rows.map(({ domain }) => domain)
}
