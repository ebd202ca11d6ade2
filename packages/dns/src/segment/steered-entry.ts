import type { SteeringPolicy } from '@fairway/contract'
import type { Decider } from '../steering/decider.ts'
import type { NameCursor } from '../wire/name-cursor.ts'

/**
 * A steered name of a segment (`index` is its place there): its policy and, in the policy's order of CDNs, the name to
 * answer with; null while a CDN has none.
 * `decider` decides for it; set while its zone is in service.
 */
export type SteeredEntry = {
  index: number
  name: string
  domainId: string
  policy: SteeringPolicy
  cnames: (NameCursor | null)[]
  decider: Decider | null
}
