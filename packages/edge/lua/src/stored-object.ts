import type { PolicyDocument, PurgeDocument } from './documents.ts'
import { cacheKey } from './cache-key.ts'
import { purgeStamp, readTagEntry, tagEntryText, tagStamp, tagsOf } from './purge-stamp.ts'

/** Keys that a request looks its object up under. */
export type ObjectKeys = { edge: string; tier: string; /** Before the soft purges; empty when there were none. */ reserve: string; object: string; tagStamp: number }

/** `purges` is undefined when there are none, or when the CDN lies about them. */
export function objectKeys(policy: PolicyDocument, purges: PurgeDocument | undefined, cdn: string): ObjectKeys {
  const [path, args, requestUri] = [ngx.var.uri ?? '/', ngx.var.args ?? '', ngx.var.request_uri ?? '/']
  const [host, scheme] = [ngx.var.host ?? '', ngx.var.scheme ?? '']
  const target = policy.cache.ignoreQuery ? withoutQuery(requestUri) : requestUri
  const object = `${scheme}|${host}|${target}`
  const invalidatedAt = invalidation(host, path)
  // A wildcard's purges name the host too.
  const place = policy.host.startsWith('*.') ? `${host}${path}` : path
  const byTag = purges === undefined || !purges.hasTags ? 0 : tagStampOf(cdn, object, purges)
  const byPath = purges === undefined ? 0 : purgeStamp(purges.marks, place, args, cdn)
  const firm = purges === undefined ? 0 : purgeStamp(purges.firm, place, args, cdn)
  const key = (of: string, purgedAt: number) => cacheKey({ cdn: of, scheme, host, generation: policy.cache.generation, purgedAt: purgedAt > invalidatedAt ? purgedAt : invalidatedAt, tagPurgedAt: byTag, target })
  return { edge: key(cdn, byPath), tier: policy.cache.tiered ? key('tier', byPath) : '', reserve: byPath > firm ? key(cdn, firm) : '', object, tagStamp: byTag }
}

/** Remembers the tags of an answer that goes into the cache, so that a later request knows before it looks whether one of them was purged. */
export function rememberTags(cdn: string, object: string, stamp: number, purges: PurgeDocument | undefined, text: string): void {
  const tags = tagsOf(text)
  // While some objects' tags are forgotten, an object without any is remembered too: it must not be taken for one of those.
  if (tags.length === 0 && (purges === undefined || !purges.hasTags || tagsKnown())) return
  const key = ngx.md5_bin(`${cdn}|${object}`)
  const [known] = ngx.shared.tags.get(key)
  const entry = known === undefined ? undefined : readTagEntry(known)
  const same = entry !== undefined && entry.stamp === stamp
  // Variants of one address share the entry, so it holds the tags of all of them.
  const all = same ? entry.tags : []
  for (const tag of tags) if (!all.includes(tag)) all.push(tag)
  const [, , forgot] = ngx.shared.tags.set(key, tagEntryText({ stamp, storedAt: same ? entry.storedAt : nowMs(), tags: all }))
  if (forgot === true) {
    ngx.shared.policies.delete('tags_known')
    ngx.shared.counters.incr('tags_forgotten', 1, 0)
  }
}

function tagStampOf(cdn: string, object: string, purges: PurgeDocument): number {
  const [known] = ngx.shared.tags.get(ngx.md5_bin(`${cdn}|${object}`))
  if (known !== undefined) return tagStamp(purges.marks.tags, readTagEntry(known))
  // It may have had any tag: rather fetched once too often than served after its purge.
  return tagsKnown() ? 0 : purges.newestTagAt
}

function tagsKnown(): boolean {
  const [known] = ngx.shared.policies.get('tags_known')
  return known !== undefined
}

/** An unsafe method that succeeded makes what is stored of its target old (RFC 9111 section 4.4), under every CDN. */
export function invalidate(host: string, path: string): void {
  ngx.shared.invalidated.set(ngx.md5_bin(`${host}|${path}`), `${nowMs()}`)
}

function invalidation(host: string, path: string): number {
  const [at] = ngx.shared.invalidated.get(ngx.md5_bin(`${host}|${path}`))
  return at === undefined ? 0 : (tonumber(at) ?? 0)
}

export function withoutQuery(target: string): string {
  const at = target.indexOf('?')
  return at < 0 ? target : target.slice(0, at)
}

function nowMs(): number {
  return Math.floor(ngx.now() * 1000)
}
