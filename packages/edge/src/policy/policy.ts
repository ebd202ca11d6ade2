import crypto from 'node:crypto'
import { isIP } from 'node:net'
import type {
  EdgeDelivery,
  EdgeDomain,
  EdgePathMatch,
  EdgeShield,
  EdgeSigning,
  EdgeSimulatedCdn,
  PageKind,
} from '@fairway/contract'
import { cdnSlug } from '@fairway/contract'
import type { OutgoingGate } from '@fairway/platform'
import type { CdnDocument, Keyed, PolicyDocument } from '@fairway/edge-lua'

/**
 * A domain's settings as nginx obeys them, under the key each is looked up with. @throws Error when a name holds what
 * cannot stand in a header or a cache key.
 */
export function policyDocuments(domain: EdgeDomain, gate: Allowing, node = ''): Keyed<PolicyDocument>[] {
  const host = domain.host.toLowerCase()
  return [
    keyed(`host:${host}`, domain.version, policyDocument(domain, domain, gate, node)),
    ...Object.entries(domain.cdns).map(([cdnId, delivery]) =>
      keyed(`own:${checked(cdnId)}:${host}`, domain.version, policyDocument(domain, delivery, gate, node)),
    ),
  ]
}

export type Allowing = Pick<OutgoingGate, 'allowed'>

export function policyDocument(domain: EdgeDomain, delivery: EdgeDelivery, gate: Allowing, node = ''): PolicyDocument {
  const { protocol, hostHeader, sni, balance, keepaliveSeconds, verifyCertificate, house } = delivery.origin
  const fallback = delivery.origin.fallbackAddress === null ? [] : [delivery.origin.fallbackAddress]
  for (const name of [domain.host, hostHeader, ...delivery.origin.addresses, ...fallback, ...(sni ? [sni] : [])])
    checked(name)
  if (!/^[A-Za-z0-9;=. -]{0,100}$/.test(delivery.hsts)) throw new Error('this is no Strict-Transport-Security')
  const port = delivery.origin.port || (protocol === 'https' ? 443 : 80)
  const sender = { organizationId: domain.organizationId, purpose: 'origin' } as const
  // Names are checked when they are resolved.
  const reachable = (all: readonly string[]) =>
    all.filter((address) => house === true || !isLiteral(address) || gate.allowed(sender, [address], port).length > 0)
  const addresses = reachable(delivery.origin.addresses)
  const { enabled, defaultTtlSeconds, honorOrigin, everything, ignoreQuery, tiered, rules, bypass } = delivery.cache
  return {
    host: domain.host.toLowerCase(),
    organizationId: domain.organizationId,
    siteId: domain.siteId,
    domainId: domain.domainId,
    owner: [domain.organizationId, domain.siteId, domain.domainId].join(' '),
    origin: {
      addresses,
      balance,
      fallback: reachable(fallback)[0] ?? '',
      port,
      scheme: protocol,
      hostHeader,
      ...(sni ? { sni } : {}),
      keepaliveSeconds,
      verify: protocol === 'https' && verifyCertificate,
    },
    cache: {
      enabled,
      defaultTtlSeconds,
      honorOrigin,
      everything,
      ignoreQuery,
      ...(delivery.cache.deliveryDirectives ? { deliveryDirectives: true } : {}),
      tiered,
      rules: rules
        .toSorted(byPrecision)
        .map(({ type, path, ttlSeconds, honorOrigin: honors }) => ({ type, path, ttlSeconds, honorOrigin: honors })),
      bypass: bypass.map(({ type, path }) => ({ type, path })),
      // What was cached belongs to the domain and its origin: neither a new owner of the host nor a new origin may see
      // the old content, nor one that is checked from now on what anybody may have put there.
      generation: digest({
        domainId: domain.domainId,
        addresses,
        port,
        protocol,
        hostHeader,
        ...(sni ? { sni } : {}),
        ...(protocol === 'https' && verifyCertificate ? { verifyCertificate } : {}),
      }).slice(0, 8),
    },
    compression: delivery.compression,
    alwaysHttps: delivery.alwaysHttps,
    hsts: delivery.hsts,
    reportTo: reportToOf(delivery.reportsTo),
    websocket: delivery.websocket,
    http2: delivery.http2,
    ...(delivery.http3 ? { http3: true } : {}),
    ...(delivery.earlyHints ? { earlyHints: true } : {}),
    ocspStapling: delivery.ocspStapling,
    pages: {
      errors: pageKeys(domain, 'errors'),
      maintenance: pageKeys(domain, 'maintenance'),
      blocked: pageKeys(domain, 'blocked'),
      rateLimited: pageKeys(domain, 'rate-limited'),
      challenge: pageKeys(domain, 'challenge'),
      captcha: pageKeys(domain, 'captcha'),
    },
    inMaintenance: domain.inMaintenance,
    ...(domain.signing ? { signing: signingOf(domain.signing) } : {}),
    ...(domain.shield ? shieldOf(domain.shield, node) : {}),
  }
}

/**
 * The machines that this one asks in the origin's place: those of the regions before its own, for a machine of a region
 * speaks with the origin itself. Neighbours in one region are asked from another one on at each machine.
 */
function shieldOf({ nodes }: EdgeShield, node: string): Pick<PolicyDocument, 'relays' | 'shielded'> {
  const own = nodes.find((one) => one.node === node)?.region
  const asked = [...Map.groupBy(nodes, ({ region }) => region)]
  const before = asked.slice(0, own === undefined ? asked.length : asked.findIndex(([region]) => region === own))
  const relays = before.slice(0, REGIONS_ASKED).flatMap(([, members]) =>
    members
      .toSorted((a, b) => rank(node, a.node).localeCompare(rank(node, b.node)))
      .slice(0, NODES_ASKED)
      .map(({ host, port }) => ({ address: checked(host), port })),
  )
  return { shielded: true, ...(relays.length > 0 ? { relays } : {}) }
}

const REGIONS_ASKED = 3
const NODES_ASKED = 2
const rank = (asking: string, asked: string): string => digest([asking, asked])

const signingOf = ({ on, keys, host, vendors }: EdgeSigning): NonNullable<PolicyDocument['signing']> => ({
  on,
  ...(host === undefined ? {} : { host }),
  ...(vendors === undefined ? {} : { vendors: Object.fromEntries(vendors.map((id) => [id, true])) }),
  keys: Object.fromEntries(keys.map(({ id, publicKey }) => [id, publicKey])),
})

/** The domain's own page before its brand's. */
function pageKeys({ pages }: EdgeDomain, kind: PageKind): string[] {
  const own = pages[kind]
  return [...(own === null ? [] : [own]), ...(pages.brand === null ? [] : [`${pages.brand}:${kind}`])]
}

/** A pattern goes before a directory, a directory before an extension; of two of a kind the longer one says more. */
const PRECISION: Record<EdgePathMatch['type'], number> = { pattern: 0, directory: 1, extension: 2 }
const byPrecision = (a: EdgePathMatch, b: EdgePathMatch): number =>
  PRECISION[a.type] - PRECISION[b.type] || b.path.length - a.path.length

/** A simulated CDN and its fault as nginx obeys them. */
export function cdnDocument(cdn: EdgeSimulatedCdn): CdnDocument {
  return {
    cdnId: cdn.cdnId,
    slug: cdnSlug(cdn.name),
    address: cdn.address,
    mode: cdn.fault.mode,
    addMs: cdn.fault.mode === 'slow' ? cdn.fault.addMs : 0,
    percent: cdn.fault.mode === 'errors' ? cdn.fault.percent : 0,
  }
}

/**
 * A document with a stamp of its version and content: what is in force is compared by it, whatever the sender did to
 * the version.
 */
export function keyed<D>(key: string, version: number, document: D): Keyed<D> {
  return { key, stamp: `${version}.${digest(document).slice(0, 12)}`, document }
}

/** What nginx would connect to as it is, an address in whatever form. */
const isLiteral = (address: string): boolean => address.includes(':') || /^[0-9.]+$/.test(address)

/** Host names among origins, which have to be resolved, each with an organisation that wants it. */
export function namesToResolve(documents: Iterable<PolicyDocument>): Map<string, string> {
  const names = new Map<string, string>()
  for (const { origin, organizationId } of documents)
    for (const address of [...origin.addresses, origin.fallback])
      if (address !== '' && isIP(address) === 0) names.set(address, names.get(address) ?? organizationId)
  return names
}

/** Value of Report-To (Reporting API, first edition), which is what browsers look up a policy's group in. */
function reportToOf(address: string): string {
  if (address === '') return ''
  if (!/^https?:\/\/[\w.:[\]/-]{1,480}$/.test(address)) throw new Error('this is no address for reports')
  return JSON.stringify({ group: 'fairway', max_age: 86_400, endpoints: [{ url: address }] })
}

function checked(name: string): string {
  if (!/^[A-Za-z0-9._:*-]{1,260}$/.test(name))
    throw new Error(`${JSON.stringify(name.slice(0, 80))} is no host name or address`)
  return name
}

function digest(value: unknown): string {
  return crypto.createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
