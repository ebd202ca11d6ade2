export { buildLua } from './nginx/build-lua.ts'
export { endLeftovers } from './nginx/leftovers.ts'
export { selfSignedCertificate } from './nginx/self-signed.ts'
export { startEdge } from './role.ts'
