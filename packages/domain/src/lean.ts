/** What a name server's answering processes decide by: the same functions as in the index, without the schemas that other parts of the domain bring along. */
export { type IpNetwork, contains, parseCidr, parseVisitorAddress } from './steering/cidr.ts'
export { decide } from './steering/decide.ts'
export { settlingBits } from './steering/policy-cidrs.ts'
export { type PolicyIndex, policyIndex, projectLocation } from './steering/project.ts'
