import { isAtOrUnder } from '@fairway/domain'
import type { Names, Tx } from '@fairway/platform'

/** `houses`: zones of ours (`houseZones`). `organizationId` is whose records and CDNs count: what others have claimed says nothing here. */
export type Served = { organizationId: string; domainName: string; houses: readonly string[] }

/** Asks our own rows: in the transaction there is, or in a short one each, so that none waits for the DNS. */
export type Asking = <T>(question: (tx: Tx) => Promise<T>) => Promise<T>

/** More names than any sensible chain has. */
const MOST_NAMES = 32
const PATIENCE_MS = 3_000

/**
 * Whether the name of a custom CDN is, or leads to, a name of the domain that it would serve: visitors would be sent
 * around in a circle. It is followed through aliases (CNAME), ours before they are served and everybody's, and through
 * the custom CDNs of other steered names.
 */
export async function leadsBack(ask: Asking, names: Names, cname: string, served: Served): Promise<boolean> {
  const giveUpAt = performance.now() + PATIENCE_MS
  const seen = new Set<string>([cname.toLowerCase()])
  for (const name of seen) {
    if (isServed(name, served)) return true
    if (seen.size > MOST_NAMES || performance.now() > giveUpAt) return false
    for (const next of await onwards(ask, names, name, served.organizationId))
      seen.add(next.toLowerCase().replace(/\.$/, ''))
  }
  return false
}

function isServed(name: string, { domainName, houses }: Served): boolean {
  const isDomain = domainName.startsWith('*.') ? name.endsWith(domainName.slice(1)) : name === domainName
  return isDomain || houses.some((zone) => isAtOrUnder(name, zone))
}

async function onwards(ask: Asking, names: Names, name: string, organizationId: string): Promise<string[]> {
  const own = await ask((tx) => ownOnwards(tx, name, organizationId))
  if (own.length > 0) return own
  const alias = await names.aliasOf(name)
  return alias === null ? [] : [alias]
}

async function ownOnwards(tx: Tx, name: string, organizationId: string): Promise<string[]> {
  const steered = await tx.query<{ cname: string }>(
    `SELECT c.cname FROM domain d JOIN domain_cdn dc ON dc.domain_id = d.id JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id
     WHERE d.name = $1 AND d.removed_at IS NULL AND dc.state <> 'deleting' AND c.driver = 'custom' AND dc.organization_id = $2`,
    [name, organizationId],
  )
  if (steered.length > 0) return steered.map((row) => row.cname)
  const labels = name.split('.')
  const suffixes = labels.map((_, cut) => labels.slice(cut).join('.'))
  const owners = labels.map((_, cut) => (cut === 0 ? name : `*.${suffixes[cut] ?? ''}`))
  const own = await tx.query<{ value: string }>(
    `SELECT r.value FROM site s JOIN dns_record r ON r.site_id = s.id
     WHERE s.domain_name = ANY($1) AND r.type = 'CNAME' AND CASE r.name WHEN '@' THEN s.domain_name ELSE r.name || '.' || s.domain_name END = ANY($2) AND s.organization_id = $3`,
    [suffixes, owners, organizationId],
  )
  return own.map(({ value }) => value)
}
