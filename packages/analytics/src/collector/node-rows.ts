import type { DnsAnswers, DnsRequests, EdgeRequests, ProbeReport } from '@fairway/contract'
import {
  type DnsAnswerRow,
  type DnsNetworkRow,
  type DnsRequestRow,
  type DnsSampleRow,
  type EdgeRequestRow,
  type ProbeRow,
  type RecordedRequestRow,
  type RequestShapeRow,
  type SecurityEventRow,
  type StreamSegmentRow,
  storeTime,
} from '../store/tables.ts'

/** Rows of what nodes report. A clock that runs ahead must not put rows into the future, where no window finds them. */

const at = (ms: number, now: number) => storeTime(Math.min(Math.max(ms, 0), now))
const lines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

export function probeLines({ node, results }: ProbeReport, now: number): string {
  return lines(
    results.map((one): ProbeRow => ({
      at: at(one.at, now),
      organization: one.organizationId,
      cdn: one.cdnId,
      node,
      ok: one.ok ? 1 : 0,
      rtt_ms: one.rttMs ?? 0,
      error: one.error ?? '',
    })),
  )
}

export function dnsAnswerLines({ node, counts }: DnsAnswers, now: number): string {
  return lines(
    counts.map((one): DnsAnswerRow => ({
      at: at(one.at, now),
      organization: one.organizationId,
      site: one.siteId,
      domain: one.domainId ?? '',
      cdn: one.cdnId ?? '',
      country: one.country ?? '',
      node,
      answers: one.answers,
    })),
  )
}

/** Lines for each of the three tables; empty where the report has none. */
export function dnsRequestLines(
  { node, rows }: DnsRequests,
  now: number,
): Record<'dns_requests' | 'dns_networks' | 'dns_samples', string> {
  const of = <K extends DnsRequests['rows'][number]['kind']>(kind: K) =>
    rows.filter((row): row is Extract<DnsRequests['rows'][number], { kind: K }> => row.kind === kind)
  const owner = (one: DnsRequests['rows'][number]) => ({
    at: at(one.at, now),
    organization: one.organizationId,
    site: one.siteId,
    node,
  })
  return {
    dns_requests: lines(
      of('request').map((one): DnsRequestRow => ({
        ...owner(one),
        name: one.name,
        type: one.type,
        rcode: one.rcode,
        requests: one.requests,
      })),
    ),
    dns_networks: lines(
      of('network').map((one): DnsNetworkRow => ({ ...owner(one), network: one.network, requests: one.requests })),
    ),
    dns_samples: lines(
      of('sample').map((one): DnsSampleRow => ({
        ...owner(one),
        domain: one.domainId ?? '',
        name: one.name,
        type: one.type,
        rcode: one.rcode,
        cdn: one.cdnId ?? '',
        strategy: one.strategyId ?? '',
        country: one.country ?? '',
        network: one.network ?? '',
        client: one.client,
        scoped: one.scoped ? 1 : 0,
        transport: one.transport,
      })),
    ),
  }
}

/** `placeOf` tells where a cut address is; the node that served the request has no location data. */
export function edgeRequestLines(
  { node, requests }: EdgeRequests,
  now: number,
  placeOf: (client: string) => { country: string | null; network: string | null },
): string {
  return lines(
    requests.map((one): EdgeRequestRow => {
      const { country, network } = placeOf(one.client)
      return {
        at: at(one.at, now),
        organization: one.organizationId,
        site: one.siteId,
        domain: one.domainId,
        cdn: one.cdnId ?? '',
        node,
        host: one.host,
        method: one.method,
        path: one.path,
        status: one.status,
        bytes: one.bytes * one.weight,
        ms: one.ms,
        cache_status: one.cacheStatus,
        why: one.why,
        client: one.client,
        country: country ?? '',
        network: network ?? '',
        id: one.id,
        weight: one.weight,
        rtt_ms: one.rttMs ?? 0,
      }
    }),
  )
}

/** Of those requests that are kept whole. */
export function recordedRequestLines(
  { node, requests }: EdgeRequests,
  now: number,
  countryOf: (address: string) => string | null,
): string {
  return lines(
    requests.flatMap((one): RecordedRequestRow[] =>
      one.recorded === null
        ? []
        : [
            {
              at: at(one.at, now),
              organization: one.organizationId,
              site: one.siteId,
              domain: one.domainId,
              node,
              id: one.id,
              method: one.method,
              path: one.path,
              country: countryOf(one.recorded.address) ?? '',
              request: JSON.stringify(one.recorded),
              weight: one.recorded.weight,
            },
          ],
    ),
  )
}

const OF_SOURCE = /^\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//

/**
 * Of those requests with which a player told of itself. Whose they are is known by the host's document, as of every
 * request; what the player says names at most its view.
 */
export function streamSegmentLines(
  { node, requests }: EdgeRequests,
  now: number,
  placeOf: (address: string) => { country: string | null; network: string | null },
): string {
  return lines(
    requests.flatMap((one): StreamSegmentRow[] => {
      const source = OF_SOURCE.exec(one.path)?.[1]
      if (one.cmcd === null || source === undefined) return []
      const { sid, ot, br, mtp, d, bl, bs } = one.cmcd
      const { country, network } = placeOf(one.client)
      return [
        {
          at: at(one.at, now),
          organization: one.organizationId,
          source,
          view: sid ?? '',
          cdn: one.cdnId ?? '',
          node,
          country: country ?? '',
          network: network ?? '',
          path: one.path,
          status: one.status,
          bytes: one.bytes,
          ms: one.ms,
          cache_status: one.cacheStatus,
          object: ot ?? '',
          bitrate: br ?? -1,
          throughput: mtp ?? -1,
          duration_ms: d ?? -1,
          buffer_ms: bl ?? -1,
          starved: bs ? 1 : 0,
        },
      ]
    }),
  )
}

/** Of those requests whose forms are learned from. */
export function requestShapeLines({ node, requests }: EdgeRequests, now: number): string {
  return lines(
    requests.flatMap((one): RequestShapeRow[] => {
      if (one.shape === null) return []
      const { weight, ...shape } = one.shape
      return [
        {
          at: at(one.at, now),
          organization: one.organizationId,
          site: one.siteId,
          domain: one.domainId,
          node,
          id: one.id,
          method: one.method,
          status: one.status,
          client: one.client,
          shape: JSON.stringify(shape),
          weight,
        },
      ]
    }),
  )
}

/** Of those requests that web security had something to do with. `placeOf` tells where a whole address is. */
export function securityEventLines(
  { node, requests }: EdgeRequests,
  now: number,
  placeOf: (address: string) => { country: string | null; network: string | null },
): string {
  return lines(
    requests.flatMap((one): SecurityEventRow[] => {
      if (one.threat === null) return []
      const { part, action, ruleId, reason, address, query, agent, matched, weight } = one.threat
      const { country, network } = placeOf(address)
      return [
        {
          at: at(one.at, now),
          organization: one.organizationId,
          site: one.siteId,
          domain: one.domainId,
          cdn: one.cdnId ?? '',
          node,
          id: one.id,
          part,
          action,
          rule: ruleId,
          reason,
          address,
          country: country ?? '',
          network: network ?? '',
          host: one.host,
          method: one.method,
          path: one.path,
          query,
          agent,
          field: matched?.field ?? '',
          field_name: matched?.name ?? '',
          matched: matched?.text ?? '',
          status: one.status,
          bytes: one.bytes * weight,
          weight,
        },
      ]
    }),
  )
}
