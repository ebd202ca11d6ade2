export type {
  Batch,
  CrawlerNews,
  CdnDocument,
  ChallengeDocument,
  Keyed,
  PageDocument,
  PolicyDocument,
  PurgeDocument,
  PurgeTable,
  SecurityDocument,
  SniDocument,
  Stamped,
  TlsDocument,
} from './policy/documents.ts'
export type { CacheRule, PathMatch } from './policy/path-rules.ts'
export { LEAST_COMPRESSED } from './answer/encodings.ts'
export { type CacheKey, readCacheKey } from './cache/cache-key.ts'
export { freshnessOf } from './cache/freshness.ts'
export { httpDate } from './cache/http-date.ts'
export { purgeHead, purgeStamp, tagsOf } from './cache/purge-stamp.ts'
export { INACTIVE_SECONDS } from './cache/stored-seconds.ts'
