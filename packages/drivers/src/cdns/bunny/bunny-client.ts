import { z } from 'zod'
import type { VendorWants } from '../driver.ts'
import { askVendor, orMissing, type VendorAnswer } from '../vendor/ask-vendor.ts'
import { readJson, refusalAt } from '../vendor/read-json.ts'

const VENDOR = 'bunny.net'
const API = 'https://api.bunny.net'

const Rule = z.object({
  Guid: z.string(),
  ActionType: z.number(),
  ActionParameter1: z.string().nullish(),
  Triggers: z.array(z.unknown()).nullish(),
  Description: z.string().nullish(),
  Enabled: z.boolean().nullish(),
})
const PullZone = z.object({
  Id: z.number(),
  Name: z.string(),
  OriginUrl: z.string().nullish(),
  OriginHostHeader: z.string().nullish(),
  IgnoreQueryStrings: z.boolean().nullish(),
  CacheControlMaxAgeOverride: z.number().nullish(),
  Enabled: z.boolean().nullish(),
  Suspended: z.boolean().nullish(),
  Hostnames: z
    .array(z.object({ Value: z.string(), ForceSSL: z.boolean().nullish(), HasCertificate: z.boolean().nullish() }))
    .nullish(),
  EdgeRules: z.array(Rule).nullish(),
})
export type PullZone = z.infer<typeof PullZone>
const Chart = z.record(z.string(), z.number()).nullish()
const Statistics = z.object({
  RequestsServedChart: Chart,
  BandwidthUsedChart: Chart,
  CacheHitRateChart: Chart,
  Error4xxChart: Chart,
  Error5xxChart: Chart,
})

/** Calls of bunny.net's API. */
export function bunnyClient({ values, apiUrl, certificate }: VendorWants) {
  const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<VendorAnswer> =>
    askVendor(
      VENDOR,
      {
        method,
        url: `${apiUrl ?? API}${path}`,
        headers: {
          accesskey: values['token'] ?? '',
          accept: 'application/json',
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      },
      { ...values, key: base64(certificate?.keyPem ?? '') },
      refusal,
    )
  return {
    async find(name: string): Promise<PullZone | null> {
      const found = readJson(
        await ask('GET', `/pullzone?page=1&perPage=1000&search=${encodeURIComponent(name)}`),
        z.object({ Items: z.array(PullZone) }),
        VENDOR,
      )
      return found.Items.find((zone) => zone.Name === name) ?? null
    },
    zone: (id: string) => orMissing(ask('GET', `/pullzone/${id}`).then((answer) => readJson(answer, PullZone, VENDOR))),
    create: async (name: string, settings: object) =>
      readJson(await ask('POST', '/pullzone', { Name: name, Type: 0, ...settings }), PullZone, VENDOR),
    change: (id: number, settings: object) => ask('POST', `/pullzone/${id}`, settings),
    drop: (id: number) => orMissing(ask('DELETE', `/pullzone/${id}`)),
    addHostname: (id: number, host: string) => ask('POST', `/pullzone/${id}/addHostname`, { Hostname: host }),
    addCertificate: (id: number, host: string, chainPem: string, keyPem: string) =>
      ask('POST', `/pullzone/${id}/addCertificate`, {
        Hostname: host,
        Certificate: base64(chainPem),
        CertificateKey: base64(keyPem),
      }),
    forceHttps: (id: number, host: string, force: boolean) =>
      ask('POST', `/pullzone/${id}/setForceSSL`, { Hostname: host, ForceSSL: force }),
    setRule: (id: number, rule: object) => ask('POST', `/pullzone/${id}/edgerules/addOrUpdate`, rule),
    dropRule: (id: number, guid: string) => orMissing(ask('DELETE', `/pullzone/${id}/edgerules/${guid}`)),
    purgeAddress: (url: string) => ask('POST', `/purge?url=${encodeURIComponent(url)}&async=false`),
    purgeZone: (id: string, tag: string | null) =>
      ask('POST', `/pullzone/${id}/purgeCache`, tag === null ? {} : { CacheTag: tag }),
    statistics: async (id: string, from: number, to: number) =>
      readJson(
        await ask(
          'GET',
          `/statistics?pullZone=${id}&dateFrom=${new Date(from).toISOString()}&dateTo=${new Date(to).toISOString()}&hourly=true`,
        ),
        Statistics,
        VENDOR,
      ),
  }
}
export type BunnyClient = ReturnType<typeof bunnyClient>

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const refusal = refusalAt([['ErrorKey']], [['Message']])
