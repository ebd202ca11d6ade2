import { z } from 'zod'
import { type VendorWants, VendorRefusal } from '../driver.ts'
import { jsonText } from '../credential-check.ts'
import { askVendor, orMissing, type ReadRefusal, type VendorAnswer, type VendorRequest } from '../vendor/ask-vendor.ts'
import { readJson, refusalAt } from '../vendor/read-json.ts'

const VENDOR = 'Cloudflare'
const API = 'https://api.cloudflare.com'

const proof = z.object({ name: z.string().optional(), value: z.string().optional() })
export const CustomHostname = z.object({
  id: z.string(),
  hostname: z.string(),
  custom_origin_server: z.string().optional(),
  status: z.string().optional(),
  verification_errors: z.array(z.string()).nullish(),
  ownership_verification: proof.nullish(),
  ssl: z
    .object({
      status: z.string().optional(),
      type: z.string().optional(),
      validation_errors: z.array(z.object({ message: z.string().optional() })).nullish(),
      validation_records: z
        .array(z.object({ txt_name: z.string().optional(), txt_value: z.string().optional() }))
        .nullish(),
    })
    .nullish(),
})
export type CustomHostname = z.infer<typeof CustomHostname>
const DnsRecord = z.object({ id: z.string(), type: z.string(), name: z.string(), content: z.string() })
const Ruleset = z.object({
  id: z.string(),
  rules: z
    .array(
      z.object({
        id: z.string(),
        ref: z.string().optional(),
        action: z.string(),
        expression: z.string().optional(),
        description: z.string().optional(),
        action_parameters: z.unknown().optional(),
      }),
    )
    .optional(),
})
export type Ruleset = z.infer<typeof Ruleset>
const of = <T extends z.ZodType>(result: T) => z.object({ result })

/**
 * Calls of Cloudflare's API v4 for one zone. @throws VendorRefusal when the key names no zone: custom host names belong
 * to one
 */
export function cloudflareClient({ values, apiUrl }: VendorWants) {
  const zone = values['zoneId']
  if (!zone)
    throw new VendorRefusal(
      'The Cloudflare key names no zone: the driver needs the id of the zone that custom host names are made in',
      0,
      'no-zone',
    )
  const base = `${apiUrl ?? API}/client/v4/zones/${zone}`
  const ask = (method: VendorRequest['method'], path: string, body?: object): Promise<VendorAnswer> =>
    askVendor(
      VENDOR,
      {
        method,
        url: base + path,
        headers: {
          authorization: `Bearer ${values['token']}`,
          accept: 'application/json',
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      },
      values,
      refusal,
    )
  const result = async <T extends z.ZodType>(asked: Promise<VendorAnswer>, form: T): Promise<z.output<T>> =>
    (readJson(await asked, of(form), VENDOR) as { result: z.output<T> }).result
  return {
    zoneName: async () => (await result(ask('GET', ''), z.object({ name: z.string() }))).name,
    records: (name: string) =>
      result(ask('GET', `/dns_records?name.exact=${encodeURIComponent(name)}`), z.array(DnsRecord)),
    addRecord: (record: object) => ask('POST', '/dns_records', record),
    setRecord: (id: string, record: object) => ask('PUT', `/dns_records/${id}`, record),
    dropRecord: (id: string) => orMissing(ask('DELETE', `/dns_records/${id}`)),
    hostnames: (hostname: string) =>
      result(ask('GET', `/custom_hostnames?hostname.exact=${encodeURIComponent(hostname)}`), z.array(CustomHostname)),
    hostname: (id: string) => orMissing(result(ask('GET', `/custom_hostnames/${id}`), CustomHostname)),
    addHostname: (hostname: object) => result(ask('POST', '/custom_hostnames', hostname), CustomHostname),
    setHostname: (id: string, hostname: object) =>
      result(ask('PATCH', `/custom_hostnames/${id}`, hostname), CustomHostname),
    dropHostname: (id: string) => orMissing(ask('DELETE', `/custom_hostnames/${id}`)),
    entrypoint: (phase: string) => orMissing(result(ask('GET', `/rulesets/phases/${phase}/entrypoint`), Ruleset)),
    makeEntrypoint: (phase: string, rules: object[]) => ask('PUT', `/rulesets/phases/${phase}/entrypoint`, { rules }),
    addRule: (ruleset: string, rule: object) => ask('POST', `/rulesets/${ruleset}/rules`, rule),
    setRule: (ruleset: string, id: string, rule: object) => ask('PATCH', `/rulesets/${ruleset}/rules/${id}`, rule),
    dropRule: (ruleset: string, id: string) => orMissing(ask('DELETE', `/rulesets/${ruleset}/rules/${id}`)),
    purge: (what: object) => ask('POST', '/purge_cache', what),
    /**
     * The same requests three times, by one dimension each: all of them together would be more rows than an answer
     * holds.
     */
    async traffic(host: string, from: number, until: number) {
      const list = (name: string, dimension: string) =>
        `${name}: httpRequestsAdaptiveGroups(limit: 10000, orderBy: [datetimeFiveMinutes_ASC], filter: { clientRequestHTTPHost: $host, datetime_geq: $from, datetime_lt: $until }) { count sum { edgeResponseBytes } dimensions { datetimeFiveMinutes ${dimension} } }`
      const query = `query Traffic($zone: string!, $host: string!, $from: Time!, $until: Time!) { viewer { zones(filter: { zoneTag: $zone }) { ${list('status', 'edgeResponseStatus')} ${list('cache', 'cacheStatus')} ${list('country', 'clientCountryName')} } } }`
      const variables = { zone, host, from: new Date(from).toISOString(), until: new Date(until).toISOString() }
      const answer = await askVendor(
        VENDOR,
        {
          method: 'POST',
          url: `${apiUrl ?? API}/client/v4/graphql`,
          headers: { authorization: `Bearer ${values['token']}`, 'content-type': 'application/json' },
          body: JSON.stringify({ query, variables }),
        },
        values,
        graphqlRefusal,
      )
      const [found] = readJson(answer, Traffic, VENDOR).data.viewer.zones
      if (!found)
        throw new VendorRefusal(
          'Cloudflare tells nothing of this zone: the token needs the permission to read its analytics',
          200,
          'no-zone',
        )
      return found
    },
  }
}
export type CloudflareClient = ReturnType<typeof cloudflareClient>

const refusal = refusalAt([['errors', 0, 'code']], [['errors', 0, 'message']])
/** GraphQL says no with 200. */
const graphqlRefusal: ReadRefusal = (answer) => {
  const words = jsonText(answer.text, 'errors', 0, 'message')
  if (words === null) return refusal(answer)
  return {
    code: jsonText(answer.text, 'errors', 0, 'extensions', 'code') ?? '',
    words,
    later: /rate limit|too many/i.test(words),
  }
}
const groups = <T extends z.ZodRawShape>(dimension: T) =>
  z.array(
    z.object({
      count: z.number(),
      sum: z.object({ edgeResponseBytes: z.number() }),
      dimensions: z.object({ datetimeFiveMinutes: z.string(), ...dimension }),
    }),
  )
const Zone = z.object({
  status: groups({ edgeResponseStatus: z.number() }),
  cache: groups({ cacheStatus: z.string() }),
  country: groups({ clientCountryName: z.string() }),
})
const Traffic = z.object({ data: z.object({ viewer: z.object({ zones: z.array(Zone) }) }) })
export type TrafficGroup = {
  count: number
  sum: { edgeResponseBytes: number }
  dimensions: { datetimeFiveMinutes: string }
}
