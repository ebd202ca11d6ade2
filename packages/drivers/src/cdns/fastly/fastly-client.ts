import { z } from 'zod'
import type { VendorWants } from '../driver.ts'
import { askVendor, orMissing, type VendorAnswer, type VendorRequest } from '../vendor/ask-vendor.ts'
import { readJson, refusalAt } from '../vendor/read-json.ts'

const VENDOR = 'Fastly'
const API = 'https://api.fastly.com'
const PAGE = 100

const Service = z.object({ id: z.string(), name: z.string() })
const Version = z.object({
  number: z.number(),
  active: z.boolean().nullish(),
  comment: z.string().nullish(),
  locked: z.boolean().nullish(),
})
const Details = Service.extend({ versions: z.array(Version) })
export type FastlyVersion = z.infer<typeof Version>
const Named = z.object({ name: z.string() })
const Resource = z.object({
  id: z.string(),
  attributes: z.object({ name: z.string().nullish() }).loose().nullish(),
  relationships: z.record(z.string(), z.unknown()).nullish(),
})
const Listed = z.object({ data: z.array(Resource) })
const Configurations = z.object({
  data: z.array(
    Resource.extend({
      relationships: z
        .object({ dns_records: z.object({ data: z.array(z.object({ id: z.string() })) }).nullish() })
        .nullish(),
    }),
  ),
  included: z
    .array(
      z.object({
        id: z.string(),
        type: z.string(),
        attributes: z.object({ record_type: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
})
const count = z.number().default(0)
const Stats = z.object({
  data: z.array(
    z.object({
      start_time: z.number(),
      requests: count,
      hits: count,
      miss: count,
      pass: count,
      bandwidth: count,
      status_2xx: count,
      status_3xx: count,
      status_4xx: count,
      status_5xx: count,
    }),
  ),
})

export type TlsKind = 'tls_private_key' | 'tls_certificate'
const TLS_PATHS: Record<TlsKind, string> = {
  tls_private_key: '/tls/private_keys',
  tls_certificate: '/tls/certificates',
}

/** Calls of Fastly's API: forms for services, JSON:API for certificates. */
export function fastlyClient({ values, apiUrl }: VendorWants, secrets: Record<string, string> = {}) {
  const send = (
    method: VendorRequest['method'],
    path: string,
    type: string | null,
    body: string | null,
    more: Record<string, string> = {},
  ): Promise<VendorAnswer> =>
    askVendor(
      VENDOR,
      {
        method,
        url: `${apiUrl ?? API}${path}`,
        headers: {
          'fastly-key': values['token'] ?? '',
          accept: 'application/json',
          ...(type === null ? {} : { 'content-type': type }),
          ...more,
        },
        ...(body === null ? {} : { body }),
      },
      { ...values, ...secrets },
      refusal,
    )
  const get = (path: string) => send('GET', path, null, null)
  const form = (method: 'POST' | 'PUT', path: string, fields: Record<string, string>) =>
    send(method, path, 'application/x-www-form-urlencoded', new URLSearchParams(fields).toString())
  const json = (method: 'POST' | 'PATCH', path: string, data: object) =>
    send(method, path, 'application/vnd.api+json', JSON.stringify({ data }))
  const read = async <T extends z.ZodType>(asked: Promise<VendorAnswer>, shape: T) =>
    readJson(await asked, shape, VENDOR)
  return {
    find: (name: string) => orMissing(read(get(`/service/search?name=${encodeURIComponent(name)}`), Service)),
    create: (name: string) => read(form('POST', '/service', { name, type: 'vcl', comment: name }), Service),
    details: (id: string) => orMissing(read(get(`/service/${id}/details`), Details)),
    versions: (id: string) => read(get(`/service/${id}/version`), z.array(Version)),
    newVersion: (id: string) => read(send('POST', `/service/${id}/version`, null, null), Version),
    noteVersion: (id: string, version: number, comment: string) =>
      form('PUT', `/service/${id}/version/${version}`, { comment }),
    activate: (id: string, version: number) => send('PUT', `/service/${id}/version/${version}/activate`, null, null),
    deactivate: (id: string, version: number) =>
      send('PUT', `/service/${id}/version/${version}/deactivate`, null, null),
    drop: (id: string) => orMissing(send('DELETE', `/service/${id}`, null, null)),
    parts: async (id: string, version: number, kind: Part) =>
      (await read(get(`/service/${id}/version/${version}/${kind}`), z.array(Named))).map(({ name }) => name),
    addPart: (id: string, version: number, kind: Part, fields: Record<string, string>) =>
      form('POST', `/service/${id}/version/${version}/${kind}`, fields),
    purgeAll: (id: string) => send('POST', `/service/${id}/purge_all`, null, null),
    purgeKey: (id: string, key: string, soft: boolean) =>
      send(
        'POST',
        `/service/${id}/purge/${encodeURIComponent(key)}`,
        null,
        null,
        soft ? { 'fastly-soft-purge': '1' } : {},
      ),
    purgeAddress: (place: string, soft: boolean) =>
      send('POST', `/purge/${place}`, null, null, soft ? { 'fastly-soft-purge': '1' } : {}),
    stats: (id: string, from: number, until: number) =>
      read(get(`/stats/service/${id}?from=${Math.floor(from / 1000)}&to=${Math.floor(until / 1000)}&by=minute`), Stats),
    configurations: () => read(get('/tls/configurations?include=dns_records'), Configurations),
    /** By the names that we give; all pages, since a filter by name does not exist. */
    async named(kind: TlsKind, name: string): Promise<{ id: string }[]> {
      const found: { id: string }[] = []
      for (let page = 1; ; page++) {
        const { data } = await read(get(`${TLS_PATHS[kind]}?page%5Bnumber%5D=${page}&page%5Bsize%5D=${PAGE}`), Listed)
        found.push(...data.filter(({ attributes }) => attributes?.name === name))
        if (data.length < PAGE) return found
      }
    },
    addNamed: async (kind: TlsKind, name: string, content: Record<string, string>) =>
      (
        await read(
          json('POST', TLS_PATHS[kind], { type: kind, attributes: { ...content, name } }),
          z.object({ data: Resource }),
        )
      ).data.id,
    dropNamed: (kind: TlsKind, id: string) => orMissing(send('DELETE', `${TLS_PATHS[kind]}/${id}`, null, null)),
    activations: async (host: string) =>
      (await read(get(`/tls/activations?filter%5Btls_domain.id%5D=${encodeURIComponent(host)}`), Listed)).data,
    addActivation: (host: string, certificate: string, configuration: string) =>
      json('POST', '/tls/activations', {
        type: 'tls_activation',
        relationships: {
          tls_certificate: one('tls_certificate', certificate),
          tls_configuration: one('tls_configuration', configuration),
          tls_domain: one('tls_domain', host),
        },
      }),
    setActivation: (id: string, certificate: string) =>
      json('PATCH', `/tls/activations/${id}`, {
        type: 'tls_activation',
        relationships: { tls_certificate: one('tls_certificate', certificate) },
      }),
    dropActivation: (id: string) => orMissing(send('DELETE', `/tls/activations/${id}`, null, null)),
  }
}
export type FastlyClient = ReturnType<typeof fastlyClient>
type Part = 'domain' | 'backend' | 'snippet' | 'gzip'

const one = (type: string, id: string) => ({ data: { type, id } })
const refusal = refusalAt([['errors', 0, 'title'], ['msg']], [['errors', 0, 'detail'], ['detail']])
