export { buildLua } from './nginx/build-lua.ts'
export { endLeftovers } from './nginx/leftovers.ts'
export { startEdge } from './role.ts'
