import type { DnsZone } from '@fairway/contract'

export type ZoneOwner = { organizationId: string | null; proven: boolean }

/** Whose a published zone is, and whether its name was shown to be theirs. Former documents say nothing of it. */
export const ownerOfZone = ({
  organizationId,
  proven = false,
}: Pick<DnsZone, 'organizationId' | 'proven'>): ZoneOwner => ({
  organizationId,
  proven,
})

/**
 * Whether an answer may go on from one zone into another of ours. Anybody may claim anybody's name: a zone that is not
 * proven is answered to who asks for it, but for everybody else its names are what the rest of the world says of them.
 * The installation's own zones have no organisation.
 */
export const mayFollow = (from: ZoneOwner, to: ZoneOwner): boolean =>
  to.proven || to.organizationId === null || to.organizationId === from.organizationId
