import crypto from 'node:crypto'
import { z } from 'zod'
import type { VendorWants } from '../driver.ts'
import { askVendor, orMissing, type VendorAnswer, type VendorRequest } from '../vendor/ask-vendor.ts'
import { readJson, refusalAt } from '../vendor/read-json.ts'
import { signEdgeGrid } from './sign-edge-grid.ts'

const VENDOR = 'Akamai'

const items = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) })
const Groups = z.object({
  groups: items(z.object({ groupId: z.string(), contractIds: z.array(z.string()).nullish() })),
})
const Products = z.object({ products: items(z.object({ productId: z.string() })) })
const Version = z.object({
  propertyId: z.string(),
  propertyVersion: z.number(),
  productionStatus: z.string().nullish(),
})
const CertStatus = z.object({
  validationCname: z.object({ hostname: z.string().nullish(), target: z.string().nullish() }).nullish(),
  production: z.array(z.object({ status: z.string() })).nullish(),
})
const Hostname = z.object({ cnameFrom: z.string(), cnameTo: z.string().nullish(), certStatus: CertStatus.nullish() })
export type AkamaiHostname = z.infer<typeof Hostname>
const Activation = z.object({
  propertyVersion: z.number(),
  network: z.string(),
  activationType: z.string(),
  status: z.string(),
  submitDate: z.string().nullish(),
  fatalError: z.string().nullish(),
})
export type AkamaiActivation = z.infer<typeof Activation>
const Report = z.object({ data: z.array(z.record(z.string(), z.unknown())) })

/** Where in an account a property is made. */
export type AkamaiPlace = { contractId: string; groupId: string }

/** Calls of Akamai's Property Manager, Fast Purge and Reporting APIs, signed by EdgeGrid. */
export function akamaiClient({ values, apiUrl }: VendorWants) {
  const client = {
    host: values['host'] ?? '',
    clientToken: values['clientToken'] ?? '',
    accessToken: values['accessToken'] ?? '',
    clientSecret: values['clientSecret'] ?? '',
  }
  const ask = (method: VendorRequest['method'], path: string, body?: unknown): Promise<VendorAnswer> => {
    const text = body === undefined ? '' : JSON.stringify(body)
    const authorization = signEdgeGrid({
      ...client,
      method,
      path,
      body: text,
      now: new Date(),
      nonce: crypto.randomUUID(),
    })
    return askVendor(
      VENDOR,
      {
        method,
        url: `${apiUrl ?? `https://${client.host}`}${path}`,
        headers: { authorization, accept: 'application/json', ...(text ? { 'content-type': 'application/json' } : {}) },
        ...(text ? { body: text } : {}),
      },
      values,
      refusal,
    )
  }
  const read = async <T extends z.ZodType>(asked: Promise<VendorAnswer>, form: T) => readJson(await asked, form, VENDOR)
  const at = ({ contractId, groupId }: AkamaiPlace, more = '') =>
    `?contractId=${encodeURIComponent(contractId)}&groupId=${encodeURIComponent(groupId)}${more}`
  const property = (id: string) => `/papi/v1/properties/${encodeURIComponent(id)}`
  const version = (id: string, number: number) => `${property(id)}/versions/${number}`
  /** What was made is named by a link that ends in its id. */
  const made = async (asked: Promise<VendorAnswer>, link: string) =>
    (await read(asked, z.object({ [link]: z.string() })))[link]?.split('?')[0]?.split('/').at(-1) ?? ''
  return {
    async place(): Promise<AkamaiPlace> {
      const { groups } = await read(ask('GET', '/papi/v1/groups'), Groups)
      const group = groups.items.find(({ contractIds }) => contractIds?.length)
      if (!group) throw new Error('Akamai shows no group with a contract to this key')
      return { groupId: group.groupId, contractId: group.contractIds?.[0] ?? '' }
    },
    products: async (place: AkamaiPlace) =>
      (
        await read(ask('GET', `/papi/v1/products?contractId=${encodeURIComponent(place.contractId)}`), Products)
      ).products.items.map(({ productId }) => productId),
    versions: async (name: string) =>
      (
        await read(
          ask('POST', '/papi/v1/search/find-by-value', { propertyName: name }),
          z.object({ versions: items(Version) }),
        )
      ).versions.items,
    exists: async (place: AkamaiPlace, id: string) =>
      (await orMissing(ask('GET', `${property(id)}${at(place)}`))) !== null,
    create: (place: AkamaiPlace, productId: string, name: string) =>
      made(
        ask('POST', `/papi/v1/properties${at(place)}`, { productId, propertyName: name, ruleFormat: 'latest' }),
        'propertyLink',
      ),
    drop: (place: AkamaiPlace, id: string) => orMissing(ask('DELETE', `${property(id)}${at(place)}`)),
    newVersion: async (place: AkamaiPlace, id: string, from: number) =>
      Number(
        await made(ask('POST', `${property(id)}/versions${at(place)}`, { createFromVersion: from }), 'versionLink'),
      ),
    rulesMark: async (place: AkamaiPlace, id: string, number: number) =>
      (
        await read(
          ask('GET', `${version(id, number)}/rules${at(place)}`),
          z.object({ rules: z.object({ comments: z.string().nullish() }) }),
        )
      ).rules.comments ?? null,
    setRules: (place: AkamaiPlace, id: string, number: number, rules: object) =>
      ask('PUT', `${version(id, number)}/rules${at(place, '&validateMode=full')}`, { rules }),
    hostnames: async (place: AkamaiPlace, id: string, number: number) =>
      (
        await read(
          ask('GET', `${version(id, number)}/hostnames${at(place, '&includeCertStatus=true')}`),
          z.object({ hostnames: items(Hostname) }),
        )
      ).hostnames.items,
    setHostname: (place: AkamaiPlace, id: string, number: number, host: string, edgeHostname: string) =>
      ask('PUT', `${version(id, number)}/hostnames${at(place)}`, [
        { cnameType: 'EDGE_HOSTNAME', cnameFrom: host, cnameTo: edgeHostname, certProvisioningType: 'DEFAULT' },
      ]),
    activations: async (place: AkamaiPlace, id: string) =>
      (
        await orMissing(
          read(ask('GET', `${property(id)}/activations${at(place)}`), z.object({ activations: items(Activation) })),
        )
      )?.activations.items ?? null,
    activate: (
      place: AkamaiPlace,
      id: string,
      number: number,
      activationType: 'ACTIVATE' | 'DEACTIVATE',
      note: string,
      email: string,
    ) =>
      ask('POST', `${property(id)}/activations${at(place)}`, {
        propertyVersion: number,
        network: 'PRODUCTION',
        activationType,
        note,
        notifyEmails: [email],
        acknowledgeAllWarnings: true,
      }),
    cpcode: async (place: AkamaiPlace, name: string) =>
      (
        await read(
          ask('GET', `/papi/v1/cpcodes${at(place)}`),
          z.object({ cpcodes: items(z.object({ cpcodeId: z.string(), cpcodeName: z.string() })) }),
        )
      ).cpcodes.items.find(({ cpcodeName }) => cpcodeName === name)?.cpcodeId ?? null,
    addCpcode: (place: AkamaiPlace, productId: string, name: string) =>
      made(ask('POST', `/papi/v1/cpcodes${at(place)}`, { productId, cpcodeName: name }), 'cpcodeLink'),
    hasEdgeHostname: async (place: AkamaiPlace, domain: string) =>
      (
        await read(
          ask('GET', `/papi/v1/edgehostnames${at(place)}`),
          z.object({ edgeHostnames: items(z.object({ edgeHostnameDomain: z.string() })) }),
        )
      ).edgeHostnames.items.some(({ edgeHostnameDomain }) => edgeHostnameDomain === domain),
    addEdgeHostname: (place: AkamaiPlace, productId: string, prefix: string) =>
      ask('POST', `/papi/v1/edgehostnames${at(place)}`, {
        productId,
        domainPrefix: prefix,
        domainSuffix: 'edgekey.net',
        secure: true,
        secureNetwork: 'ENHANCED_TLS',
        ipVersionBehavior: 'IPV6_COMPLIANCE',
      }),
    purge: async (way: 'invalidate' | 'delete', kind: 'url' | 'tag' | 'cpcode', objects: (string | number)[]) =>
      read(
        ask('POST', `/ccu/v3/${way}/${kind}/production`, { objects }),
        z.object({ purgeId: z.string(), estimatedSeconds: z.number().nullish() }),
      ),
    traffic: async (cpcode: string, from: number, to: number) =>
      (
        await read(
          ask(
            'POST',
            `/reporting-api/v1/reports/traffic-by-time/versions/1/report-data?start=${time(from)}&end=${time(to)}&interval=FIVE_MINUTES`,
            { objectIds: [cpcode], metrics: ['edgeHits', 'edgeBytes', 'originHits'] },
          ),
          Report,
        )
      ).data,
  }
}
export type AkamaiClient = ReturnType<typeof akamaiClient>

/** The report takes whole steps of five minutes. */
const time = (ms: number): string =>
  encodeURIComponent(new Date(Math.floor(ms / 300_000) * 300_000).toISOString().replace('.000', ''))
const refusal = refusalAt([['type'], ['title']], [['detail']])
