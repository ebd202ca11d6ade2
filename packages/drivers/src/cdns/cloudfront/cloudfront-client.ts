import { z } from 'zod'
import type { VendorWants } from '../driver.ts'
import { askVendor, orMissing, type ReadRefusal, type VendorRequest } from '../vendor/ask-vendor.ts'
import { readJson } from '../vendor/read-json.ts'
import { elementsOf, toXml, xmlOf, type XmlTree } from './aws-xml.ts'
import { signV4 } from '../../aws/sign-v4.ts'

const VENDOR = 'CloudFront'
/** CloudFront, its certificates and its metrics are in this region wherever one is. */
const REGION = 'us-east-1'
const NAMESPACE = 'http://cloudfront.amazonaws.com/doc/2020-05-31/'
const PATH = '/2020-05-31/distribution'
const BASES = {
  cloudfront: 'https://cloudfront.amazonaws.com',
  acm: `https://acm.${REGION}.amazonaws.com`,
  monitoring: `https://monitoring.${REGION}.amazonaws.com`,
}
/** Without a filter only RSA of 1024 and 2048 bits is listed. */
const KEY_TYPES = ['RSA_1024', 'RSA_2048', 'RSA_3072', 'RSA_4096', 'EC_prime256v1', 'EC_secp384r1', 'EC_secp521r1']

export type Distribution = {
  id: string
  etag: string
  status: string
  domainName: string
  comment: string
  enabled: boolean
}
export type MetricQuery = { id: string; metric: string; stat: 'Sum' | 'Average' }

/** Calls of CloudFront, ACM and CloudWatch, signed by ourselves. */
export function cloudfrontClient({ values, apiUrl, certificate }: VendorWants) {
  const ask = async (
    service: keyof typeof BASES,
    method: VendorRequest['method'],
    path: string,
    body = '',
    headers: Record<string, string> = {},
  ) => {
    const url = new URL(path, apiUrl ?? BASES[service])
    const signed = signV4({
      method,
      url,
      body,
      region: REGION,
      service,
      accessKeyId: values['accessKeyId'] ?? '',
      secret: values['secret'] ?? '',
      now: new Date(),
    })
    return askVendor(
      VENDOR,
      { method, url: url.href, headers: { ...headers, ...signed }, ...(body ? { body } : {}) },
      { ...values, key: base64(certificate?.keyPem ?? '') },
      refusal,
    )
  }
  const xml = (
    method: VendorRequest['method'],
    path: string,
    root?: string,
    tree?: XmlTree,
    headers: Record<string, string> = {},
  ) =>
    ask(
      'cloudfront',
      method,
      `${PATH}${path}`,
      root && tree
        ? `<?xml version="1.0" encoding="UTF-8"?>${toXml(root, tree).replace(`<${root}>`, `<${root} xmlns="${NAMESPACE}">`)}`
        : '',
      root ? { 'content-type': 'application/xml', ...headers } : headers,
    )
  const acm = <T extends z.ZodType>(action: string, body: object, form: T) =>
    ask('acm', 'POST', '/', JSON.stringify(body), {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `CertificateManager.${action}`,
    }).then((answer) => readJson(answer, form, VENDOR))
  return {
    get: (id: string) =>
      orMissing(xml('GET', `/${id}`).then(({ text, headers }) => distributionOf(text, headers.get('etag') ?? ''))),
    create: (config: XmlTree) =>
      xml('POST', '', 'DistributionConfig', config).then(({ text, headers }) =>
        distributionOf(text, headers.get('etag') ?? ''),
      ),
    update: (id: string, etag: string, config: XmlTree) =>
      xml('PUT', `/${id}/config`, 'DistributionConfig', config, { 'if-match': etag }).then(({ text, headers }) =>
        distributionOf(text, headers.get('etag') ?? ''),
      ),
    drop: (id: string, etag: string) => orMissing(xml('DELETE', `/${id}`, undefined, undefined, { 'if-match': etag })),
    /** Ids and comments of all distributions of the account. */
    async list(): Promise<{ id: string; comment: string }[]> {
      const found: { id: string; comment: string }[] = []
      for (let marker = ''; ;) {
        const { text } = await xml('GET', `?MaxItems=100${marker ? `&Marker=${encodeURIComponent(marker)}` : ''}`)
        found.push(
          ...elementsOf(text, 'DistributionSummary').map((one) => ({
            id: xmlOf(one, 'Id') ?? '',
            comment: xmlOf(one, 'Comment') ?? '',
          })),
        )
        marker = xmlOf(text, 'IsTruncated') === 'true' ? (xmlOf(text, 'NextMarker') ?? '') : ''
        if (!marker) return found
      }
    },
    invalidate: (id: string, batch: XmlTree) =>
      xml('POST', `/${id}/invalidation`, 'InvalidationBatch', batch).then(({ text }) => ({
        id: xmlOf(text, 'Id') ?? '',
        status: xmlOf(text, 'Status') ?? '',
      })),
    invalidation: (id: string, invalidation: string) =>
      xml('GET', `/${id}/invalidation/${invalidation}`).then(({ text }) => xmlOf(text, 'Status') ?? ''),
    importCertificate: async (leaf: string, chain: string, keyPem: string, mark: string) =>
      (
        await acm(
          'ImportCertificate',
          {
            Certificate: base64(leaf),
            PrivateKey: base64(keyPem),
            ...(chain ? { CertificateChain: base64(chain) } : {}),
            Tags: [{ Key: 'fairway', Value: mark }],
          },
          z.object({ CertificateArn: z.string() }),
        )
      ).CertificateArn,
    async certificates(): Promise<{ arn: string; names: string[] }[]> {
      const found: { arn: string; names: string[] }[] = []
      for (let token: string | undefined; ;) {
        const page = await acm(
          'ListCertificates',
          { MaxItems: 100, Includes: { keyTypes: KEY_TYPES }, ...(token ? { NextToken: token } : {}) },
          z.object({
            NextToken: z.string().optional(),
            CertificateSummaryList: z.array(
              z.object({
                CertificateArn: z.string(),
                DomainName: z.string().optional(),
                SubjectAlternativeNameSummaries: z.array(z.string()).optional(),
              }),
            ),
          }),
        )
        found.push(
          ...page.CertificateSummaryList.map((one) => ({
            arn: one.CertificateArn,
            names: [one.DomainName ?? '', ...(one.SubjectAlternativeNameSummaries ?? [])],
          })),
        )
        token = page.NextToken
        if (!token) return found
      }
    },
    markOf: async (arn: string) =>
      (
        await acm(
          'ListTagsForCertificate',
          { CertificateArn: arn },
          z.object({ Tags: z.array(z.object({ Key: z.string(), Value: z.string().optional() })).optional() }),
        )
      ).Tags?.find(({ Key }) => Key === 'fairway')?.Value ?? null,
    dropCertificate: (arn: string) => acm('DeleteCertificate', { CertificateArn: arn }, z.unknown()),
    async metrics(
      id: string,
      from: number,
      to: number,
      queries: MetricQuery[],
    ): Promise<Map<string, Map<number, number>>> {
      const form = new URLSearchParams({
        Action: 'GetMetricData',
        Version: '2010-08-01',
        StartTime: new Date(from).toISOString(),
        EndTime: new Date(to).toISOString(),
        ScanBy: 'TimestampAscending',
      })
      for (const [index, { id: name, metric, stat }] of queries.entries()) {
        const at = `MetricDataQueries.member.${index + 1}`
        const fields = {
          Id: name,
          'MetricStat.Metric.Namespace': 'AWS/CloudFront',
          'MetricStat.Metric.MetricName': metric,
          'MetricStat.Metric.Dimensions.member.1.Name': 'DistributionId',
          'MetricStat.Metric.Dimensions.member.1.Value': id,
          'MetricStat.Metric.Dimensions.member.2.Name': 'Region',
          'MetricStat.Metric.Dimensions.member.2.Value': 'Global',
          'MetricStat.Period': '300',
          'MetricStat.Stat': stat,
        }
        for (const [field, value] of Object.entries(fields)) form.set(`${at}.${field}`, value)
      }
      const { text } = await ask('monitoring', 'POST', '/', form.toString(), {
        'content-type': 'application/x-www-form-urlencoded',
      })
      return new Map(resultsOf(text))
    },
  }
}
export type CloudfrontClient = ReturnType<typeof cloudfrontClient>

function distributionOf(xml: string, etag: string): Distribution {
  const config = elementsOf(xml, 'DistributionConfig')[0] ?? ''
  // Parts of a configuration are enabled or not, too: the distribution's own word stands right behind its price class.
  const enabled = /<PriceClass>[^<]*<\/PriceClass><Enabled>true</.test(config.replaceAll(/>\s+</g, '><'))
  return {
    id: xmlOf(xml, 'Id') ?? '',
    etag,
    status: xmlOf(xml, 'Status') ?? '',
    domainName: xmlOf(xml.slice(0, xml.indexOf('<DistributionConfig')), 'DomainName') ?? '',
    comment: xmlOf(config, 'Comment') ?? '',
    enabled,
  }
}

/** Numbers by moment, by the id of the question. */
function resultsOf(text: string): [string, Map<number, number>][] {
  return elementsOf(elementsOf(text, 'MetricDataResults')[0] ?? '', 'member').map((result) => {
    const [times = [], numbers = []] = ['Timestamps', 'Values'].map((list) =>
      elementsOf(elementsOf(result, list)[0] ?? '', 'member'),
    )
    return [
      xmlOf(result, 'Id') ?? '',
      new Map(times.map((time, index) => [Date.parse(time), Number(numbers[index] ?? 0)])),
    ]
  })
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

const LATER = new Set([
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'TooManyInvalidationsInProgress',
  'RequestLimitExceeded',
  'LimitExceededException',
])

const refusal: ReadRefusal = ({ status, text }) => {
  if (status < 400) return null
  const json = text.startsWith('{')
    ? (JSON.parse(text) as { __type?: string; message?: string; Message?: string })
    : null
  const code = json ? (json.__type ?? '').replace(/^.*#/, '') : (xmlOf(text, 'Code') ?? '')
  return { code, words: json ? (json.message ?? json.Message ?? null) : xmlOf(text, 'Message'), later: LATER.has(code) }
}
