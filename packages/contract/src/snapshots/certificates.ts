import { z } from 'zod'

/** One certificate as the edge serves it. The key is sealed with the secret that the nodes share. */
export const EdgeCertificate = z.object({
  certificateId: z.string(),
  chainPem: z.string(),
  sealedPrivateKey: z.string(),
  notAfter: z.number(),
  /** The authority's word that it is not revoked (DER, base64), and until when it holds, epoch ms. */ staple: z
    .object({ response: z.string(), until: z.number() })
    .nullable()
    .default(null),
})
export type EdgeCertificate = z.infer<typeof EdgeCertificate>

/**
 * The certificates of a site, whole, at one version: which name (`*.` for one label) is served with which. `domain`:
 * what the names are at or under; of several sites' the longest has a name. Empty in documents of older publishers.
 */
export const EdgeCertificates = z.object({
  siteId: z.string(),
  domain: z.string().default(''),
  organizationId: z.string(),
  version: z.int(),
  certificates: z.array(EdgeCertificate),
  names: z.record(z.string(), z.string()),
})
export type EdgeCertificates = z.infer<typeof EdgeCertificates>

/** What the edge answers an authority at one host under `/.well-known/acme-challenge/` (RFC 8555 8.3). */
export const EdgeChallenge = z.object({
  host: z.string(),
  token: z.string().regex(/^[\w-]{1,200}$/),
  keyAuthorization: z.string().regex(/^[\w-]{1,200}\.[\w-]{1,200}$/),
})

/** The challenges of a site's orders, whole, at one version; none when nothing is being proven. */
export const EdgeChallenges = z.object({
  siteId: z.string(),
  organizationId: z.string(),
  version: z.int(),
  challenges: z.array(EdgeChallenge),
})
export type EdgeChallenges = z.infer<typeof EdgeChallenges>
