/** What the edge takes into nginx: nothing here needs more than the language itself. */
export { EMBED_FOLDER, PLAYER_FOLDER, PLAYER_SCRIPT, embedPath, isPlayerPath } from '../media/player-paths.ts'
export { type TokenClaims, TOKEN_LIMITS, readClaims } from './claims.ts'
export {
  type SignedRequest,
  type TokenCheck,
  type TokenRefusal,
  type TokenVerdict,
  type TokenWorld,
  TOKEN_REFUSALS,
  judgeToken,
} from './judge.ts'
export {
  type PathToken,
  type PathTokenCheck,
  type PathTokenRefusal,
  PATH_MARK,
  PATH_TOKEN_REFUSALS,
  PATH_TOKEN_SECONDS,
  QUERIED_MARK,
  foldersOf,
  judgePathToken,
  macTextOf,
  pathTokenText,
  prefixOf,
  splitPath,
} from './path-token.ts'
