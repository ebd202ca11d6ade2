import crypto from 'node:crypto'
import type { Config } from './config.ts'
import { nodeToken } from './secrets.ts'

/** Whose failures browsers report: what a host of a domain met at one CDN. */
export type ReportSubject = { organizationId: string; domainId: string; cdnId: string }

const PATH = /^\/nel\/([\w-]{1,64})\/([\w-]{1,64})\/([\w.-]{1,64})\/([\w-]{22})$/
const MOST_LABELS = 12

/**
 * Where browsers send Network Error Logging reports about a host (a wildcard as it stands). Signed together with the
 * host, so the collector needs no list, and a report on anything else is refused.
 */
export function reportAddress(config: Config, subject: ReportSubject, host: string): string {
  const { organizationId, domainId, cdnId } = subject
  return `${config.collectorUrl}/nel/${organizationId}/${domainId}/${cdnId}/${signer(config)(subject, host)}`
}

export const isReportPath = (path: string): boolean => path.startsWith('/nel/')

/** Reads a path that was posted to: whom it speaks of, and whether a reported host is one it was made for. */
export function reportReader(
  config: Config,
): (path: string) => { subject: ReportSubject; isAbout: (host: string) => boolean } | null {
  const sign = signer(config)
  return (path) => {
    const [, organizationId, domainId, cdnId, mark] = PATH.exec(path) ?? []
    if (!organizationId || !domainId || !cdnId || !mark) return null
    const subject = { organizationId, domainId, cdnId }
    return { subject, isAbout: (host) => candidatesOf(host).some((one) => isSame(sign(subject, one), mark)) }
  }
}

/** The host itself, and every wildcard that may stand for it. */
function candidatesOf(host: string): string[] {
  const labels = host.split('.').slice(-MOST_LABELS)
  return [host, ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)]
}

function signer(config: Config): (subject: ReportSubject, host: string) => string {
  const key = crypto.createHmac('sha256', nodeToken(config)).update('fairway network reports').digest()
  return ({ organizationId, domainId, cdnId }, host) =>
    crypto
      .createHmac('sha256', key)
      .update([organizationId, domainId, cdnId, host.toLowerCase()].join('\n'))
      .digest()
      .subarray(0, 16)
      .toString('base64url')
}

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && crypto.timingSafeEqual(Buffer.from(one), Buffer.from(other))
