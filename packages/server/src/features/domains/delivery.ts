import type { Domain, DomainChange } from '@fairway/contract'
import { isIpv4, isIpv6, type CdnAbilities, type DeliveryIntent } from '@fairway/domain'
import { CDN_DRIVERS } from '@fairway/drivers'
import type { DeliveryColumns, DomainRow } from '../../http/context.ts'
import type { AttachedDriver, DomainColumns } from './store.ts'

type Row = DeliveryColumns &
  Pick<DomainRow, 'name' | 'origin_address' | 'origin_port' | 'origin_protocol' | 'host_header' | 'cache_ttl_seconds'>

export function originOf(row: Omit<Row, 'name'>): Domain['origin'] {
  return {
    type: isIpv4(row.origin_address) ? 'ipv4' : isIpv6(row.origin_address) ? 'ipv6' : 'fqdn',
    address: row.origin_address,
    spareAddresses: row.spare_addresses,
    balance: row.load_balance,
    fallbackAddress: row.fallback_address,
    port: row.origin_port,
    protocol: row.origin_protocol,
    hostHeader: row.host_header,
    keepaliveSeconds: row.keepalive_seconds,
    verifyCertificate: row.verify_certificate,
  }
}

export function settingsOf(row: DeliveryColumns): Domain['settings'] {
  return {
    http2: row.http2,
    http3: row.http3,
    earlyHints: row.early_hints,
    ocspStapling: row.ocsp_stapling,
    compression: row.compression,
    alwaysHttps: row.always_https,
    hsts: row.hsts,
    hstsSeconds: row.hsts_seconds,
    ignoreQuery: row.ignore_query,
    websocket: row.websocket,
    tieredCache: row.tiered_cache,
    originShield: row.origin_shield,
    networkErrors: row.network_errors,
    tags: row.tags,
  }
}

/** What the owner wants of every CDN. */
export function intentOf(row: Row, rules: Pick<DeliveryIntent, 'cacheRules' | 'noCacheRules'>): DeliveryIntent {
  return {
    name: row.name,
    origin: originOf(row),
    settings: settingsOf(row),
    cacheTtlSeconds: row.cache_ttl_seconds,
    cacheHonorOrigin: row.cache_honor_origin,
    cacheEverything: row.cache_everything,
    ...rules,
  }
}

export function abilitiesOf({ driver, slug }: Pick<AttachedDriver, 'driver' | 'slug'>): CdnAbilities {
  return {
    driver,
    capabilities: CDN_DRIVERS[driver].capabilities(slug),
    cacheTtls: CDN_DRIVERS[driver].cacheTtls(slug),
  }
}

/** The domain's columns with a change in them; what the change leaves out stays. */
export function changedColumns(
  row: DomainRow,
  { origin, settings, cacheTtlSeconds, cacheEverything, minimumSamples, marginPercent, significance }: DomainChange,
): DomainColumns {
  return {
    origin_address: origin?.address ?? row.origin_address,
    origin_port: origin?.port ?? row.origin_port,
    origin_protocol: origin?.protocol ?? row.origin_protocol,
    host_header: origin?.hostHeader ?? row.host_header,
    spare_addresses: origin?.spareAddresses ?? row.spare_addresses,
    load_balance: origin?.balance ?? row.load_balance,
    fallback_address: origin?.fallbackAddress === undefined ? row.fallback_address : origin.fallbackAddress,
    keepalive_seconds: origin?.keepaliveSeconds ?? row.keepalive_seconds,
    verify_certificate: origin?.verifyCertificate ?? row.verify_certificate,
    http2: settings?.http2 ?? row.http2,
    http3: settings?.http3 ?? row.http3,
    early_hints: settings?.earlyHints ?? row.early_hints,
    ocsp_stapling: settings?.ocspStapling ?? row.ocsp_stapling,
    compression: settings?.compression ?? row.compression,
    always_https: settings?.alwaysHttps ?? row.always_https,
    hsts: settings?.hsts ?? row.hsts,
    hsts_seconds: settings?.hstsSeconds ?? row.hsts_seconds,
    ignore_query: settings?.ignoreQuery ?? row.ignore_query,
    websocket: settings?.websocket ?? row.websocket,
    tiered_cache: settings?.tieredCache ?? row.tiered_cache,
    origin_shield: settings?.originShield ?? row.origin_shield,
    network_errors: settings?.networkErrors ?? row.network_errors,
    cache_honor_origin: row.cache_honor_origin,
    cache_everything: cacheEverything ?? row.cache_everything,
    tags: settings?.tags ?? row.tags,
    cache_ttl_seconds: cacheTtlSeconds ?? row.cache_ttl_seconds,
    minimum_samples: minimumSamples ?? row.minimum_samples,
    margin_percent: marginPercent ?? row.margin_percent,
    significance: significance ?? row.significance,
  }
}

const DNS_COLUMNS: ReadonlySet<string> = new Set(['minimum_samples', 'margin_percent', 'significance'])
/** Ours only: people find their domains by it. */
const OWN_COLUMNS: ReadonlySet<string> = new Set(['tags'])

/**
 * Documents that a change of these columns rebuilds, and whether anything changed at all: how DNS decides, how the edge
 * fetches and delivers.
 */
export function touchedBy(
  before: DomainRow,
  after: DomainColumns,
): { kinds: ('dns-zone' | 'edge-security' | 'edge-site')[]; changed: boolean } {
  const changed = Object.entries(after)
    .filter(([column, value]) => JSON.stringify(value) !== JSON.stringify(before[column as keyof DomainColumns]))
    .map(([column]) => column)
  const dns = changed.some((column) => DNS_COLUMNS.has(column))
  const edge = changed.some((column) => !DNS_COLUMNS.has(column) && !OWN_COLUMNS.has(column))
  return {
    kinds: [
      ...(dns ? (['dns-zone'] as const) : []),
      ...(edge ? (['edge-site'] as const) : []),
      ...(changed.includes('origin_shield') ? (['edge-security'] as const) : []),
    ],
    changed: changed.length > 0,
  }
}
