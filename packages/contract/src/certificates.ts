import { z } from 'zod'
import { NodeState } from './versions.ts'
import { ListQuery, changed, feature, del, get, page, post } from './route.ts'

/** Who signs. `custom` and `custom-san` are uploaded; the others are ordered from an authority by ACME (RFC 8555). */
export const CertificateType = z.enum(['lets-encrypt', 'zero-ssl', 'custom', 'custom-san'])
export type CertificateType = z.infer<typeof CertificateType>
export const AuthorityId = z.enum(['lets-encrypt', 'zero-ssl'])
export type AuthorityId = z.infer<typeof AuthorityId>

/**
 * How control over names is proven (RFC 8555 8): by a TXT record in the zone, or by a file that the edge answers over
 * plain HTTP.
 */
export const ChallengeType = z.enum(['dns-01', 'http-01'])
export type ChallengeType = z.infer<typeof ChallengeType>

/**
 * `issuing`: ordered and on its way. `waiting`: the authority lets us order again later. `active`: served. `expiring`:
 * fewer than 30 days are left and no renewal is under way, or nodes refuse the one that was renewed.
 * `inactive`: could not be issued. `deleting`: leaves the edge.
 */
export const CertificateStatus = z.enum(['issuing', 'waiting', 'active', 'expiring', 'expired', 'inactive', 'deleting'])
export type CertificateStatus = z.infer<typeof CertificateStatus>

/** Where an order stands, in the order in which it happens. `deploy` ends when every edge node has confirmed. */
export const IssueStep = z.enum(['order', 'publish', 'validate', 'deploy'])
export type IssueStep = z.infer<typeof IssueStep>

export const CertificateDetails = z.object({
  commonName: z.string(),
  names: z.array(z.string()),
  issuer: z.string(),
  serialNumber: z.string(),
  /** For example `RSA 2048` or `EC P-256`. */
  publicKey: z.string(),
  signatureAlgorithm: z.string(),
  notBefore: z.iso.datetime(),
  notAfter: z.iso.datetime(),
  fingerprint: z.string(),
})
export type CertificateDetails = z.infer<typeof CertificateDetails>

export const Certificate = z.object({
  id: z.string(),
  siteId: z.string(),
  siteName: z.string(),
  type: CertificateType,
  status: CertificateStatus,
  /** Names it is asked for or has. */
  names: z.array(z.string()),
  commonName: z.string(),
  /** How control over the names is proven, or was last; null for an uploaded one. */
  challenge: ChallengeType.nullable(),
  /**
   * What the order is doing; null when nothing is under way. A certificate that is being renewed is served meanwhile.
   */
  step: IssueStep.nullable(),
  /** Why it is not further: the authority's own words where it has said something. */
  problem: z.string().nullable(),
  /** When it is tried again, or renewed. */
  nextAt: z.iso.datetime().nullable(),
  /** Null until there is one. */
  details: CertificateDetails.nullable(),
  importedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})
export type Certificate = z.infer<typeof Certificate>

/** A vendor's CDN that shows a name of the certificate: whether it was given this very one, and when. */
export const CertificateAtCdn = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  state: z.enum(['installed', 'installing', 'error']),
  at: z.iso.datetime().nullable(),
  detail: z.string().nullable(),
})

/** A certificate with what each edge node and each vendor's CDN says of it. */
export const CertificateReceipts = Certificate.extend({
  nodes: z.array(NodeState),
  cdns: z.array(CertificateAtCdn),
  state: z.enum(['installed', 'installing', 'error']).nullable(),
})
export type CertificateReceipts = z.infer<typeof CertificateReceipts>

const Pem = z.string().trim().min(1).max(100_000)
const CertificateName = z.string().trim().toLowerCase().min(1).max(253)
export const CertificateNames = z.array(CertificateName).min(1).max(98)
/** Without a challenge: in DNS where the zone is answered here, else at the edge; looked at anew with each renewal. */
export const CertificateOrder = z.object({
  names: CertificateNames,
  authority: AuthorityId,
  challenge: ChallengeType.optional(),
})
export const CertificateUpload = z.object({
  certificate: Pem,
  privateKey: Pem,
  chain: z.string().trim().max(300_000).default(''),
})

/**
 * What stands in the way of an order, name by name: `not-of-site`, `bad-name`, `bad-wildcard`, `caa` (the zone forbids
 * the authority), `delegated` (`_acme-challenge` points elsewhere), `not-verified` (the world asks other nameservers),
 * `not-at-edge` (it has no CDN), `authority-missing` (the one that is named is not set up here), `other-cdn` (one of its CDNs is not answered by our edge).
 */
export const PrecheckProblem = z.object({
  name: z.string(),
  problem: z.enum([
    'authority-missing',
    'not-of-site',
    'bad-name',
    'bad-wildcard',
    'caa',
    'delegated',
    'not-verified',
    'not-at-edge',
    'other-cdn',
  ]),
  hint: z.string().nullable(),
})
export type PrecheckProblem = z.infer<typeof PrecheckProblem>

export const certificates = feature('certificates', {
  list: get('/ssl/v2/certificates/', {
    fromReplica: true,
    in: ListQuery.extend({ site: z.uuid().optional() }),
    out: page(Certificate),
    permission: 'ViewSite',
    errors: [],
  }),
  get: get('/ssl/v2/certificates/{id}/', { out: CertificateReceipts, permission: 'ViewSite', errors: [] }),
  authorities: get('/ssl/v2/authorities/', {
    out: z.object({ data: z.array(z.object({ id: AuthorityId, name: z.string(), configured: z.boolean() })) }),
    permission: 'ViewSite',
    errors: [],
  }),
  precheck: post('/ssl/v2/sites/{site}/precheck/', {
    in: CertificateOrder,
    out: z.object({ /** What the order would use. */ challenge: ChallengeType, problems: z.array(PrecheckProblem) }),
    permission: 'EditSite',
    errors: [],
    audit: null,
    changes: [],
  }),
  issue: post('/ssl/v2/sites/{site}/certificates/', {
    // More names than a certificate holds are told by their code.
    in: CertificateOrder.extend({ names: z.array(CertificateName).min(1).max(1000) }),
    out: changed(Certificate),
    permission: 'EditSite',
    apiTier: 4,
    errors: [27005, 28003, 28005, 28014, 28015, 28017, 28018, 28023, 28024],
    audit: 'certificate.issue',
    changes: ['dns-zone', 'edge-challenges'],
    summary: 'Orders a certificate; the order goes on by itself and shows its steps. Wildcards are proven in DNS only.',
  }),
  checkUpload: post('/web/v2/sites/{site}/sslcert/check/', {
    in: CertificateUpload,
    out: z.object({
      details: CertificateDetails,
      uncovered: z.array(z.string()),
      /** Names in it that are not at or under the site's domain: it is not shown for them here. */
      elsewhere: z.array(z.string()).default([]),
    }),
    permission: 'EditSite',
    apiTier: 4,
    errors: [28001, 28004, 28006, 28007, 28008, 28009, 28010, 28011, 28012, 28013, 28014, 28015, 28017, 28021],
    audit: null,
    changes: [],
    summary: 'Reads a certificate to be uploaded and tells what it is, without keeping anything.',
  }),
  upload: post('/web/v2/sites/{site}/sslcert/', {
    in: CertificateUpload,
    out: changed(Certificate),
    permission: 'EditSite',
    apiTier: 4,
    errors: [28001, 28003, 28004, 28006, 28007, 28008, 28009, 28010, 28011, 28012, 28013, 28014, 28015, 28017, 28021],
    audit: 'certificate.upload',
    changes: ['edge-certificates'],
  }),
  /** Tries again at once what has failed, and renews what is active; what waits for its authority goes on waiting (28005). */
  renew: post('/ssl/v2/certificates/{id}/renew/', {
    out: Certificate,
    permission: 'EditSite',
    apiTier: 4,
    errors: [28002, 28005, 28018, 28023],
    audit: 'certificate.renew',
    changes: [],
  }),
  remove: del('/ssl/v2/certificates/{id}/', {
    in: z.object({
      /** Also where domains that always use HTTPS are left without one. */ confirm: z.boolean().optional(),
    }),
    out: changed(z.object({ id: z.string() })),
    permission: 'EditSite',
    apiTier: 4,
    errors: [28002, 28022],
    audit: 'certificate.remove',
    changes: ['dns-zone', 'edge-certificates', 'edge-challenges'],
  }),
})
