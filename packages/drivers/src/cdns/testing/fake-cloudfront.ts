import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { Ajv } from 'ajv'
import { type Answered, type Heard, newId, startFakeVendor } from './fake-vendor.ts'
import type { VendorUnderTest } from './vendor-world.ts'

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  'x-item'?: string
  'x-blob'?: boolean
}
type Model = {
  operations: Record<string, { name: string; query?: object; headers?: string[]; root?: string; body?: Schema }>
  actions: Record<string, Schema>
}
type Distribution = { id: string; etag: number; config: Record<string, unknown>; xml: string; deployed: boolean }
type PublicKey = { id: string; name: string; pem: string }
type KeyGroup = { id: string; etag: number; name: string; keys: string[] }
type Certificate = { arn: string; name: string; mark: string }

export const CLOUDFRONT_VALUES = {
  region: 'eu-west-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
}
const model = JSON.parse(
  fs.readFileSync(path.join(import.meta.dirname, '../cloudfront/cloudfront-requests.json'), 'utf8'),
) as Model
const ajv = new Ajv({ strict: false })

/** CloudFront, ACM and CloudWatch with their memory; requests are read and judged by AWS's own service models. */
export async function startFakeCloudfront(): Promise<VendorUnderTest> {
  const mood: VendorUnderTest['mood'] = { at: 'hesitate', why: '' }
  const distributions = new Map<string, Distribution>()
  const store = new Map<string, Certificate>()
  const publicKeys = new Map<string, PublicKey>()
  const keyGroups = new Map<string, KeyGroup>()
  const invalidations = new Map<string, { id: string; reference: string; paths: string[] }>()
  const [certificates, purges]: [string[], string[]] = [[], []]

  const vendor = await startFakeVendor((heard, refused): Answered => {
    if (!heard.headers.authorization?.startsWith(`AWS4-HMAC-SHA256 Credential=${CLOUDFRONT_VALUES.accessKeyId}/`))
      return no(403, 'InvalidClientTokenId', 'The security token included in the request is invalid.')
    const refuse = (problem: string): Answered => (
      refused.push(`${heard.method} ${heard.path}: ${problem} ${heard.text.slice(0, 600)}`),
      no(400, 'MalformedXML', problem)
    )
    const target = heard.headers['x-amz-target']
    if (typeof target === 'string')
      return target.endsWith('.GetMetricData')
        ? answerMetrics(heard.text, refuse)
        : answerCertificates(target, heard.text, refuse)
    for (const [template, operation] of Object.entries(model.operations)) {
      const [method = '', where = ''] = template.split(' ')
      const match =
        method === heard.method ? new RegExp(`^${where.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(heard.path) : null
      if (!match) continue
      const problem = problemOf(operation, heard)
      return problem
        ? refuse(problem)
        : answer(
            operation.name,
            match.slice(1),
            heard,
            operation.body
              ? (parsed(inner(heard.text, operation.root ?? ''), operation.body) as Record<string, unknown>)
              : {},
          )
    }
    return refuse('there is no such operation')
  })

  function answer(
    operation: string,
    [id = '', second = '']: string[],
    { headers, text }: Heard,
    body: Record<string, unknown>,
  ): Answered {
    for (const one of distributions.values()) one.deployed ||= mood.at === 'comply'
    const found = distributions.get(id)
    const aliases = (body['Aliases'] as { Items?: string[] } | undefined)?.Items ?? []
    if (operation.includes('PublicKey')) return answerPublicKeys(operation, id, body)
    if (operation.includes('KeyGroup')) return answerKeyGroups(operation, id, headers['if-match'], body)
    if (trusted(body).some((group) => !keyGroups.has(group)))
      return no(404, 'TrustedKeyGroupDoesNotExist', 'The specified key group does not exist.')
    if (operation === 'ListDistributions')
      return {
        status: 200,
        text: `<DistributionList><IsTruncated>false</IsTruncated><Items>${[...distributions.values()].map((one) => `<DistributionSummary><Id>${one.id}</Id><Status>${statusOf(one)}</Status><Comment>${String(one.config['Comment'])}</Comment></DistributionSummary>`).join('')}</Items></DistributionList>`,
      }
    if (operation === 'CreateDistribution') {
      if ([...distributions.values()].some(({ config }) => config['CallerReference'] === body['CallerReference']))
        return no(
          409,
          'DistributionAlreadyExists',
          'The caller reference that you are using to create a distribution is associated with another distribution.',
        )
      if (aliases.some(taken(null)))
        return no(
          409,
          'CNAMEAlreadyExists',
          'One or more of the CNAMEs you provided are already associated with a different resource.',
        )
      const made: Distribution = {
        id: newId(14).toUpperCase(),
        etag: 1,
        config: body,
        xml: inner(text, 'DistributionConfig'),
        deployed: mood.at === 'comply',
      }
      distributions.set(made.id, made)
      return shown(made, 201)
    }
    if (!found) return no(404, 'NoSuchDistribution', 'The specified distribution does not exist.')
    if (mood.at === 'refuse') return no(400, 'InvalidArgument', mood.why)
    if (headers['if-match'] !== undefined && headers['if-match'] !== `E${found.etag}`)
      return no(412, 'PreconditionFailed', 'The If-Match version is missing or not valid for the resource.')
    switch (operation) {
      case 'GetDistribution':
        return shown(found)
      case 'UpdateDistribution':
        if (aliases.some(taken(found.id)))
          return no(
            409,
            'CNAMEAlreadyExists',
            'One or more of the CNAMEs you provided are already associated with a different resource.',
          )
        Object.assign(found, {
          etag: found.etag + 1,
          config: body,
          xml: inner(text, 'DistributionConfig'),
          deployed: mood.at === 'comply',
        })
        return shown(found)
      case 'DeleteDistribution':
        if (found.config['Enabled'] === true || !found.deployed)
          return no(409, 'DistributionNotDisabled', 'The distribution you are trying to delete has not been disabled.')
        distributions.delete(id)
        return { status: 204 }
      case 'CreateInvalidation': {
        const reference = String(body['CallerReference'])
        const paths = (body['Paths'] as { Items: string[] }).Items
        const running = [...invalidations.values()].reduce(
          (sum, one) => sum + one.paths.filter((one) => one.includes('*')).length,
          0,
        )
        if (mood.at !== 'comply' && running + paths.filter((one) => one.includes('*')).length > 15)
          return no(
            400,
            'TooManyInvalidationsInProgress',
            'Processing your request will cause you to exceed the maximum number of in-progress wildcard invalidations.',
          )
        const known = invalidations.get(reference) ?? { id: newId(14).toUpperCase(), reference, paths }
        if (!invalidations.has(reference)) purges.push(...paths)
        invalidations.set(reference, known)
        return { status: 201, text: invalidation(known.id) }
      }
      case 'GetInvalidation':
        return [...invalidations.values()].some((one) => one.id === second)
          ? { status: 200, text: invalidation(second) }
          : no(404, 'NoSuchInvalidation', 'The specified invalidation does not exist.')
      default:
        return no(404, 'NoSuchOperation', operation)
    }
  }

  const trusted = (config: Record<string, unknown>): string[] =>
    (config['DefaultCacheBehavior'] as { TrustedKeyGroups?: { Items?: string[] } } | undefined)?.TrustedKeyGroups
      ?.Items ?? []

  function answerPublicKeys(operation: string, id: string, body: Record<string, unknown>): Answered {
    const found = publicKeys.get(id)
    if (operation === 'ListPublicKeys')
      return {
        status: 200,
        text: `<PublicKeyList><MaxItems>100</MaxItems><Quantity>${publicKeys.size}</Quantity><Items>${[...publicKeys.values()].map(publicKeyXml).join('')}</Items></PublicKeyList>`,
      }
    if (operation === 'CreatePublicKey') {
      const name = String(body['Name'])
      const pem = String(body['EncodedKey']).replaceAll('&#x0A;', '\n')
      if ([...publicKeys.values()].some((one) => one.name === name))
        return no(409, 'PublicKeyAlreadyExists', 'The specified public key already exists.')
      // As CloudFront says of it: RSA with 2048 bits, in PEM that ends with a line break.
      const key = readKey(pem)
      if (key?.asymmetricKeyType !== 'rsa' || key.asymmetricKeyDetails?.modulusLength !== 2048 || !pem.endsWith('\n'))
        return no(400, 'InvalidArgument', 'Your request contains empty/invalid/out of limits RSA Encoded Key')
      const made = { id: `K${newId(13).toUpperCase()}`, name, pem }
      publicKeys.set(made.id, made)
      return {
        status: 201,
        headers: { etag: 'E1' },
        text: `<PublicKey xmlns="${XMLNS}"><Id>${made.id}</Id><CreatedTime>${MADE}</CreatedTime><PublicKeyConfig><CallerReference>${name}</CallerReference><Name>${name}</Name><EncodedKey>${pem}</EncodedKey></PublicKeyConfig></PublicKey>`,
      }
    }
    if (!found) return no(404, 'NoSuchPublicKey', 'The specified public key does not exist.')
    if (operation === 'GetPublicKey')
      return { status: 200, headers: { etag: 'E1' }, text: `<PublicKey xmlns="${XMLNS}"><Id>${id}</Id></PublicKey>` }
    if ([...keyGroups.values()].some(({ keys }) => keys.includes(id)))
      return no(409, 'PublicKeyInUse', 'The specified public key is in use.')
    publicKeys.delete(id)
    return { status: 204 }
  }

  function answerKeyGroups(operation: string, id: string, ifMatch: unknown, body: Record<string, unknown>): Answered {
    const found = keyGroups.get(id)
    const [name, keys] = [String(body['Name']), (body['Items'] ?? []) as string[]]
    if (operation === 'ListKeyGroups')
      return {
        status: 200,
        text: `<KeyGroupList><MaxItems>100</MaxItems><Quantity>${keyGroups.size}</Quantity><Items>${[...keyGroups.values()].map((one) => `<KeyGroupSummary>${keyGroupXml(one)}</KeyGroupSummary>`).join('')}</Items></KeyGroupList>`,
      }
    if (body['Items'] !== undefined && (keys.length === 0 || keys.some((key) => !publicKeys.has(key))))
      return no(400, 'InvalidArgument', 'A key group names one public key or more that exist.')
    const shown = (one: KeyGroup, status = 200): Answered => ({
      status,
      headers: { etag: `E${one.etag}` },
      text: keyGroupXml(one),
    })
    if (operation === 'CreateKeyGroup') {
      if ([...keyGroups.values()].some((one) => one.name === name))
        return no(409, 'KeyGroupAlreadyExists', 'A key group with this name already exists.')
      const made = { id: newId(12), etag: 1, name, keys }
      keyGroups.set(made.id, made)
      return shown(made, 201)
    }
    if (!found) return no(404, 'NoSuchResource', 'The specified key group does not exist.')
    if (ifMatch !== undefined && ifMatch !== `E${found.etag}`)
      return no(412, 'PreconditionFailed', 'The If-Match version is missing or not valid for the resource.')
    if (operation === 'GetKeyGroup') return shown(found)
    if (operation === 'UpdateKeyGroup') return shown(Object.assign(found, { etag: found.etag + 1, keys }))
    if ([...distributions.values()].some(({ config }) => trusted(config).includes(id)))
      return no(409, 'ResourceInUse', 'The key group is in use by a distribution.')
    keyGroups.delete(id)
    return { status: 204 }
  }

  function answerCertificates(target: string, text: string, refuse: (problem: string) => Answered): Answered {
    const schema = model.actions[target]
    const body = JSON.parse(text) as Record<string, unknown>
    if (!schema || !ajv.validate(schema, body)) return refuse(schema ? ajv.errorsText() : `there is no ${target}`)
    const arn = String(body['CertificateArn'])
    switch (target.split('.')[1]) {
      case 'ImportCertificate': {
        const leaf = Buffer.from(String(body['Certificate']), 'base64').toString()
        if ((leaf.match(/BEGIN CERTIFICATE/g) ?? []).length !== 1)
          return noJson('ValidationException', 'The certificate field contains more than one certificate.')
        certificates.push(leaf)
        const made = {
          arn: `arn:aws:acm:us-east-1:123456789012:certificate/${newId(12)}`,
          name: 'www.example.test',
          mark: (body['Tags'] as { Value: string }[])[0]?.Value ?? '',
        }
        store.set(made.arn, made)
        return { status: 200, body: { CertificateArn: made.arn } }
      }
      case 'ListCertificates':
        return {
          status: 200,
          body: {
            CertificateSummaryList: [...store.values()].map(({ arn, name }) => ({
              CertificateArn: arn,
              DomainName: name,
              SubjectAlternativeNameSummaries: [name, '*.example.test'],
            })),
          },
        }
      case 'ListTagsForCertificate':
        return store.has(arn)
          ? { status: 200, body: { Tags: [{ Key: 'fairway', Value: store.get(arn)?.mark }] } }
          : noJson('ResourceNotFoundException', 'Could not find the certificate.')
      default:
        if (
          [...distributions.values()].some(
            ({ config }) => (config['ViewerCertificate'] as { ACMCertificateArn?: string }).ACMCertificateArn === arn,
          )
        )
          return noJson('ResourceInUseException', `Certificate ${arn} is in use.`)
        store.delete(arn)
        return { status: 200, body: {} }
    }
  }

  const statusOf = ({ deployed }: Distribution) => (deployed ? 'Deployed' : 'InProgress')
  const shown = (one: Distribution, status = 200): Answered => ({
    status,
    headers: { etag: `E${one.etag}` },
    text: `<?xml version="1.0"?>\n<Distribution xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Id>${one.id}</Id><ARN>arn:aws:cloudfront::123456789012:distribution/${one.id}</ARN><Status>${statusOf(one)}</Status><InProgressInvalidationBatches>0</InProgressInvalidationBatches><DomainName>d${one.id.toLowerCase()}.cloudfront.net</DomainName><DistributionConfig>${one.xml}</DistributionConfig></Distribution>`,
  })
  const invalidation = (id: string) =>
    `<Invalidation><Id>${id}</Id><Status>${mood.at === 'comply' ? 'Completed' : 'InProgress'}</Status></Invalidation>`
  const taken = (except: string | null) => (alias: string) =>
    [...distributions.values()].some(
      ({ id, config }) => id !== except && (config['Aliases'] as { Items?: string[] }).Items?.includes(alias),
    )
  return {
    ...vendor,
    mood,
    things: () => [
      ...[...distributions.values()].map(({ config }) => `distribution ${String(config['CallerReference'])}`),
      ...[...store.values()].map(({ mark }) => `certificate ${mark}`),
      ...[...publicKeys.values()].map(({ name }) => `public key ${name}`),
      ...[...keyGroups.values()].map(({ name, keys }) => `key group ${name} of ${keys.length}`),
    ],
    settings: () =>
      [...distributions.values()].map(({ config }) => ({ ...config, ViewerCertificate: null, Comment: null })),
    certificates: () => certificates,
    purges: () => purges,
  }
}

function answerMetrics(text: string, refuse: (problem: string) => Answered): Answered {
  const body = JSON.parse(text) as Record<string, unknown>
  const schema = model.actions['GetMetricData']
  if (!schema || !ajv.validate(schema, body)) return refuse(ajv.errorsText())
  const values: Record<string, number> = { requests: 100, bytes: 5_000, rate4: 5, rate5: 2 }
  return {
    status: 200,
    body: {
      MetricDataResults: (body['MetricDataQueries'] as { Id: string }[]).map(({ Id }) => ({
        Id,
        Label: 'x',
        StatusCode: 'Complete',
        Timestamps: [Date.parse('2026-01-01T10:00:00Z') / 1000],
        Values: [values[Id]],
      })),
    },
  }
}

function problemOf({ query, headers = [], root, body }: Model['operations'][string], heard: Heard): string | null {
  if (!ajv.validate(query ?? { type: 'object', additionalProperties: false }, Object.fromEntries(heard.query)))
    return `query: ${ajv.errorsText()}`
  for (const name of headers) if (heard.headers[name.toLowerCase()] === undefined) return `${name} is missing`
  if (!root || !body) return heard.text === '' ? null : 'takes no body'
  if (!heard.text.includes(`<${root} xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/">`))
    return 'the root or its namespace is missing'
  try {
    return ajv.validate(body, parsed(inner(heard.text, root), body)) ? null : ajv.errorsText()
  } catch (error) {
    return String(error)
  }
}

const inner = (xml: string, root: string): string => new RegExp(`<${root}[^>]*>([^]*)</${root}>`).exec(xml)?.[1] ?? ''

/**
 * XML as AWS's model reads it: lists by the name of their members, text by its type. @throws Error for what is no XML
 * or no member of the model
 */
function parsed(xml: string, schema: Schema): unknown {
  if (schema.type === 'array')
    return childrenOf(xml).map(({ name, content }) => {
      if (name !== schema['x-item']) throw new Error(`${name} is no ${schema['x-item']}`)
      return parsed(content, schema.items ?? {})
    })
  if (schema.type === 'object')
    return Object.fromEntries(
      childrenOf(xml).map(({ name, content }) => [name, parsed(content, schema.properties?.[name] ?? {})]),
    )
  if (schema.type === 'boolean') return xml === 'true' ? true : xml === 'false' ? false : xml
  return schema.type === 'integer' || schema.type === 'number' ? Number(xml) : xml
}

function childrenOf(xml: string): { name: string; content: string }[] {
  const found: { name: string; content: string }[] = []
  for (let rest = xml; rest !== '';) {
    const name = /^<(\w+)>/.exec(rest)?.[1]
    if (!name) throw new Error(`no element at ${rest.slice(0, 40)}`)
    let depth = 0
    let end = 0
    for (const tag of rest.matchAll(new RegExp(`<(/?)${name}>`, 'g'))) {
      depth += tag[1] === '/' ? -1 : 1
      if (depth === 0) {
        end = tag.index
        break
      }
    }
    found.push({ name, content: rest.slice(name.length + 2, end) })
    rest = rest.slice(end + name.length + 3)
  }
  return found
}

const XMLNS = 'http://cloudfront.amazonaws.com/doc/2020-05-31/'
const MADE = '2026-01-01T10:00:00Z'
const publicKeyXml = ({ id, name, pem }: PublicKey) =>
  `<PublicKeySummary><Id>${id}</Id><Name>${name}</Name><CreatedTime>${MADE}</CreatedTime><EncodedKey>${pem}</EncodedKey></PublicKeySummary>`
const keyGroupXml = ({ id, name, keys }: KeyGroup) =>
  `<KeyGroup xmlns="${XMLNS}"><Id>${id}</Id><LastModifiedTime>${MADE}</LastModifiedTime><KeyGroupConfig><Name>${name}</Name><Items>${keys.map((key) => `<PublicKey>${key}</PublicKey>`).join('')}</Items></KeyGroupConfig></KeyGroup>`
function readKey(pem: string): crypto.KeyObject | null {
  try {
    return crypto.createPublicKey(pem)
  } catch {
    return null
  }
}

const no = (status: number, code: string, message: string): Answered => ({
  status,
  text: `<ErrorResponse xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
})
const noJson = (type: string, message: string): Answered => ({ status: 400, body: { __type: type, message } })
