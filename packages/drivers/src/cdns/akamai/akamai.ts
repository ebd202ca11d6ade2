import type { CdnCapabilities } from '@fairway/contract'
import { TryLater, VendorRefusal, type Observation } from '../driver.ts'
import { placeOf } from '../vendor/addresses.ts'
import { HOUR_MS, MINUTE_MS, toldOf } from '../vendor/buckets.ts'
import { marked, type Talk, type Vendor, vendorDriver } from '../vendor/vendor-driver.ts'
import {
  akamaiClient,
  type AkamaiActivation,
  type AkamaiClient,
  type AkamaiHostname,
  type AkamaiPlace,
} from './akamai-client.ts'
import { ruleTree } from './akamai-rules.ts'

const CAPABILITIES: CdnCapabilities = {
  websocket: false,
  wildcard: false,
  customHostHeader: true,
  ipv4Origin: false,
  ipv6Origin: false,
  originPort: true,
  originProtocol: true,
  cacheTtl: true,
  purge: true,
  certificates: false,
  metrics: true,
  roundRobin: false,
  ipHash: false,
  fallbackOrigin: false,
  keepalive: false,
  brotli: false,
  compressionOff: true,
  alwaysHttps: true,
  hsts: false,
  ignoreQuery: true,
  tieredCache: false,
  patternRules: true,
  extensionRules: true,
  purgeDirectory: false,
  purgeTag: true,
  http2Off: false,
  http3: false,
  earlyHints: false,
  ocspStapling: false,
  networkErrors: false,
  spareOrigins: false,
  silentTtl: true,
  staticDefault: false,
  checkedOrigin: false,
  uncheckedOrigin: false,
}
/** Web delivery before downloads; what a contract has beside these is tried when it has none of them. */
const PRODUCTS = ['prd_Fresca', 'prd_SPM', 'prd_Site_Accel', 'prd_Dynamic_Site_Del', 'prd_Site_Del']

const ACTIVATION_AGAIN_MS = 60_000

/** A property for each domain, with a certificate that Akamai orders itself: keys of others it does not take. */
const vendor: Vendor = {
  id: 'akamai',
  lookAgainMs: 30_000,
  capabilities: CAPABILITIES,

  async place(talk) {
    const { wants, name } = talk
    // It asks the origin by the visitor's own protocol; only with one of them the origin is asked as its owner wants.
    if (wants.delivery.origin.protocol !== 'https' || !wants.delivery.alwaysHttps)
      throw new VendorRefusal(
        'Akamai asks the origin by the protocol that the visitor came with: let the origin be asked by HTTPS, and switch Always HTTPS on',
        409,
        'protocol',
      )
    const client = akamaiClient(wants)
    const place = await client.place()
    const products = await client.products(place)
    const product = PRODUCTS.find((one) => products.includes(one)) ?? products[0] ?? ''
    const edgeHostname = `${name}.edgekey.net`
    if (!(await client.hasEdgeHostname(place, edgeHostname))) await client.addEdgeHostname(place, product, name)
    const cpcode = (await client.cpcode(place, name)) ?? (await client.addCpcode(place, product, name))
    const known = newest(await client.versions(name))
    const ref = known?.propertyId ?? (await client.create(place, product, name))
    await placeVersion(client, place, talk, { ref, cpcode, edgeHostname })
    return { ref, cname: edgeHostname, certificate: null }
  },

  async observe({ wants, ref, order: { host }, name }) {
    const client = akamaiClient(wants)
    const place = await client.place()
    const activations = await client.activations(place, ref)
    if (activations === null) return { state: 'gone' }
    const latest = latestOf(activations)
    if (latest?.activationType !== 'ACTIVATE')
      return { state: 'deploying', detail: 'Akamai has not been told to activate it yet' }
    const hostname = (await client.hostnames(place, ref, latest.propertyVersion)).find(
      ({ cnameFrom }) => cnameFrom === host,
    )
    return stateOf(latest, hostname, `${host} at ${name}.edgekey.net`)
  },

  async purge({ wants, name, order: { host } }, { kind, targets, soft }) {
    const client = akamaiClient(wants)
    const way = soft ? 'invalidate' : 'delete'
    if (kind === 'url')
      await client.purge(
        way,
        'url',
        targets.flatMap((path) => ['http', 'https'].map((scheme) => `${scheme}://${placeOf(host, path)}`)),
      )
    else if (kind === 'tag') await client.purge(way, 'tag', targets)
    else {
      // It knows no directories: everything that is counted for this domain goes, and the receipt says so.
      const cpcode = await client.cpcode(await client.place(), name)
      if (cpcode) await client.purge(way, 'cpcode', [numberOf(cpcode)])
    }
    return { state: 'done', everything: kind === 'directory' }
  },

  traffic: {
    bucketMs: 5 * MINUTE_MS,
    settlesMs: 6 * HOUR_MS,
    spanMs: 24 * HOUR_MS,
    async read({ wants, name }, from, until) {
      const client = akamaiClient(wants)
      const cpcode = await client.cpcode(await client.place(), name)
      const rows = cpcode ? await client.traffic(String(numberOf(cpcode)), from, until) : []
      return rows.map((row) => {
        const requests = Number(row['edgeHits'] ?? 0)
        const cache = toldOf(
          requests,
          { uncached: row['originHits'] === undefined ? null : Number(row['originHits']) },
          'HIT',
        )
        return {
          at: Date.parse(String(row['startdatetime'])),
          requests,
          bytes: Number(row['edgeBytes'] ?? 0),
          status: {},
          cache,
          country: {},
        }
      })
    },
  },

  async remove({ wants, name, order: { host } }) {
    const client = akamaiClient(wants)
    const known = newest(await client.versions(name))
    if (!known) return 'done'
    const place = await client.place()
    const latest = latestOf((await client.activations(place, known.propertyId)) ?? [])
    if (latest?.activationType === 'ACTIVATE') {
      // What is still on its way cannot be taken back; it is when it has arrived.
      if (latest.status === 'ACTIVE')
        await client.activate(
          place,
          known.propertyId,
          latest.propertyVersion,
          'DEACTIVATE',
          `${name} off`,
          mailTo(host),
        )
      return 'in-progress'
    }
    if (latest && !isOver(latest)) return 'in-progress'
    await client.drop(place, known.propertyId)
    return (await client.exists(place, known.propertyId)) ? 'in-progress' : 'done'
  },
}
export const akamai = vendorDriver(vendor)

type Version = { propertyId: string; propertyVersion: number; productionStatus?: string | null | undefined }
const newest = (versions: Version[]): Version | undefined =>
  versions.toSorted((a, b) => b.propertyVersion - a.propertyVersion)[0]
const latestOf = (activations: AkamaiActivation[]): AkamaiActivation | undefined =>
  activations
    .filter(({ network }) => network === 'PRODUCTION')
    .toSorted((a, b) => (b.submitDate ?? '').localeCompare(a.submitDate ?? ''))[0]
const isOver = ({ status }: AkamaiActivation): boolean =>
  ['ACTIVE', 'INACTIVE', 'DEACTIVATED', 'FAILED', 'ABORTED'].includes(status)
const numberOf = (cpcode: string): number => Number(cpcode.replace(/^cpc_/, ''))
/** An activation has to name somebody who is written to. */
const mailTo = (host: string): string => `hostmaster@${host}`

/**
 * A version with these rules and this name on its way to production: a version that was ever activated cannot be
 * changed, so a changed one is a new one.
 */
async function placeVersion(
  client: AkamaiClient,
  place: AkamaiPlace,
  { name, order: { host }, wants: { delivery } }: Talk,
  { ref, cpcode, edgeHostname }: { ref: string; cpcode: string; edgeHostname: string },
): Promise<void> {
  const mark = `${name} ${marked(ruleTree('', numberOf(cpcode), delivery))}`
  const latest = latestOf((await client.activations(place, ref)) ?? [])
  let number = newest(await client.versions(name))?.propertyVersion ?? 1
  const isUsed = latest !== undefined && latest.propertyVersion >= number
  const isRight = (await client.rulesMark(place, ref, number)) === mark
  if (!isRight) {
    if (isUsed) number = await client.newVersion(place, ref, number)
    await client.setRules(place, ref, number, ruleTree(mark, numberOf(cpcode), delivery))
  }
  if (
    !(await client.hostnames(place, ref, number)).some(
      ({ cnameFrom, cnameTo }) => cnameFrom === host && cnameTo === edgeHostname,
    )
  )
    await client.setHostname(place, ref, number, host, edgeHostname)
  const isOnItsWay =
    latest?.activationType === 'ACTIVATE' &&
    latest.propertyVersion === number &&
    latest.status !== 'FAILED' &&
    latest.status !== 'ABORTED'
  if (isOnItsWay) return
  // One at a time; the versions that come meanwhile are one when it is their turn.
  if (latest && !isOver(latest)) throw new TryLater('Akamai is still at the activation before', ACTIVATION_AGAIN_MS)
  await client.activate(place, ref, number, 'ACTIVATE', name, mailTo(host))
}

function stateOf(
  { status, fatalError }: AkamaiActivation,
  hostname: AkamaiHostname | undefined,
  what: string,
): Observation {
  if (status === 'FAILED' || status === 'ABORTED')
    return { state: 'failed', detail: `Akamai could not activate ${what}: ${fatalError ?? status}` }
  if (status !== 'ACTIVE')
    return { state: 'deploying', detail: `Akamai shows the activation of ${what} as ${status}`, stays: true }
  const { production, validationCname } = hostname?.certStatus ?? {}
  if (production?.some((one) => one.status === 'DEPLOYED')) return { state: 'operational' }
  const wanted =
    validationCname?.hostname && validationCname.target
      ? ` It wants to see a CNAME record ${validationCname.hostname} to ${validationCname.target}.`
      : ''
  return { state: 'waiting-ssl', detail: `Akamai has no certificate in force for ${what} yet.${wanted}` }
}
