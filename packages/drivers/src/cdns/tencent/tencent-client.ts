import { z } from 'zod'
import type { VendorWants } from '../driver.ts'
import { askVendor, type ReadRefusal } from '../vendor/ask-vendor.ts'
import { jsonText } from '../credential-check.ts'
import { readJson } from '../vendor/read-json.ts'
import { signTc3 } from './sign-tc3.ts'

const VENDOR = 'Tencent Cloud'
const API = 'https://cdn.tencentcloudapi.com'
const VERSION = '2018-06-06'

const Domain = z
  .object({
    Domain: z.string(),
    Cname: z.string().nullish(),
    Status: z.string().nullish(),
    Tag: z.array(z.object({ TagKey: z.string(), TagValue: z.string() })).nullish(),
  })
  .loose()
export type TencentDomain = z.infer<typeof Domain>
const of = <T extends z.ZodType>(response: T) => z.object({ Response: response })
const Done = z.object({ RequestId: z.string().optional() }).loose()
const Detail = z.object({
  Data: z
    .array(
      z.object({
        CdnData: z
          .array(
            z.object({ DetailData: z.array(z.object({ Time: z.string(), Value: z.number().nullish() })).nullish() }),
          )
          .nullish(),
      }),
    )
    .nullish(),
})

/** Calls of Tencent Cloud's CDN API: one address, the action in a header, and 200 for refusals too. */
export function tencentClient({ values, apiUrl, certificate }: VendorWants) {
  const ask = async <T extends z.ZodType>(action: string, body: object, form: T): Promise<z.output<T>> => {
    const url = new URL('/', apiUrl ?? API)
    const text = JSON.stringify(body)
    const seconds = Math.floor(Date.now() / 1000)
    const authorization = signTc3({
      host: url.host,
      service: 'cdn',
      body: text,
      secretId: values['secretId'] ?? '',
      secretKey: values['secretKey'] ?? '',
      seconds,
    })
    const headers = {
      authorization,
      'content-type': 'application/json; charset=utf-8',
      'x-tc-action': action,
      'x-tc-version': VERSION,
      'x-tc-timestamp': String(seconds),
    }
    const answer = await askVendor(
      VENDOR,
      { method: 'POST', url: url.href, headers, body: text },
      { ...values, key: certificate?.keyPem ?? '' },
      refusal,
    )
    return (readJson(answer, of(form), VENDOR) as { Response: z.output<T> }).Response
  }
  return {
    find: async (domain: string): Promise<TencentDomain | null> =>
      (
        await ask(
          'DescribeDomainsConfig',
          { Limit: 1, Filters: [{ Name: 'domain', Value: [domain] }] },
          z.object({ Domains: z.array(Domain).nullish() }),
        )
      ).Domains?.[0] ?? null,
    add: (config: object) => ask('AddCdnDomain', config, Done),
    change: (config: object) => ask('UpdateDomainConfig', config, Done),
    stop: (domain: string) => ask('StopCdnDomain', { Domain: domain }, Done),
    drop: (domain: string) => ask('DeleteCdnDomain', { Domain: domain }, Done),
    proof: (domain: string) =>
      ask(
        'CreateVerifyRecord',
        { Domain: domain },
        z.object({ SubDomain: z.string().nullish(), Record: z.string().nullish() }),
      ),
    isProven: async (domain: string) =>
      (await ask('VerifyDomainRecord', { Domain: domain, VerifyType: 'dns' }, z.object({ Result: z.boolean() })))
        .Result,
    purgeAddresses: async (urls: string[]) =>
      (await ask('PurgeUrlsCache', { Urls: urls }, z.object({ TaskId: z.string() }))).TaskId,
    purgePaths: async (paths: string[]) =>
      (await ask('PurgePathCache', { Paths: paths, FlushType: 'delete' }, z.object({ TaskId: z.string() }))).TaskId,
    purgeStates: async (task: string) =>
      (
        (
          await ask(
            'DescribePurgeTasks',
            { TaskId: task, Limit: 100 },
            z.object({ PurgeLogs: z.array(z.object({ Status: z.string() })).nullish() }),
          )
        ).PurgeLogs ?? []
      ).map(({ Status }) => Status),
    async figures(domain: string, metric: string, from: number, to: number): Promise<Map<number, number>> {
      const { Data } = await ask(
        'DescribeCdnData',
        {
          StartTime: timeOf(from),
          EndTime: timeOf(to),
          Metric: metric,
          Domains: [domain],
          Interval: '5min',
          TimeZone: 'UTC+00:00',
        },
        Detail,
      )
      const rows = (Data ?? []).flatMap(({ CdnData }) => (CdnData ?? []).flatMap(({ DetailData }) => DetailData ?? []))
      return new Map(rows.map(({ Time, Value }) => [Date.parse(`${Time.replace(' ', 'T')}Z`), Value ?? 0]))
    },
  }
}
export type TencentClient = ReturnType<typeof tencentClient>

const timeOf = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

const refusal: ReadRefusal = ({ status, text }) => {
  const code = jsonText(text, 'Response', 'Error', 'Code')
  if (status < 400 && code === null) return null
  return {
    code: code ?? '',
    words: jsonText(text, 'Response', 'Error', 'Message'),
    later:
      code?.startsWith('RequestLimitExceeded') ||
      code?.startsWith('InternalError') ||
      code === 'ResourceUnavailable.CdnHostIsLocked',
  }
}
