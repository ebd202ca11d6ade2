import fs from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { BYO_FIELDS, ByoPlatform, EdgeDelivery, HostName } from '@fairway/contract'
import {
  CDN_DRIVERS,
  managedKeys,
  overridingUrl,
  TryLater,
  type CdnDriver,
  type CdnOrder,
  type DriverContext,
  type VendorWants,
} from '@fairway/drivers'
import { loadConfig, type Config } from '@fairway/platform'
import { UsageError, parseWords } from './options.ts'

export type LiveOptions = {
  host: string
  origin: string
  certificate: VendorWants['certificate']
  patienceMs: number
  say(line: string): void
}

const PATIENCE_MS = 20 * 60_000
const VENDORS = ByoPlatform.options

/**
 * `drivers:live <vendor> --host <name> [--origin <name>] [--certificate <file> --key <file>]`: takes a vendor's driver
 * once through its life at the vendor itself, with the operator's key.
 */
export async function driversLive(words: string[]): Promise<number> {
  const { values, positionals } = parseWords(words, {
    host: { type: 'string' },
    origin: { type: 'string' },
    certificate: { type: 'string' },
    key: { type: 'string' },
  })
  const vendor = VENDORS.find((name) => name === positionals[0])
  if (!vendor || positionals.length > 1)
    throw new UsageError(`say which vendor: drivers:live <vendor> --host <name>. There are: ${VENDORS.join(', ')}.`)
  const config = loadConfig()
  refuseWithoutKey(config, vendor)
  const host = HostName.safeParse(values.host)
  if (!host.success)
    throw new UsageError(
      `say a host name of yours that the vendor may make a test property for: drivers:live ${vendor} --host test.example.com`,
    )
  if ((values.certificate === undefined) !== (values.key === undefined))
    throw new UsageError('--certificate and --key belong together')
  const certificate =
    values.certificate && values.key
      ? {
          chainPem: fs.readFileSync(values.certificate, 'utf8'),
          keyPem: fs.readFileSync(values.key, 'utf8'),
          fingerprint: `live-${Date.now().toString(36)}`,
        }
      : null
  const isWell = await takeThrough(config, vendor, {
    host: host.data,
    origin: values.origin ?? 'example.com',
    certificate,
    patienceMs: PATIENCE_MS,
    say: (line) => void process.stdout.write(`${line}\n`),
  })
  return isWell ? 0 : 1
}

/** @throws UsageError that says what to write where */
export function refuseWithoutKey(config: Pick<Config, 'cdnKeysFile'>, vendor: ByoPlatform): void {
  if (managedKeys(config)[vendor]) return
  const fields = BYO_FIELDS[vendor].filter(({ required }) => required).map(({ name }) => `"${name}": "…"`)
  throw new UsageError(
    `there is no key for ${vendor}. Write {"${vendor}": {${fields.join(', ')}}} into a file that only you can read, and name it in FAIRWAY_CDN_KEYS_FILE. The property that is made is removed again; the vendor may charge for it.`,
  )
}

/**
 * Creates, watches, changes, purges, measures and removes, and says each step. What was made is removed whatever
 * happens. True when all went well.
 */
export async function takeThrough(
  config: Pick<Config, 'cdnKeysFile' | 'cdnApiUrls' | 'serviceDomain'>,
  vendor: ByoPlatform,
  { host, origin, certificate, patienceMs, say }: LiveOptions,
): Promise<boolean> {
  const driver = CDN_DRIVERS[vendor]
  const wants: VendorWants = {
    values: managedKeys(config)[vendor] ?? {},
    apiUrl: overridingUrl(config.cdnApiUrls, vendor) ?? null,
    delivery: deliveryFor(host, origin),
    certificate,
  }
  const context = liveContext(config.serviceDomain, wants)
  // The same name finds what an earlier run that was stopped has left behind.
  const order: CdnOrder = {
    reference: `live ${host}`,
    domainId: 'live',
    siteId: 'live',
    host,
    cdnId: 'live',
    slug: vendor,
    customCname: null,
    vendorRef: null,
    vendorCertificate: null,
    version: 1,
  }
  const step = async <T>(what: string, work: () => Promise<T>, told: (value: T) => string): Promise<T> => {
    const startedAt = performance.now()
    const value = await patiently(work, startedAt + patienceMs, say)
    say(`${what}: ${told(value)} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
    return value
  }
  let isWell = true
  try {
    const placed = await step(
      'create',
      () => driver.create(context, order),
      (made) => (made ? `${made.ref}, reached by ${made.cname}` : 'nothing'),
    )
    if (placed) Object.assign(order, { vendorRef: placed.ref, vendorCertificate: placed.certificate })
    await step(
      'observe',
      () => settled(driver, context, order, patienceMs),
      (seen) =>
        [seen.state, 'detail' in seen ? seen.detail : null, 'records' in seen ? JSON.stringify(seen.records) : null]
          .filter(Boolean)
          .join(' '),
    )
    wants.delivery.cache.defaultTtlSeconds = 120
    await step(
      'apply',
      () => driver.apply(context, order),
      () => 'a lifetime of 120 s',
    )
    await step(
      'purge',
      () =>
        driver.purge(context, order, {
          kind: 'url',
          targets: ['/'],
          soft: false,
          version: 1,
          reference: `live-${Date.now()}`,
          vendorRef: null,
        }),
      (word) => word.state,
    )
    await step(
      'metrics',
      async () => (await driver.traffic?.read(context, order, Date.now() - 3_600_000, Date.now())) ?? [],
      (buckets) => `${buckets.length} moments of the last hour`,
    )
  } catch (error) {
    isWell = false
    say(`FAILED: ${error instanceof Error ? error.message : String(error)}`)
  }
  try {
    await step(
      'remove',
      () => removed(driver, context, order, patienceMs),
      (done) => (done ? 'gone' : 'still there'),
    )
  } catch (error) {
    say(`FAILED: ${error instanceof Error ? error.message : String(error)}. Look for "${host}" at ${vendor} yourself.`)
    return false
  }
  return isWell
}

/** A vendor that asks for patience gets it. */
async function patiently<T>(work: () => Promise<T>, giveUpAt: number, say: (line: string) => void): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof TryLater) || performance.now() + error.afterMs > giveUpAt) throw error
      say(`  ${error.message}; again in ${Math.ceil(error.afterMs / 1000)} s`)
      await delay(error.afterMs)
    }
  }
}

/** Until the vendor has nothing more to do by itself. */
async function settled(driver: CdnDriver, context: DriverContext, order: CdnOrder, patienceMs: number) {
  for (const giveUpAt = performance.now() + patienceMs; ; await delay(driver.lookAgainMs ?? 1000)) {
    const seen = await driver.observe(context, order)
    const waits = seen.state === 'deploying' && !seen.records?.length
    if (!waits || performance.now() > giveUpAt) return seen
  }
}

async function removed(
  driver: CdnDriver,
  context: DriverContext,
  order: CdnOrder,
  patienceMs: number,
): Promise<boolean> {
  for (const giveUpAt = performance.now() + patienceMs; ; await delay(driver.lookAgainMs ?? 1000)) {
    if ((await driver.remove(context, order)) === 'done') return true
    if (performance.now() > giveUpAt) return false
  }
}

function deliveryFor(host: string, origin: string): EdgeDelivery {
  // Every vendor can do this much; Akamai wants visitors to be sent to HTTPS.
  return EdgeDelivery.parse({
    origin: { addresses: [origin], port: 443, protocol: 'https', hostHeader: host },
    cache: { enabled: true, defaultTtlSeconds: 60 },
    compression: 'gzip',
    alwaysHttps: true,
    websocket: false,
  })
}

/** Vendors need nothing of the house but their key and what is wanted. */
function liveContext(serviceDomain: string, wants: VendorWants): DriverContext {
  const nothing = () => Promise.reject(new Error('there is no installation here'))
  return {
    serviceDomain,
    edgeAcknowledged: nothing,
    simulatedAcknowledged: nothing,
    purgesAcknowledged: nothing,
    purgePauseMs: async () => 0,
    edgeHolds: nothing,
    publishToEdge: nothing,
    probe: nothing,
    stillServes: nothing,
    vendor: async () => wants,
  }
}
