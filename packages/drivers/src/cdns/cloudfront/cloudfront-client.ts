import type {
  ACMClientConfig,
  CertificateSummary,
  KeyAlgorithm,
  ListCertificatesCommandInput,
  ListCertificatesCommandOutput,
} from '@aws-sdk/client-acm'
import type {
  Distribution as AwsDistribution,
  DistributionConfig,
  InvalidationBatch,
  GetKeyGroupCommandOutput,
  ListDistributionsCommandOutput,
  ListKeyGroupsCommandOutput,
  ListPublicKeysCommandOutput,
} from '@aws-sdk/client-cloudfront'
import { awsRefusal } from '../../aws/aws-refusal.ts'
import { awsSettings } from '../../aws/aws-settings.ts'
import type { VendorWants } from '../driver.ts'
import { orMissing, throwNoAnswer, throwRefusal } from '../vendor/ask-vendor.ts'

const VENDOR = 'CloudFront'
/** CloudFront, its certificates and its metrics are in this region wherever one is. */
export const CLOUDFRONT_REGION = 'us-east-1'
/** Without a filter only RSA of 1024 and 2048 bits is listed. */
const KEY_TYPES: KeyAlgorithm[] = [
  'RSA_1024',
  'RSA_2048',
  'RSA_3072',
  'RSA_4096',
  'EC_prime256v1',
  'EC_secp384r1',
  'EC_secp521r1',
]
const LATER = new Set([
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'TooManyInvalidationsInProgress',
  'RequestLimitExceeded',
  'LimitExceededException',
])

export type Distribution = {
  id: string
  etag: string
  status: string
  domainName: string
  comment: string
  enabled: boolean
}
export type KeyGroup = { id: string; etag: string; keys: string[] }
export type MetricQuery = { id: string; metric: string; stat: 'Sum' | 'Average' }

/** Calls of CloudFront, ACM and CloudWatch by AWS's own SDK, which is loaded when one is made. */
export function cloudfrontClient({ values, apiUrl, certificate }: VendorWants) {
  const secrets = { ...values, key: base64(certificate?.keyPem ?? '') }
  const settings = awsSettings({
    accessKeyId: values['accessKeyId'] ?? '',
    secret: values['secret'] ?? '',
    url: apiUrl ?? undefined,
    region: CLOUDFRONT_REGION,
  }) satisfies ACMClientConfig
  const told = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call
    } catch (error) {
      const refusal = awsRefusal(error)
      if (!refusal) throwNoAnswer(VENDOR, error, secrets)
      throwRefusal(VENDOR, { ...refusal, later: LATER.has(refusal.code) }, secrets)
    }
  }
  const cloudfront = async () => {
    const sdk = await import('@aws-sdk/client-cloudfront')
    return { sdk, client: new sdk.CloudFrontClient(settings) }
  }
  const acm = async () => {
    const sdk = await import('@aws-sdk/client-acm')
    return { sdk, client: new sdk.ACMClient(settings) }
  }
  return {
    async get(id: string): Promise<Distribution | null> {
      const { sdk, client } = await cloudfront()
      return orMissing(told(client.send(new sdk.GetDistributionCommand({ Id: id }))).then(distributionOf))
    },
    async create(config: DistributionConfig): Promise<Distribution> {
      const { sdk, client } = await cloudfront()
      return distributionOf(await told(client.send(new sdk.CreateDistributionCommand({ DistributionConfig: config }))))
    },
    async update(id: string, etag: string, config: DistributionConfig): Promise<Distribution> {
      const { sdk, client } = await cloudfront()
      const input = { Id: id, IfMatch: etag, DistributionConfig: config }
      return distributionOf(await told(client.send(new sdk.UpdateDistributionCommand(input))))
    },
    async drop(id: string, etag: string): Promise<void> {
      const { sdk, client } = await cloudfront()
      await orMissing(told(client.send(new sdk.DeleteDistributionCommand({ Id: id, IfMatch: etag }))))
    },
    /** Ids and comments of all distributions of the account. */
    async list(): Promise<{ id: string; comment: string }[]> {
      const { sdk, client } = await cloudfront()
      const found: { id: string; comment: string }[] = []
      for (let marker: string | undefined; ;) {
        const input = { MaxItems: 100, ...(marker ? { Marker: marker } : {}) }
        const page: ListDistributionsCommandOutput = await told(client.send(new sdk.ListDistributionsCommand(input)))
        const list = page.DistributionList
        found.push(...(list?.Items ?? []).map(({ Id, Comment }) => ({ id: Id ?? '', comment: Comment ?? '' })))
        marker = list?.IsTruncated ? list.NextMarker : undefined
        if (!marker) return found
      }
    },
    async invalidate(id: string, batch: InvalidationBatch): Promise<{ id: string; status: string }> {
      const { sdk, client } = await cloudfront()
      const input = { DistributionId: id, InvalidationBatch: batch }
      const { Invalidation } = await told(client.send(new sdk.CreateInvalidationCommand(input)))
      return { id: Invalidation?.Id ?? '', status: Invalidation?.Status ?? '' }
    },
    async invalidation(id: string, invalidation: string): Promise<string> {
      const { sdk, client } = await cloudfront()
      const input = { DistributionId: id, Id: invalidation }
      return (await told(client.send(new sdk.GetInvalidationCommand(input)))).Invalidation?.Status ?? ''
    },
    async publicKeys(): Promise<{ id: string; name: string }[]> {
      const { sdk, client } = await cloudfront()
      const found: { id: string; name: string }[] = []
      for (let marker: string | undefined; ;) {
        const input = { MaxItems: 100, ...(marker ? { Marker: marker } : {}) }
        const page: ListPublicKeysCommandOutput = await told(client.send(new sdk.ListPublicKeysCommand(input)))
        found.push(...(page.PublicKeyList?.Items ?? []).map(({ Id, Name }) => ({ id: Id ?? '', name: Name ?? '' })))
        marker = page.PublicKeyList?.NextMarker
        if (!marker) return found
      }
    },
    /** Its id is what CloudFront calls `Key-Pair-Id` in a signed address. */
    async createPublicKey(name: string, pem: string): Promise<string> {
      const { sdk, client } = await cloudfront()
      const input = { CallerReference: name, Name: name, EncodedKey: pem }
      return (await told(client.send(new sdk.CreatePublicKeyCommand({ PublicKeyConfig: input })))).PublicKey?.Id ?? ''
    },
    async dropPublicKey(id: string): Promise<void> {
      const { sdk, client } = await cloudfront()
      const found = await orMissing(told(client.send(new sdk.GetPublicKeyCommand({ Id: id }))))
      if (found)
        await orMissing(told(client.send(new sdk.DeletePublicKeyCommand({ Id: id, IfMatch: found.ETag ?? '' }))))
    },
    async keyGroup(name: string): Promise<KeyGroup | null> {
      const { sdk, client } = await cloudfront()
      for (let marker: string | undefined; ;) {
        const input = { MaxItems: 100, ...(marker ? { Marker: marker } : {}) }
        const page: ListKeyGroupsCommandOutput = await told(client.send(new sdk.ListKeyGroupsCommand(input)))
        const found = page.KeyGroupList?.Items?.find((one) => one.KeyGroup?.KeyGroupConfig?.Name === name)
        const id = found?.KeyGroup?.Id
        if (id) return await orMissing(told(client.send(new sdk.GetKeyGroupCommand({ Id: id }))).then(keyGroupOf))
        marker = page.KeyGroupList?.NextMarker
        if (!marker) return null
      }
    },
    async createKeyGroup(name: string, keys: string[]): Promise<string> {
      const { sdk, client } = await cloudfront()
      const input = { KeyGroupConfig: { Name: name, Items: keys } }
      return (await told(client.send(new sdk.CreateKeyGroupCommand(input)))).KeyGroup?.Id ?? ''
    },
    async updateKeyGroup({ id, etag }: KeyGroup, name: string, keys: string[]): Promise<void> {
      const { sdk, client } = await cloudfront()
      const input = { Id: id, IfMatch: etag, KeyGroupConfig: { Name: name, Items: keys } }
      await told(client.send(new sdk.UpdateKeyGroupCommand(input)))
    },
    async dropKeyGroup({ id, etag }: KeyGroup): Promise<void> {
      const { sdk, client } = await cloudfront()
      await orMissing(told(client.send(new sdk.DeleteKeyGroupCommand({ Id: id, IfMatch: etag }))))
    },
    async importCertificate(leaf: string, chain: string, keyPem: string, mark: string): Promise<string> {
      const { sdk, client } = await acm()
      const input = {
        Certificate: Buffer.from(leaf),
        PrivateKey: Buffer.from(keyPem),
        ...(chain ? { CertificateChain: Buffer.from(chain) } : {}),
        Tags: [{ Key: 'fairway', Value: mark }],
      }
      return (await told(client.send(new sdk.ImportCertificateCommand(input)))).CertificateArn ?? ''
    },
    async certificates(): Promise<{ arn: string; names: string[] }[]> {
      const { sdk, client } = await acm()
      const found: { arn: string; names: string[] }[] = []
      for (let token: string | undefined; ;) {
        const input: ListCertificatesCommandInput = {
          MaxItems: 100,
          Includes: { keyTypes: KEY_TYPES },
          ...(token ? { NextToken: token } : {}),
        }
        const page: ListCertificatesCommandOutput = await told(client.send(new sdk.ListCertificatesCommand(input)))
        found.push(...(page.CertificateSummaryList ?? []).map(namesOf))
        token = page.NextToken
        if (!token) return found
      }
    },
    async markOf(arn: string): Promise<string | null> {
      const { sdk, client } = await acm()
      const { Tags } = await told(client.send(new sdk.ListTagsForCertificateCommand({ CertificateArn: arn })))
      return Tags?.find(({ Key }) => Key === 'fairway')?.Value ?? null
    },
    async dropCertificate(arn: string): Promise<void> {
      const { sdk, client } = await acm()
      await told(client.send(new sdk.DeleteCertificateCommand({ CertificateArn: arn })))
    },
    /** Numbers by moment, by the id of the question. */
    async metrics(
      id: string,
      from: number,
      to: number,
      queries: MetricQuery[],
    ): Promise<Map<string, Map<number, number>>> {
      const sdk = await import('@aws-sdk/client-cloudwatch')
      const client = new sdk.CloudWatchClient(settings)
      const Dimensions = [
        { Name: 'DistributionId', Value: id },
        { Name: 'Region', Value: 'Global' },
      ]
      const { MetricDataResults = [] } = await told(
        client.send(
          new sdk.GetMetricDataCommand({
            StartTime: new Date(from),
            EndTime: new Date(to),
            ScanBy: 'TimestampAscending',
            MetricDataQueries: queries.map((query) => ({
              Id: query.id,
              MetricStat: {
                Metric: { Namespace: 'AWS/CloudFront', MetricName: query.metric, Dimensions },
                Period: 300,
                Stat: query.stat,
              },
            })),
          }),
        ),
      )
      return new Map(
        MetricDataResults.map(({ Id = '', Timestamps = [], Values = [] }) => [
          Id,
          new Map(Timestamps.map((time, index) => [time.getTime(), Values[index] ?? 0])),
        ]),
      )
    },
  }
}
export type CloudfrontClient = ReturnType<typeof cloudfrontClient>

function distributionOf({ Distribution: one, ETag }: { Distribution?: AwsDistribution; ETag?: string }): Distribution {
  return {
    id: one?.Id ?? '',
    etag: ETag ?? '',
    status: one?.Status ?? '',
    domainName: one?.DomainName ?? '',
    comment: one?.DistributionConfig?.Comment ?? '',
    enabled: one?.DistributionConfig?.Enabled ?? false,
  }
}

const keyGroupOf = ({ KeyGroup: one, ETag }: GetKeyGroupCommandOutput): KeyGroup => ({
  id: one?.Id ?? '',
  etag: ETag ?? '',
  keys: one?.KeyGroupConfig?.Items ?? [],
})

const namesOf = ({ CertificateArn, DomainName, SubjectAlternativeNameSummaries }: CertificateSummary) => ({
  arn: CertificateArn ?? '',
  names: [DomainName ?? '', ...(SubjectAlternativeNameSummaries ?? [])],
})

const base64 = (text: string): string => Buffer.from(text).toString('base64')
