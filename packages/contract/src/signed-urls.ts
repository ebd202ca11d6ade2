import { z } from 'zod'
import { IpAddress } from './formats/cidr.ts'
import { del, feature, get, post, put } from './route.ts'

/** `ecdsa-p256` signs tokens that the edge checks, `rsa-2048` addresses of the organisation's own CloudFront. */
export const SigningKind = z.enum(['ecdsa-p256', 'rsa-2048'])
export type SigningKind = z.infer<typeof SigningKind>

/** A key that is signed with. Only its public half is kept. */
export const SigningKey = z.object({
  id: z.string(),
  kind: SigningKind,
  /** What CloudFront calls it (`Key-Pair-Id`); null while it has not been given there, or is not for there. */
  keyPairId: z.string().nullable(),
  /** Counts the keys of an organisation; none is given twice. */
  serial: z.int(),
  /** `kid` of a token (RFC 7515 4.1.4): the beginning of the SHA-256 of the public key. */
  keyId: z.string(),
  /** Made elsewhere: the private half was never here. */
  isOwn: z.boolean(),
  /** PEM. */
  publicKey: z.string(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
})
export type SigningKey = z.infer<typeof SigningKey>

/** A distribution for the organisation's videos in its own account at CloudFront, which checks what RSA keys signed. */
export const CloudfrontVideos = z.object({
  cdnId: z.string(),
  name: z.string(),
  state: z.enum(['setting-up', 'live', 'removing']),
  /** Where viewers get videos from there; null until CloudFront has told it. */
  host: z.string().nullable(),
  /** What CloudFront said last, when it was no. */
  problem: z.string().nullable(),
})
export type CloudfrontVideos = z.infer<typeof CloudfrontVideos>

export const SignedUrls = z.object({
  /** Every video and live stream of the organisation is given only to who has a token. */
  on: z.boolean(),
  keys: z.array(SigningKey),
  limit: z.int(),
  /** Where viewers get videos from. */
  origin: z.string(),
  /** How many videos and live streams it is about. */
  sources: z.int(),
  /** Of the newest of them, to try with; null while there is none. */
  sample: z.object({ folder: z.string(), file: z.string() }).nullable(),
  cloudfront: CloudfrontVideos.nullable(),
  /** Where a distribution may be made: the organisation's own accounts at CloudFront. */
  accounts: z.array(z.object({ cdnId: z.string(), name: z.string() })),
})
export type SignedUrls = z.infer<typeof SignedUrls>

export const SigningKeyInput = z.object({
  kind: SigningKind.default('ecdsa-p256'),
  /** Of a pair made elsewhere, in PEM. Left out: a pair is made, and its private half answered this once. */
  publicKey: z.string().trim().max(2_000, 'validation.max:2000').optional(),
})

/** What a viewer's request would be: all that is left out is unknown to the edge. */
export const InspectedUrl = z.object({
  url: z
    .string()
    .trim()
    .min(1, 'validation.required')
    .max(4_000, 'validation.max:4000')
    .regex(/^https?:\/\/[^\s"<>\\^`{|}]+$/, 'validation.signedUrl'),
  address: IpAddress.optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'validation.countryCode')
    .optional(),
  referrer: z.string().trim().max(2_000, 'validation.max:2000').optional(),
  at: z.iso.datetime().optional(),
})
export type InspectedUrl = z.infer<typeof InspectedUrl>

export const InspectedCheck = z.object({
  /** Also the reason, where it is the one that fails. */
  check: z.string(),
  /** `skipped`: one before it has failed. */
  state: z.enum(['passed', 'failed', 'skipped']),
  found: z.string(),
  wanted: z.string(),
})
export type InspectedCheck = z.infer<typeof InspectedCheck>

export const InspectedToken = z.object({
  /** In the address is a token that was signed or none, a path token that the edge made of one, or what CloudFront checks. */
  kind: z.enum(['token', 'path-token', 'cloudfront']),
  /** Null: it plays. */
  refusal: z.string().nullable(),
  checks: z.array(InspectedCheck),
  /** Signing is on; while it is off everything plays. */
  on: z.boolean(),
  /** The address is of a host that this organisation's videos have; else another edge or organisation answers it. */
  isOwnHost: z.boolean(),
  /** Of the visitor, as given or by the address; null is unknown. */
  country: z.string().nullable(),
  /** What the token says; null when it cannot be read or is not genuine. */
  claims: z
    .object({
      host: z.string(),
      path: z.string(),
      expiresAt: z.iso.datetime(),
      notBefore: z.iso.datetime().nullable(),
      countries: z.array(z.string()),
      addresses: z.array(z.string()),
      referrers: z.array(z.string()),
    })
    .nullable(),
  keyId: z.string(),
})
export type InspectedToken = z.infer<typeof InspectedToken>

const AT = '/vsp/v2/signed-urls'
const READ = { permission: 'ViewSite', planFeature: 'vsp.enable' } as const
const EDIT = { permission: 'EditSite', planFeature: 'vsp.enable', changes: [] } as const

/** Videos that play only with a token which the customer's own server has signed. */
export const signedUrls = feature('signed-urls', {
  get: get(`${AT}/`, { out: SignedUrls, ...READ, errors: [] }),
  set: put(`${AT}/`, {
    in: z.object({ on: z.boolean() }),
    out: SignedUrls,
    ...EDIT,
    errors: [34002],
    audit: 'signed-urls.set',
    summary: 'Switches signing for all videos and live streams. On, whoever has no token is refused.',
  }),
  createKey: post(`${AT}/keys/`, {
    in: SigningKeyInput,
    out: z.object({ data: SigningKey, privateKey: z.string().nullable() }),
    ...EDIT,
    errors: [34001],
    lasting: true,
    audit: 'signed-urls.create-key',
    summary: 'Makes a key pair, whose private half is answered once and not kept, or takes a public key.',
  }),
  removeKey: del(`${AT}/keys/{id}/`, {
    out: z.object({ id: z.string() }),
    ...EDIT,
    errors: [34002],
    audit: 'signed-urls.remove-key',
    summary: 'What was signed with it is refused from then on, also where it is playing.',
  }),
  placeCloudfront: put(`${AT}/cloudfront/`, {
    in: z.object({ cdnId: z.string().regex(/^[a-z0-9-]{1,63}$/, 'validation.invalid') }),
    out: SignedUrls,
    ...EDIT,
    errors: [34002],
    audit: 'signed-urls.place-cloudfront',
    summary:
      'Makes a distribution for the videos in an own account at CloudFront, with the RSA keys as the ones it trusts.',
  }),
  removeCloudfront: del(`${AT}/cloudfront/`, {
    out: SignedUrls,
    ...EDIT,
    errors: [],
    audit: 'signed-urls.remove-cloudfront',
    summary: 'Takes the distribution, its key group and its keys away. It gets nothing more from the edge at once.',
  }),
  inspect: post(`${AT}/inspect/`, {
    in: InspectedUrl,
    out: InspectedToken,
    permission: 'ViewSite',
    planFeature: 'vsp.enable',
    errors: [],
    audit: null,
    changes: [],
    summary: 'Every check that the edge makes of an address, and why it is refused.',
  }),
})
