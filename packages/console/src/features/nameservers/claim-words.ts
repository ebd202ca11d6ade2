import type { Claim } from '@fairway/contract'

/** Nothing is left to do: the name is proven, or nobody can ask for a proof of it. */
export const isSettled = (claim: Claim): boolean =>
  claim.state === 'proven' || claim.state === 'draft' || (claim.state === 'served' && claim.until === null)

/** Our nameservers and the edge answer for the name. */
export const isAnswered = (claim: Claim): boolean => claim.state === 'served' || claim.state === 'proven'
