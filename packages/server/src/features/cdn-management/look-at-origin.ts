import { Preflight, PreflightAddress, type OriginSeen } from '@fairway/contract'
import type { Context, DomainRow } from '../../http/context.ts'
import { askEdgeNode } from '../../reconcile/ask-nodes.ts'

/** Somebody waits for it, so an origin that is silent is left soon: it is asked twice at the most. */
const LOOK_MS = 2_000
const PATIENCE_MS = 2_500
const Looked = Preflight.extend({ addresses: PreflightAddress.array() })

/**
 * What an edge node sees of an origin as it came out of DNS; null when somebody has set one, nothing is to be kept, or no
 * node answers. Never throws for what the origin does.
 */
export async function lookAtOrigin(context: Context): Promise<OriginSeen | null> {
  const { domain, change } = context
  if (change.isTrial || !isUntouched(domain)) return null
  const overHttp = await look(context, 'http')
  if (overHttp === null) return null
  const isSentOn = leadsTo(overHttp, 'https:', domain)
  if (overHttp.error === null && !isSentOn) return (overHttp.status ?? 0) < 500 ? 'http' : 'fails'
  const overHttps = await look(context, 'https')
  if (overHttps !== null && isWell(overHttps, domain)) return 'https'
  return isSentOn ? 'redirects' : 'fails'
}

/** As it was made from a record. A wildcard has no name that could be asked for. */
const isUntouched = (domain: DomainRow): boolean =>
  domain.origin_port === 80 &&
  domain.origin_protocol === 'http' &&
  domain.host_header === domain.name &&
  domain.spare_addresses.length === 0 &&
  domain.fallback_address === null &&
  !domain.name.startsWith('*.')

/** Nobody has set the origin since it was looked at. */
export const isAsSeen = (before: DomainRow, now: DomainRow): boolean =>
  isUntouched(now) &&
  now.origin_address === before.origin_address &&
  now.verify_certificate === before.verify_certificate

/** Visitors are sent to the domain itself by that protocol, to whichever path: over the other one that has no end. */
function leadsTo({ redirectTo }: PreflightAddress, protocol: 'http:' | 'https:', domain: DomainRow): boolean {
  const to = redirectTo === null ? null : URL.parse(redirectTo)
  return to?.protocol === protocol && [domain.name, domain.host_header].includes(to.hostname)
}

function isWell(seen: PreflightAddress, domain: DomainRow): boolean {
  const { error, status, redirectLoop, tls } = seen
  return (
    error === null &&
    status !== null &&
    status < 500 &&
    !redirectLoop &&
    !leadsTo(seen, 'http:', domain) &&
    (!domain.verify_certificate || tls?.trusted === true)
  )
}

async function look(
  { tx, actor, domain, services }: Context,
  protocol: 'http' | 'https',
): Promise<PreflightAddress | null> {
  const question = {
    organizationId: actor.organizationId,
    host: domain.name,
    addresses: [domain.origin_address],
    port: protocol === 'https' ? 443 : 80,
    protocol,
    hostHeader: domain.host_header,
    path: '/',
    timeoutMs: LOOK_MS,
  }
  const answer = await askEdgeNode(tx, services.log, '/preflight', question, Looked, PATIENCE_MS, 2)
  return answer?.addresses[0] ?? null
}
