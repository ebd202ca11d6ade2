import type { ClaimProof, ClaimReason } from '@fairway/contract'

/** Days that an unproven claim lasts, and that a parked one and a deleted name are kept. */
export const UNPROVEN_DAYS = 28
export const KEPT_DAYS = 30
const DAY_MS = 86_400_000

/** An organisation's hold on a name, as it stands. Times in ms. */
export type ClaimNow = {
  state: 'looking' | 'served' | 'proven' | 'parked'
  reason: ClaimReason | null
  /** When the state began. */
  since: number
  /** Since when the organisation has wanted the name without a proof. */
  claimedAt: number
}

/** What was seen from outside: never what our own servers say of the name. */
export type NameSeen = {
  /** Whether the parent zone's own servers have answered. */
  parent: 'asked' | 'away'
  /** Which nameservers of ours the parent names: just the claim's pair, one of the two, some others of ours, or none. */
  leads: 'to-pair' | 'to-part-of-pair' | 'to-others-of-ours' | 'elsewhere'
  /** The claim's token stands at the name's present DNS. */
  txt: boolean
}

/** What other organisations hold of the name. */
export type NameHeld = {
  /** One of them has proven it. */
  proven: boolean
  /** One of them has proven a name above or below. */
  provenAround: boolean
  /** One of them is served, or about to be. */
  first: boolean
  /** One of them has deleted it lately. */
  reserved: boolean
  /** One of them has, or had, the claim's very pair for it: a delegation cannot tell the two apart. */
  samePair: boolean
}

export type ClaimRules = {
  /** Names of special use (RFC 6761) are in no parent zone: nothing can be proven, so nothing has to be. */
  canBeProven: boolean
  /** A name whose parent cannot be asked is served all the same. */
  tolerant: boolean
}

export type ClaimStep =
  | { state: 'looking' | 'served' }
  | { state: 'proven'; by: Exclude<ClaimProof, 'house'> }
  | { state: 'parked'; reason: ClaimReason }

/** Where a new claim begins, before anybody has looked. */
export function firstStep(held: NameHeld, { canBeProven }: ClaimRules): ClaimStep {
  return standing(held) ?? { state: canBeProven ? 'looking' : 'served' }
}

/** What becomes of a claim by what was seen; null when it stays as it is. */
export function nextStep(
  claim: ClaimNow,
  seen: NameSeen,
  held: NameHeld,
  rules: ClaimRules,
  now: number,
): ClaimStep | null {
  // A proven name stays its owner's, wherever its delegation goes, until another one proves it.
  if (claim.state === 'proven') return null
  const by = proofIn(seen, held)
  if (by !== null && !held.provenAround) return { state: 'proven', by }
  // One that was parked before its time, by a clock that was ahead, is none.
  if (claim.reason === 'proven-elsewhere' || (claim.reason === 'no-proof' && isUnprovenTooLong(claim, now))) return null
  const next = withoutProof(claim, seen, held, rules, now)
  const isSame = next.state === claim.state && ('reason' in next ? next.reason : null) === claim.reason
  return isSame ? null : next
}

/** When a claim ends by itself: an unproven one is parked, a parked one removed. Null while others have to move first. */
export function claimUntil({ state, reason, since, claimedAt }: ClaimNow, { canBeProven }: ClaimRules): number | null {
  if (state === 'proven' || state === 'looking') return null
  if (state === 'served' || reason === 'claimed-first' || reason === 'reserved')
    return canBeProven ? claimedAt + UNPROVEN_DAYS * DAY_MS : null
  return since + KEPT_DAYS * DAY_MS
}

function withoutProof(claim: ClaimNow, seen: NameSeen, held: NameHeld, rules: ClaimRules, now: number): ClaimStep {
  const leadsElsewhere = seen.leads === 'to-others-of-ours' || seen.leads === 'to-pair'
  if (rules.canBeProven && isUnprovenTooLong(claim, now)) return { state: 'parked', reason: 'no-proof' }
  if (seen.parent === 'asked' && leadsElsewhere && !held.proven && !held.provenAround)
    return { state: 'parked', reason: 'delegated-elsewhere' }
  const barred = standing(held)
  if (barred) return barred
  if (seen.parent === 'asked' || rules.tolerant || !rules.canBeProven) return { state: 'served' }
  // Nobody knows where the parent leads: what is served already goes on, what is new waits.
  return claim.state === 'served' ? { state: 'served' } : { state: 'looking' }
}

const isUnprovenTooLong = ({ claimedAt }: ClaimNow, now: number): boolean => now >= claimedAt + UNPROVEN_DAYS * DAY_MS

/** What others hold comes before an unproven claim. */
function standing({ proven, provenAround, first, reserved }: NameHeld): ClaimStep | null {
  if (proven || provenAround) return { state: 'parked', reason: 'proven-elsewhere' }
  if (reserved) return { state: 'parked', reason: 'reserved' }
  return first ? { state: 'parked', reason: 'claimed-first' } : null
}

/** A record at the present DNS proves nothing where the delegation leads to us: it could be our own answer. */
function proofIn({ parent, leads, txt }: NameSeen, { samePair }: NameHeld): Exclude<ClaimProof, 'house'> | null {
  if (parent !== 'asked') return null
  if (leads === 'to-pair') return samePair ? null : 'delegation'
  return leads === 'elsewhere' && txt ? 'txt' : null
}
