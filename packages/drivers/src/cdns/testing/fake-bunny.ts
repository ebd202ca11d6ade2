import { publishedRequests, RequestCheck } from './published.ts'
import { type Answered, newId, startFakeVendor } from './fake-vendor.ts'
import type { VendorUnderTest } from './vendor-world.ts'

type Zone = {
  Id: number
  Name: string
  Hostnames: { Value: string; ForceSSL: boolean; certificate: string | null }[]
  EdgeRules: (Record<string, unknown> & { Guid: string })[]
  leaving: boolean
} & Record<string, unknown>

export const BUNNY_VALUES = { token: '0f9e8d7c-6b5a-4321-9876-543210fedcba' }
const check = new RequestCheck(publishedRequests('bunny'))

/** bunny.net's API with its memory: pull zones with host names, certificates and rules. */
export async function startFakeBunny(): Promise<VendorUnderTest> {
  const mood: VendorUnderTest['mood'] = { at: 'hesitate', why: '' }
  const zones = new Map<string, Zone>()
  const certificates: string[] = []
  const purges: string[] = []
  const shown = ({ leaving: _leaving, Hostnames, ...zone }: Zone) => ({
    ...zone,
    Enabled: true,
    Suspended: false,
    Hostnames: [
      { Value: `${zone.Name}.b-cdn.net`, ForceSSL: false, IsSystemHostname: true, HasCertificate: true },
      ...Hostnames.map(({ certificate, ...host }) => ({
        ...host,
        HasCertificate: mood.at === 'comply' && certificate !== null,
      })),
    ],
  })

  const vendor = await startFakeVendor(({ method, path, query, headers, text }, refused): Answered => {
    if (headers['accesskey'] !== BUNNY_VALUES.token) return no(401, 'unauthorized', 'The request authorization failed')
    const operation = check.operationOf(method, path)
    const problem = operation ? check.problemOf(operation.name, query, text) : `there is no ${method} ${path}`
    if (!operation || problem) {
      refused.push(`${method} ${path}: ${problem} ${text.slice(0, 300)}`)
      return no(400, 'validation_error', problem ?? '')
    }
    for (const [id, { leaving }] of zones) if (leaving && mood.at === 'comply') zones.delete(id)
    const body = text ? (JSON.parse(text) as Record<string, unknown>) : {}
    const [id = '', rule = ''] = operation.params
    switch (operation.name) {
      case 'GET /pullzone':
        return ok({
          Items: [...zones.values()].filter(({ Name }) => Name.includes(query.get('search') ?? '')).map(shown),
          CurrentPage: 1,
          TotalItems: zones.size,
          HasMoreItems: false,
        })
      case 'POST /pullzone': {
        if ([...zones.values()].some(({ Name }) => Name === body['Name']))
          return no(400, 'pullzone.name_taken', 'The pull zone name is already taken.')
        const zone = {
          ...body,
          Id: zones.size + 100 + purges.length,
          Name: String(body['Name']),
          Hostnames: [],
          EdgeRules: [],
          leaving: false,
        } satisfies Zone
        zones.set(String(zone.Id), zone)
        return { status: 201, body: shown(zone) }
      }
      case 'POST /purge':
        return (purges.push(query.get('url') ?? ''), { status: 200 })
      case 'GET /statistics':
        return ok({
          RequestsServedChart: { '2026-01-01T10:00:00Z': 100 },
          BandwidthUsedChart: { '2026-01-01T10:00:00Z': 5_000 },
          CacheHitRateChart: { '2026-01-01T10:00:00Z': 80 },
          Error4xxChart: { '2026-01-01T10:00:00Z': 5 },
          Error5xxChart: {},
        })
    }
    const zone = zones.get(id)
    if (!zone) return no(404, 'pullzone.not_found', 'The requested pull zone was not found')
    if (mood.at === 'refuse') return no(400, 'pullzone.refused', mood.why)
    const host = zone.Hostnames.find(({ Value }) => Value === body['Hostname'])
    switch (operation.name.replace('/pullzone/{id}', '')) {
      case 'GET ':
        return ok(shown(zone))
      case 'POST ':
        return (Object.assign(zone, body), ok(shown(zone)))
      case 'DELETE ':
        return ((zone.leaving = true), mood.at === 'comply' && zones.delete(id), { status: 204 })
      case 'POST /addHostname': {
        if ([...zones.values()].some(({ Hostnames }) => Hostnames.some(({ Value }) => Value === body['Hostname'])))
          return no(400, 'pullzone.hostname_already_registered', 'The hostname is already registered.')
        zone.Hostnames.push({ Value: String(body['Hostname']), ForceSSL: false, certificate: null })
        return { status: 204 }
      }
      case 'POST /addCertificate': {
        if (!host) return no(400, 'pullzone.hostname_not_found', 'The hostname is not of this pull zone.')
        const pem = Buffer.from(String(body['Certificate']), 'base64').toString()
        if (
          !pem.startsWith('-----BEGIN CERTIFICATE') ||
          !Buffer.from(String(body['CertificateKey']), 'base64').toString().startsWith('-----BEGIN PRIVATE KEY')
        )
          return no(400, 'pullzone.invalid_certificate', 'The certificate is not valid.')
        if (certificates.at(-1) !== pem) certificates.push(pem)
        host.certificate = pem
        return { status: 204 }
      }
      case 'POST /setForceSSL':
        return host
          ? ((host.ForceSSL = body['ForceSSL'] === true), { status: 204 })
          : no(400, 'pullzone.hostname_not_found', 'The hostname is not of this pull zone.')
      case 'POST /edgerules/addOrUpdate': {
        const known = zone.EdgeRules.find(({ Guid }) => Guid === body['Guid'])
        if (known) Object.assign(known, body)
        else zone.EdgeRules.push({ ...body, Guid: newId() })
        return { status: 201 }
      }
      case 'DELETE /edgerules/{rule}':
        return ((zone.EdgeRules = zone.EdgeRules.filter(({ Guid }) => Guid !== rule)), { status: 204 })
      case 'POST /purgeCache':
        return (
          purges.push(body['CacheTag'] === undefined ? 'all' : `tag ${String(body['CacheTag'])}`), { status: 204 }
        )
      default:
        return no(404, 'not_found', operation.name)
    }
  })
  return {
    ...vendor,
    mood,
    things: () => [...zones.values()].map(({ Name }) => `pull zone ${Name}`),
    settings: () =>
      [...zones.values()].map(({ Id: _id, ...zone }) => ({
        ...zone,
        EdgeRules: zone.EdgeRules.map((rule) => ({ ...rule, Guid: undefined })),
      })),
    certificates: () => certificates,
    purges: () => purges,
  }
}

const ok = (body: unknown): Answered => ({ status: 200, body })
const no = (status: number, ErrorKey: string, Message: string): Answered => ({ status, body: { ErrorKey, Message } })
