import { z } from 'zod'

/**
 * Why a claim is not served: another organisation's was first (`claimed-first`), has been proven (`proven-elsewhere`),
 * or was deleted lately and is kept for it (`reserved`); the parent zone names another pair of our nameservers
 * (`delegated-elsewhere`); no proof came in time (`no-proof`).
 */
export const ClaimReason = z.enum(['claimed-first', 'proven-elsewhere', 'delegated-elsewhere', 'reserved', 'no-proof'])
export type ClaimReason = z.infer<typeof ClaimReason>

/** By a delegation to the site's own pair of nameservers, by a TXT record, or by the house, which asks for none. */
export const ClaimProof = z.enum(['delegation', 'txt', 'house'])
export type ClaimProof = z.infer<typeof ClaimProof>

const since = z.iso.datetime()

/**
 * How an organisation holds a site's name. `served` is without proof yet, and so until `until`; null where no proof can
 * be asked for. `looking` waits for what the parent zone says. A `parked` claim is not served; it is removed at
 * `until`, null while others have to move first.
 */
export const Claim = z.discriminatedUnion('state', [
  z.object({ state: z.literal('draft') }),
  z.object({ state: z.literal('looking'), since }),
  z.object({ state: z.literal('served'), since, until: z.iso.datetime().nullable() }),
  z.object({ state: z.literal('proven'), since, by: ClaimProof }),
  z.object({ state: z.literal('parked'), since, reason: ClaimReason, until: z.iso.datetime().nullable() }),
])
export type Claim = z.infer<typeof Claim>

/** The record that proves a name at its present DNS, and whether it was seen there; null when nobody could look. */
export const ProofRecord = z.object({ name: z.string(), value: z.string(), seen: z.boolean().nullable() })
export type ProofRecord = z.infer<typeof ProofRecord>
