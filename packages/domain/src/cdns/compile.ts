import type {
  CdnCapabilities,
  CdnDriverName,
  CompiledCdn,
  CompiledSetting,
  Domain,
  EdgeDelivery,
  EdgePathMatch,
} from '@fairway/contract'
import { compatibility, isShielded, settingsAgainst } from './compatible.ts'

export type IntentRule = EdgePathMatch & { ttlSeconds: number; honorOrigin: boolean }

/** What the owner of a domain wants of every CDN. */
export type DeliveryIntent = Pick<Domain, 'name' | 'origin' | 'settings' | 'cacheTtlSeconds'> & {
  cacheHonorOrigin: boolean
  cacheEverything: boolean
  cacheRules: IntentRule[]
  noCacheRules: EdgePathMatch[]
}

/** What a kind of CDN can do; `cacheTtls` are the only lifetimes it knows, rising, or null. */
export type CdnAbilities = { driver: CdnDriverName; capabilities: CdnCapabilities; cacheTtls: number[] | null }

/** `delivery` is the configuration for this CDN; `settings` says of everything wanted whether it has it. */
export type Compiled = Pick<CompiledCdn, 'problem' | 'against' | 'settings'> & { delivery: EdgeDelivery }

/**
 * Brings what is wanted into what one CDN can do. Whatever it does otherwise is in the report: a setting that is
 * neither there nor in the report does not exist.
 */
export function compileFor({ driver, capabilities, cacheTtls }: CdnAbilities, intent: DeliveryIntent): Compiled {
  const report = newReport()
  const shielded = isShielded(driver, intent.settings.originShield)
  const fit = compatibility(driver, capabilities, { ...intent, websocket: intent.settings.websocket, shielded })
  if (shielded) report.exact('originShield', true)
  else if (intent.settings.originShield === 'use') report.differs('originShield', 'not', 'fetchesDirectly', true, '')
  const delivery: EdgeDelivery = {
    origin: originFor(shielded ? { ...capabilities, ...SHIELD_ABILITIES } : capabilities, intent, report),
    cache: cacheFor(capabilities, cacheTtls, intent, report),
    ...visitorFacing(capabilities, intent, report),
  }
  // Of a CDN that somebody has set up elsewhere nothing of this is known.
  const settings =
    driver === 'custom'
      ? report.settings.map((one): CompiledSetting => ({ ...one, level: 'not', reason: 'elsewhere', given: '' }))
      : report.settings
  return { problem: fit.problem, against: settingsAgainst(fit), settings, delivery }
}

/** What the shield does with the origin, whatever the CDN before it can. */
const SHIELD_ABILITIES = {
  roundRobin: true,
  ipHash: true,
  fallbackOrigin: true,
  keepalive: true,
  checkedOrigin: true,
  uncheckedOrigin: true,
} as const

type Report = {
  settings: CompiledSetting[]
  exact(setting: string, value: string | number | boolean): void
  differs(
    setting: string,
    level: 'approximate' | 'not',
    reason: string,
    wanted: string | number | boolean,
    given: string | number | boolean,
  ): void
}

function newReport(): Report {
  const settings: CompiledSetting[] = []
  return {
    settings,
    exact: (setting, value) =>
      void settings.push({ setting, level: 'exact', reason: null, wanted: String(value), given: String(value) }),
    differs: (setting, level, reason, wanted, given) =>
      void settings.push({ setting, level, reason, wanted: String(wanted), given: String(given) }),
  }
}

function originFor(able: CdnCapabilities, { origin }: DeliveryIntent, report: Report): EdgeDelivery['origin'] {
  const several = able.spareOrigins && origin.spareAddresses.length > 0
  if (!able.spareOrigins && origin.spareAddresses.length > 0)
    report.differs('spareAddresses', 'not', 'oneOrigin', origin.spareAddresses.join(', '), '')
  const canBalance = origin.balance === 'failover' || (origin.balance === 'round-robin' ? able.roundRobin : able.ipHash)
  if (several && canBalance) report.exact('balance', origin.balance)
  if (several && !canBalance) report.differs('balance', 'approximate', 'failoverOnly', origin.balance, 'failover')
  if (origin.fallbackAddress !== null) {
    if (able.fallbackOrigin) report.exact('fallbackAddress', origin.fallbackAddress)
    else report.differs('fallbackAddress', 'not', 'noFallback', origin.fallbackAddress, '')
  }
  if (!able.keepalive)
    report.differs('keepalive', 'not', 'ownKeepalive', origin.keepaliveSeconds, DEFAULT_KEEPALIVE_SECONDS)
  else report.exact('keepalive', origin.keepaliveSeconds)
  if (origin.protocol === 'https') reportCheck(able, origin.verifyCertificate, report)
  return {
    addresses: able.spareOrigins ? [origin.address, ...origin.spareAddresses] : [origin.address],
    balance: canBalance ? origin.balance : 'failover',
    fallbackAddress: able.fallbackOrigin ? origin.fallbackAddress : null,
    port: origin.port,
    protocol: origin.protocol,
    hostHeader: origin.hostHeader,
    keepaliveSeconds: able.keepalive ? origin.keepaliveSeconds : DEFAULT_KEEPALIVE_SECONDS,
    verifyCertificate: able.checkedOrigin && (origin.verifyCertificate || !able.uncheckedOrigin),
  }
}

/** A CDN that always checks cannot fetch from an origin with a certificate of its own making: that is said too. */
function reportCheck(able: CdnCapabilities, wanted: boolean, report: Report): void {
  if (wanted ? able.checkedOrigin : able.uncheckedOrigin) {
    if (wanted) report.exact('verifyCertificate', true)
  } else if (!able.checkedOrigin && !able.uncheckedOrigin)
    report.differs('verifyCertificate', 'approximate', 'ownCheck', wanted, '')
  else
    report.differs(
      'verifyCertificate',
      wanted ? 'not' : 'approximate',
      wanted ? 'neverChecks' : 'alwaysChecks',
      wanted,
      '',
    )
}

const DEFAULT_KEEPALIVE_SECONDS = 60

function cacheFor(
  able: CdnCapabilities,
  cacheTtls: number[] | null,
  intent: DeliveryIntent,
  report: Report,
): EdgeDelivery['cache'] {
  const { settings } = intent
  const lifetime = (setting: string, seconds: number, honorOrigin: boolean): number => {
    const given = able.cacheTtl ? nearest(cacheTtls, seconds) : 0
    if (able.cacheTtl && honorOrigin && !able.silentTtl)
      report.differs(setting, 'approximate', 'ownSilentTtl', seconds, '')
    else if (given === seconds) report.exact(setting, seconds)
    else
      report.differs(
        setting,
        able.cacheTtl ? 'approximate' : 'not',
        able.cacheTtl ? 'ttlList' : 'noTtl',
        seconds,
        given,
      )
    return given
  }
  const understood = (setting: string, rule: EdgePathMatch): boolean => {
    const can = rule.type === 'pattern' ? able.patternRules : rule.type === 'extension' ? able.extensionRules : true
    if (!can) report.differs(setting, 'not', rule.type === 'pattern' ? 'noPatterns' : 'noExtensions', rule.path, '')
    return can
  }
  // Kept as if it were about everything, pages of one visitor would be shown to another: rather nothing is kept unsaid.
  const isMissed = !intent.cacheEverything && !able.staticDefault
  if (isMissed && intent.cacheTtlSeconds > 0)
    report.differs('cacheDefault', 'approximate', 'nothingUnsaid', intent.cacheTtlSeconds, 0)
  const defaultTtlSeconds = isMissed ? 0 : lifetime('cacheDefault', intent.cacheTtlSeconds, intent.cacheHonorOrigin)
  const rules = intent.cacheRules
    .filter((rule) => understood(`cacheRule ${rule.path}`, rule))
    .map((rule) => ({ ...rule, ttlSeconds: lifetime(`cacheRule ${rule.path}`, rule.ttlSeconds, rule.honorOrigin) }))
  const bypass = intent.noCacheRules.filter((rule) => understood(`noCacheRule ${rule.path}`, rule))
  for (const { path } of bypass) report.exact(`noCacheRule ${path}`, path)
  return {
    enabled: true,
    defaultTtlSeconds,
    honorOrigin: isMissed || intent.cacheHonorOrigin,
    everything: intent.cacheEverything,
    rules,
    bypass,
    ignoreQuery: switched('ignoreQuery', settings.ignoreQuery, able.ignoreQuery, 'noIgnoreQuery', report),
    tiered: switched('tieredCache', settings.tieredCache, able.tieredCache, 'noTieredCache', report),
  }
}

function visitorFacing(
  able: CdnCapabilities,
  { settings }: DeliveryIntent,
  report: Report,
): Pick<
  EdgeDelivery,
  'compression' | 'alwaysHttps' | 'hsts' | 'websocket' | 'http2' | 'http3' | 'earlyHints' | 'ocspStapling' | 'reportsTo'
> {
  const plainer = settings.compression === 'brotli' && !able.brotli
  if (plainer) report.differs('compression', 'approximate', 'gzipOnly', 'brotli', 'gzip')
  else if (settings.compression !== 'off') report.exact('compression', settings.compression)
  else if (!able.compressionOff) report.differs('compression', 'approximate', 'alwaysCompresses', 'off', 'gzip')
  if (!settings.http2) {
    if (able.http2Off) report.exact('http2', false)
    else report.differs('http2', 'not', 'http2Always', false, true)
  }
  // Not every authority has a responder, and not every installation asks one.
  if (settings.ocspStapling && able.ocspStapling)
    report.differs('ocspStapling', 'approximate', 'ocspWhereAnswered', true, true)
  else switched('ocspStapling', settings.ocspStapling, able.ocspStapling, 'noOcsp', report)
  switched('networkErrors', settings.networkErrors, able.networkErrors, 'noNetworkErrors', report)
  const http3 = switched('http3', settings.http3, able.http3, 'noHttp3', report)
  return {
    compression: plainer ? 'gzip' : settings.compression,
    alwaysHttps: switched('alwaysHttps', settings.alwaysHttps, able.alwaysHttps, 'noAlwaysHttps', report),
    hsts: switched('hsts', settings.hsts !== 'off', able.hsts, 'noHsts', report) ? strictTransport(settings) : '',
    websocket: switched('websocket', settings.websocket, able.websocket, 'noWebsocket', report),
    http2: settings.http2 || !able.http2Off,
    http3,
    earlyHints: switched(
      'earlyHints',
      settings.earlyHints,
      able.earlyHints && http3,
      able.earlyHints && able.http3 ? 'hintsOverHttp3' : 'noEarlyHints',
      report,
    ),
    ocspStapling: settings.ocspStapling && able.ocspStapling,
    // Where to is different for each CDN, and known to the installation only.
    reportsTo: '',
  }
}

/** Value of Strict-Transport-Security (RFC 6797 6.1). */
function strictTransport({ hsts, hstsSeconds }: Pick<Domain['settings'], 'hsts' | 'hstsSeconds'>): string {
  if (hsts === 'forget') return 'max-age=0'
  const wide = hsts === 'host' ? '' : '; includeSubDomains'
  return `max-age=${hstsSeconds}${wide}${hsts === 'preload' ? '; preload' : ''}`
}

/** A switch that is wanted and can be had is exact, one that cannot is not there; one that is off needs no word. */
function switched(setting: string, wanted: boolean, can: boolean, reason: string, report: Report): boolean {
  if (!wanted) return false
  if (can) report.exact(setting, true)
  else report.differs(setting, 'not', reason, true, false)
  return can
}

/**
 * The longest lifetime of the list that is not longer than wanted, so that nothing is kept beyond its time; the
 * shortest when all are longer. 0 means not to keep, which every CDN can.
 */
function nearest(list: number[] | null, seconds: number): number {
  if (list === null || seconds === 0) return seconds
  return list.findLast((one) => one <= seconds) ?? list[0] ?? seconds
}
