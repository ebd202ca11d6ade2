import { BrowserReport, LIMITS, type Location, NetworkErrorBody, ONE_SUCCESS_IN } from '@fairway/contract'
import { hostOfOrigin } from '@fairway/domain'
import type { reportReader } from '@fairway/platform'
import { type NetworkReportRow, storeTime } from '../store/tables.ts'

type ReportRefusal = 'not-json' | 'wrong-form' | 'foreign-host'
type DroppedReport = 'other-type' | 'too-old' | 'not-of-the-cdn'
export type ReportsResult =
  | { refused: ReportRefusal }
  | { refused: null; lines: string; kept: number; dropped: Record<DroppedReport, number> }

export type ReportedAbout = NonNullable<ReturnType<ReturnType<typeof reportReader>>>

/**
 * Turns what a browser posts into rows of the store. Of a report only its class stays: neither the address of the page
 * nor of the visitor. One report on a host that the address was not made for refuses the whole post.
 */
export function readReports(
  body: string,
  { subject, isAbout }: ReportedAbout,
  { location, subnet }: { location: Location; subnet: number },
  now: number,
): ReportsResult {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return { refused: 'not-json' }
  }
  const reports = BrowserReport.array().min(1).max(LIMITS.reports.perPost).safeParse(value)
  if (!reports.success) return { refused: 'wrong-form' }
  const dropped = { 'other-type': 0, 'too-old': 0, 'not-of-the-cdn': 0 }
  const known = new Map<string, boolean>()
  const rows: NetworkReportRow[] = []
  for (const { age, type, url, body: said } of reports.data) {
    const host = hostOfOrigin(url)
    const isOurs = known.get(host) ?? isAbout(host)
    known.set(host, isOurs)
    if (!isOurs) return { refused: 'foreign-host' }
    if (type !== 'network-error') {
      dropped['other-type']++
      continue
    }
    const error = NetworkErrorBody.safeParse(said)
    if (!error.success) return { refused: 'wrong-form' }
    const outcome = outcomeOf(error.data)
    if (age > LIMITS.reports.maxAgeMs) dropped['too-old']++
    else if (outcome === null) dropped['not-of-the-cdn']++
    else {
      const { continent, country, region, city, network } = location
      rows.push({
        // When it came: the window of scores has gone past the time when it happened.
        at: storeTime(now),
        organization: subject.organizationId,
        domain: subject.domainId,
        cdn: subject.cdnId,
        continent,
        country: country ?? '',
        region: region ?? '',
        city: city ?? '',
        network: network ?? '',
        subnet,
        ...outcome,
      })
    }
  }
  return { refused: null, lines: rows.map((row) => `${JSON.stringify(row)}\n`).join(''), kept: rows.length, dropped }
}

const SERVER_ERROR = 500

/**
 * What a report says of the CDN; null when it says nothing of it. Browsers change a failure at another address than the
 * one that asked for reports to `dns.address_changed`, so one CDN is never reported for another; a visitor who gave up
 * (`abandoned`) and a page that is not there (4xx) are no failures of a CDN.
 */
function outcomeOf({
  type,
  status_code: status = 0,
}: NetworkErrorBody): Pick<NetworkReportRow, 'ok' | 'type' | 'weight'> | null {
  if (type === 'ok') return { ok: 1, type, weight: ONE_SUCCESS_IN }
  if (!/^(?:tcp|tls|dns|http)\.[a-z0-9_.]{1,48}$/.test(type)) return null
  if (type === 'dns.address_changed' || type === 'http.response.redirect_loop') return null
  if (type === 'http.error' && status < SERVER_ERROR) return null
  return { ok: 0, type, weight: 1 }
}
