import { z } from 'zod'
import { BYO_PLATFORMS } from './lean.ts'
import { ListQuery, del, feature, get, page, post, put } from './route.ts'

export const ByoPlatform = z.enum(BYO_PLATFORMS)
export type ByoPlatform = z.infer<typeof ByoPlatform>

/** One field of a platform's key. Secret ones are sealed when they come in and never answered again. */
export type ByoField = {
  name: string
  secret: boolean
  required: boolean
  /** Its form; another one is code 8491. */ form: RegExp
  /** Several values, one a line. */ many?: boolean
  example: string
}

const field = (name: string, form: RegExp, example: string, more: Partial<ByoField> = {}): ByoField => ({
  name,
  form,
  example,
  secret: false,
  required: true,
  ...more,
})
const TOKEN_EXAMPLE = '••••••••••••••••'
const token = (name: string, form: RegExp): ByoField => field(name, form, TOKEN_EXAMPLE, { secret: true })

/** What each vendor asks for. Forms are the vendors' published ones, no tighter. */
export const BYO_FIELDS: Readonly<Record<ByoPlatform, readonly ByoField[]>> = {
  cloudfront: [
    field('region', /^[a-z]{2}(?:-[a-z]+){1,2}-\d$/, 'us-east-1'),
    field('accessKeyId', /^(?:AKIA|ASIA)[A-Z2-7]{16}$/, 'AKIAIOSFODNN7EXAMPLE'),
    token('secret', /^[A-Za-z0-9/+=]{40}$/),
    field('loggingBucket', /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'my-logs', { required: false }),
    field(
      'acmArns',
      /^arn:aws[\w-]*:acm:us-east-1:\d{12}:certificate\/[0-9a-f-]{36}$/,
      'arn:aws:acm:us-east-1:123456789012:certificate/…',
      { required: false, many: true },
    ),
  ],
  cloudflare: [
    field('zoneId', /^[0-9a-f]{32}$/, '023e105f4ecef8ad9ca31a8372d0c353', { required: false }),
    token('token', /^[A-Za-z0-9_-]{40,100}$/),
  ],
  fastly: [token('token', /^[A-Za-z0-9_-]{32,64}$/)],
  bunny: [token('token', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:[0-9a-f-]{0,40})$/i)],
  akamai: [
    field('host', /^akab-[a-z0-9-]{10,80}\.luna\.akamaiapis\.net$/, 'akab-….luna.akamaiapis.net'),
    field('clientToken', /^akab-[A-Za-z0-9-]{10,80}$/, 'akab-…'),
    field('accessToken', /^akab-[A-Za-z0-9-]{10,80}$/, 'akab-…', { secret: true }),
    token('clientSecret', /^[A-Za-z0-9+/=]{40,60}$/),
  ],
  tencent: [
    field('secretId', /^(?:AKID|IKID)[A-Za-z0-9_-]{13,64}$/, 'AKID…'),
    token('secretKey', /^[A-Za-z0-9_-]{20,64}$/),
  ],
}

/** A customer's own account at a CDN, as it may be shown. */
export const ByoCdnKey = z.object({
  id: z.string(),
  platform: ByoPlatform,
  name: z.string(),
  fields: z.record(z.string(), z.string()),
  /** Names of the secret fields that are stored. */
  secretsSet: z.array(z.string()),
  testedAt: z.iso.datetime().nullable(),
  /** Null with a `testedAt`: the vendor let us in. */
  testProblem: z.string().nullable(),
  createdAt: z.iso.datetime(),
  modifiedAt: z.iso.datetime(),
})
export type ByoCdnKey = z.infer<typeof ByoCdnKey>

/** Why a vendor did not let us in. */
export const ByoTestProblem = z.enum([
  'refused',
  'forbidden',
  'rateLimited',
  'vendorFailed',
  'unreachable',
  'unexpected',
])
export type ByoTestProblem = z.infer<typeof ByoTestProblem>

const Values = z.record(z.string().max(40), z.string().trim().max(4000))
const shared = { planFeature: 'byoCdn.enable' } as const

export const byoCdnKeys = feature('byo-cdn-keys', {
  list: get('/account/v2/byo-cdn-keys/', {
    ...shared,
    in: ListQuery,
    out: page(ByoCdnKey),
    permission: 'ViewCdnKey',
    errors: [27005],
  }),
  create: post('/account/v2/byo-cdn-keys/', {
    ...shared,
    in: z.object({ platform: ByoPlatform, name: z.string().trim().min(1).max(60), values: Values }),
    out: ByoCdnKey,
    permission: 'EditCdnKey',
    lasting: true,
    errors: [8421, 8491, 27005],
    audit: 'byoCdnKey.create',
    changes: [],
  }),
  update: put('/account/v2/byo-cdn-keys/{id}/', {
    ...shared,
    in: z.object({
      name: z.string().trim().min(1).max(60),
      /** Secret fields left out stay as they are. */ values: Values,
    }),
    out: ByoCdnKey,
    permission: 'EditCdnKey',
    lasting: true,
    errors: [8421, 8491, 27005],
    audit: 'byoCdnKey.update',
    changes: [],
  }),
  remove: del('/account/v2/byo-cdn-keys/{id}/', {
    ...shared,
    out: z.object({}),
    permission: 'EditCdnKey',
    errors: [8492, 27005],
    audit: 'byoCdnKey.remove',
    changes: [],
  }),
  test: post('/account/v2/byo-cdn-keys/{id}/test/', {
    ...shared,
    out: z.object({
      problem: ByoTestProblem.nullable(),
      /** What the vendor said, without secrets. */ detail: z.string().nullable(),
      key: ByoCdnKey,
    }),
    permission: 'EditCdnKey',
    errors: [27005],
    audit: 'byoCdnKey.test',
    changes: [],
    summary: 'Makes the cheapest call of the vendor with the stored key.',
  }),
})
