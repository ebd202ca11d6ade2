/**
 * What a name server decides by: the same functions as in the index, without the schemas and tables that other parts of
 * the domain bring along.
 */
export { canonicalIpv6 } from './dns/addresses.ts'
export { isPublicAddress } from './dns/bogon.ts'
export { type ZoneOwner, mayFollow, ownerOfZone } from './dns/follow-zone.ts'
export { PATCHED_FROM_SETS, patchedZone } from './dns/patch-zone.ts'
export { rdataBytes } from './dns/rdata/rdata.ts'
export {
  siteOfZone,
  TRANSFER_TTL_SECONDS,
  namesToFlatten,
  steeringName,
  steeringOrigin,
  steeringZone,
  steeringZoneId,
} from './dns/transfer-form.ts'
export { contains, type IpNetwork, parseAddress, parseCidr } from './steering/cidr.ts'
export { decide, isStale } from './steering/decide.ts'
export { type Check, hardFailure } from './steering/hard-failure.ts'
export { type PolicyIndex, policyIndex, projectLocation } from './steering/project.ts'
export { beginReturn, RETURN_STEP_MS, type Return, stepReturn } from './steering/return-steps.ts'
export { lotOf, sharesOf, type VisitorShare } from './steering/visitor-share.ts'
