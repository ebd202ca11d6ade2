import { z } from 'zod'
import { HostName } from './formats/fqdn.ts'
import { PARTNER_FEATURES } from './partner-features.ts'
import { del, feature, get, page, ListQuery, post, put } from './route.ts'

/** Pictures that a partner replaces; `logoWordWhite` stands on dark and extra-small screens. */
export const PartnerFileKind = z.enum(['logoWord', 'logoWordWhite', 'favicon'])
export type PartnerFileKind = z.infer<typeof PartnerFileKind>

/** Types that may be uploaded; what a file really is, is read from its bytes. */
export const PARTNER_FILE_TYPES = ['image/svg+xml', 'image/png', 'image/webp', 'image/x-icon'] as const
export const PARTNER_FILE_BYTES = 262_144

/** `#rrggbb`, lower case. */
export const HexColor = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, 'validation.hexColor')

/** A web address that a visitor may be sent to: https, or a path of our own. */
const PublicLink = z.union([
  z.url({ protocol: /^https?$/, error: 'validation.url' }).max(500),
  z
    .string()
    .max(500)
    .regex(/^\/(?!\/)[\w./-]*$/, 'validation.url'),
])

/** Everything a partner replaces. */
export const PartnerSettings = z.object({
  companyName: z.string().trim().min(1).max(80),
  /** Under which the console is served for its customers; null only for the installation's own brand. */
  hostName: HostName.nullable(),
  brandColor: HexColor,
  contactEmail: z.email().max(254).nullable(),
  termsLink: PublicLink.nullable(),
  privacyPolicyLink: PublicLink.nullable(),
  apiDocumentUrl: PublicLink,
  hideFeature: z.array(z.enum(PARTNER_FEATURES)).max(PARTNER_FEATURES.length),
  ignoreMaintenanceMode: z.boolean(),
  supportSignup: z.boolean(),
  signupPhone: z.boolean(),
  sandboxMode: z.boolean(),
  /** *Sign in with Google* under this host name, whose redirect address has to be registered there. */
  googleSignIn: z.boolean(),
})
export type PartnerSettings = z.infer<typeof PartnerSettings>

export const Partner = PartnerSettings.extend({
  id: z.string(),
  acronym: z.string(),
  /** The installation's own brand: served under every host name that is no partner's, never deleted. */
  isDefault: z.boolean(),
  organizationCount: z.int(),
  /** Passkeys that were made under its host name, and end with it. */
  passkeyCount: z.int(),
  /** Address of each picture that was uploaded. */
  files: z.partialRecord(PartnerFileKind, z.string()),
  createdAt: z.iso.datetime(),
})
export type Partner = z.infer<typeof Partner>

/** Enough for a partner to be live; the rest has sensible values that are changed afterwards. */
const NewPartner = z.object({
  companyName: PartnerSettings.shape.companyName,
  hostName: HostName,
  brandColor: HexColor,
  contactEmail: z.email().max(254).nullable().default(null),
})

export const partners = feature('partners', {
  list: get('/operator/v2/partners/', {
    fromReplica: true,
    in: ListQuery,
    out: page(Partner),
    permission: 'operator',
    scope: 'installation',
    errors: [],
  }),
  get: get('/operator/v2/partners/{partner}/', {
    out: Partner,
    permission: 'operator',
    scope: 'installation',
    errors: [],
  }),
  create: post('/operator/v2/partners/', {
    in: NewPartner,
    out: Partner,
    permission: 'operator',
    scope: 'installation',
    errors: [7491],
    audit: 'partner.create',
    changes: [],
    summary: 'Makes a partner; its console is served under the host name at once.',
  }),
  update: put('/operator/v2/partners/{partner}/', {
    in: PartnerSettings.partial({ googleSignIn: true }),
    out: Partner,
    permission: 'operator',
    scope: 'installation',
    errors: [7491],
    audit: 'partner.update',
    changes: [],
  }),
  remove: del('/operator/v2/partners/{partner}/', {
    out: z.object({}),
    permission: 'operator',
    scope: 'installation',
    errors: [7409],
    audit: 'partner.remove',
    changes: [],
    summary: 'Removes a partner without organisations.',
  }),
  upload: put('/operator/v2/partners/{partner}/files/{kind}/', {
    in: z.object({
      /** base64 */ data: z
        .base64()
        .min(1)
        .max(Math.ceil(PARTNER_FILE_BYTES / 3) * 4),
    }),
    out: Partner,
    permission: 'operator',
    scope: 'installation',
    errors: [413],
    audit: 'partner.upload',
    changes: [],
    summary: 'Replaces a picture: SVG without scripts, PNG, WebP or ICO.',
  }),
  removeFile: del('/operator/v2/partners/{partner}/files/{kind}/', {
    out: Partner,
    permission: 'operator',
    scope: 'installation',
    errors: [],
    audit: 'partner.removeFile',
    changes: [],
  }),
})
