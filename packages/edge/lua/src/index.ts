export type {
  Batch,
  CacheRule,
  CdnDocument,
  ChallengeDocument,
  Keyed,
  PageDocument,
  PathMatch,
  PolicyDocument,
  PurgeDocument,
  PurgeTable,
  SniDocument,
  Stamped,
  TlsDocument,
} from './documents.ts'
export { type CacheKey, readCacheKey } from './cache-key.ts'
export { freshnessOf } from './freshness.ts'
export { purgeHead, purgeStamp, tagsOf } from './purge-stamp.ts'
