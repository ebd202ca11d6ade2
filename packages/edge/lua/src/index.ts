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
} from './policy/documents.ts'
export { type CacheKey, readCacheKey } from './cache/cache-key.ts'
export { freshnessOf } from './cache/freshness.ts'
export { httpDate } from './cache/http-date.ts'
export { purgeHead, purgeStamp, tagsOf } from './cache/purge-stamp.ts'
