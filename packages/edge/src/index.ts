export { buildLua } from './nginx/build-lua.ts'
export { endLeftoverNginx } from './nginx/end-leftover.ts'
export { startEdge } from './role.ts'
