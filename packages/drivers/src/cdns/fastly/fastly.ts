import type { CdnCapabilities } from '@fairway/contract'
import { VendorRefusal } from '../driver.ts'
import { placeOf } from '../vendor/addresses.ts'
import { HOUR_MS, MINUTE_MS, toldOf } from '../vendor/buckets.ts'
import { marked, type Talk, type Vendor, vendorDriver } from '../vendor/vendor-driver.ts'
import { fastlyClient, type FastlyClient } from './fastly-client.ts'
import { snippetsFor } from './fastly-vcl.ts'

const CAPABILITIES: CdnCapabilities = {
  websocket: false,
  wildcard: true,
  customHostHeader: true,
  ipv4Origin: true,
  ipv6Origin: false,
  originPort: true,
  originProtocol: true,
  cacheTtl: true,
  purge: true,
  certificates: true,
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
  checkedOrigin: true,
  uncheckedOrigin: true,
}
/** Where a name without a certificate goes: plain HTTP only. */
const WITHOUT_TLS = 'dualstack.nonssl.global.fastly.net'

/**
 * A service for each domain. Its versions cannot be changed once they are in force, so each state of the settings is a
 * version that says which.
 */
const vendor: Vendor = {
  id: 'fastly',
  needsCertificate: true,
  lookAgainMs: 5_000,
  capabilities: CAPABILITIES,

  async place(talk) {
    const { wants, name, order } = talk
    const client = fastlyClient(wants, { key: wants.certificate?.keyPem ?? '' })
    const service = (await client.find(name)) ?? (await client.create(name))
    await placeVersion(client, service.id, talk)
    const configuration = await tlsConfiguration(client)
    if (!wants.certificate || !configuration) return { ref: service.id, cname: WITHOUT_TLS, certificate: null }
    if (order.vendorCertificate !== wants.certificate.fingerprint)
      await placeCertificate(client, talk, configuration.id)
    return { ref: service.id, cname: configuration.cname, certificate: wants.certificate.fingerprint }
  },

  async observe({ wants, ref }) {
    const details = await fastlyClient(wants).details(ref)
    if (details === null) return { state: 'gone' }
    return details.versions.some(({ active }) => active)
      ? { state: 'operational' }
      : { state: 'deploying', detail: 'No version of the service is in force yet' }
  },

  async purge({ wants, ref, order: { host } }, { kind, targets, soft }) {
    const client = fastlyClient(wants)
    if (kind === 'url') for (const target of targets) await client.purgeAddress(placeOf(host, target), soft)
    else if (kind === 'tag') for (const tag of targets) await client.purgeKey(ref, tag, soft)
    // It knows no directories: everything of the service goes, and the receipt says so.
    else await client.purgeAll(ref)
    return { state: 'done', everything: kind === 'directory' }
  },

  traffic: {
    bucketMs: MINUTE_MS,
    settlesMs: 2 * HOUR_MS,
    spanMs: 24 * HOUR_MS,
    async read({ wants, ref }, from, until) {
      const { data } = await fastlyClient(wants).stats(ref, from, until)
      return data.map(({ start_time, requests, bandwidth, ...row }) => ({
        at: start_time * 1000,
        requests,
        bytes: bandwidth,
        country: {},
        status: toldOf(requests, { 2: row.status_2xx, 3: row.status_3xx, 4: row.status_4xx, 5: row.status_5xx }, '1'),
        // What its rules answered by themselves is none of these.
        cache: toldOf(requests, { HIT: row.hits, MISS: row.miss, BYPASS: row.pass }, 'uncached'),
      }))
    },
  },

  async remove({ wants, name, order }) {
    const client = fastlyClient(wants)
    const service = await client.find(name)
    const marks = [order.vendorCertificate, wants.certificate?.fingerprint].filter((mark) => typeof mark === 'string')
    const given = new Set(
      (await Promise.all(marks.map((mark) => client.named('tls_certificate', titleOf(mark)))))
        .flat()
        .map(({ id }) => id),
    )
    for (const activation of await client.activations(order.host))
      if (given.has(idOf(activation.relationships?.['tls_certificate']) ?? ''))
        await client.dropActivation(activation.id)
    for (const mark of marks) await dropCertificate(client, mark)
    if (service === null) return 'done'
    for (const { number, active } of await client.versions(service.id))
      if (active) await client.deactivate(service.id, number)
    await client.drop(service.id)
    return (await client.find(name)) === null ? 'done' : 'in-progress'
  },
}
export const fastly = vendorDriver(vendor)

/** A version with these settings in force: the one that is, one that was begun before, or a new one. */
async function placeVersion(
  client: FastlyClient,
  service: string,
  { order: { host }, wants: { delivery } }: Talk,
): Promise<void> {
  const [address = ''] = delivery.origin.addresses
  const { port, protocol, hostHeader, verifyCertificate } = delivery.origin
  const tls = protocol === 'https'
  const backend = {
    name: 'origin',
    address,
    port: String(port),
    use_ssl: String(tls),
    override_host: hostHeader,
    ...(tls
      ? { ssl_sni_hostname: hostHeader, ssl_cert_hostname: hostHeader, ssl_check_cert: String(verifyCertificate) }
      : {}),
  }
  const snippets = snippetsFor(delivery).map((snippet) => ({ ...snippet, dynamic: '0', priority: '100' }))
  const gzip = delivery.compression === 'off' ? [] : [{ name: 'gzip' }]
  const comment = `settings ${marked([host, backend, snippets, gzip])}`

  const versions = await client.versions(service)
  const current = versions.find(({ active }) => active) ?? null
  if (current?.comment === comment) return
  const ready = versions.findLast((version) => version.comment === comment && version.number > (current?.number ?? 0))
  if (ready) return void (await client.activate(service, ready.number))
  const begun = versions.findLast((version) => version.comment === `begun: ${comment}` && !version.locked)
  // A new service comes with an empty version.
  const empty = versions.length === 1 && !current && !versions[0]?.comment ? versions[0] : undefined
  const { number } = begun ?? empty ?? (await client.newVersion(service))
  if (!begun) await client.noteVersion(service, number, `begun: ${comment}`)
  const add = async (
    kind: 'domain' | 'backend' | 'snippet' | 'gzip',
    wanted: ({ name: string } & Record<string, string>)[],
  ) => {
    const there = wanted.length > 0 ? await client.parts(service, number, kind) : []
    for (const part of wanted) if (!there.includes(part.name)) await client.addPart(service, number, kind, part)
  }
  await add('domain', [{ name: host }])
  await add('backend', [backend])
  await add('snippet', snippets)
  await add('gzip', gzip)
  await client.noteVersion(service, number, comment)
  await client.activate(service, number)
}

async function tlsConfiguration(client: FastlyClient): Promise<{ id: string; cname: string } | null> {
  const { data, included } = await client.configurations()
  for (const { id, relationships } of data) {
    const own = new Set((relationships?.dns_records?.data ?? []).map((record) => record.id))
    const cname = included?.find((record) => own.has(record.id) && record.attributes?.record_type === 'CNAME')
    if (cname) return { id, cname: cname.id }
  }
  return null
}

/** Several domains of an account may show the same certificate, so it is named after itself. */
const titleOf = (mark: string): string => `fairway-${mark.slice(0, 32)}`

/**
 * Key, certificate, activation, each found by its name when it is there already; the certificate before is taken away
 * when it is used no more.
 */
async function placeCertificate(
  client: FastlyClient,
  { wants: { certificate }, order }: Talk,
  configuration: string,
): Promise<void> {
  if (!certificate) return
  const title = titleOf(certificate.fingerprint)
  const [key] = await client.named('tls_private_key', title)
  if (!key) await client.addNamed('tls_private_key', title, { key: certificate.keyPem })
  const [found] = await client.named('tls_certificate', title)
  const id = found?.id ?? (await client.addNamed('tls_certificate', title, { cert_blob: certificate.chainPem }))
  const [activation] = await client.activations(order.host)
  if (!activation) await client.addActivation(order.host, id, configuration)
  else if (idOf(activation.relationships?.['tls_certificate']) !== id) await client.setActivation(activation.id, id)
  if (order.vendorCertificate !== null) await dropCertificate(client, order.vendorCertificate)
}

/** Takes a certificate and its key away, unless another name shows it. */
async function dropCertificate(client: FastlyClient, mark: string): Promise<void> {
  try {
    for (const kind of ['tls_certificate', 'tls_private_key'] as const)
      for (const { id } of await client.named(kind, titleOf(mark))) await client.dropNamed(kind, id)
  } catch (error) {
    if (!(error instanceof VendorRefusal)) throw error
  }
}

function idOf(relationship: unknown): string | null {
  const data = (relationship as { data?: { id?: unknown } } | undefined)?.data
  return typeof data?.id === 'string' ? data.id : null
}
