import type { PolicyDocument, PurgeDocument } from '../policy/documents.ts'
import { cacheKey, readCacheKey } from './cache-key.ts'
import { has, isSet, note, ownFloor, raiseOwnFloor } from '../policy/held.ts'
import { rooms, takesOldest } from '../policy/shares.ts'
import { STORED_SECONDS } from './stored-seconds.ts'
import { invalidationPlace, purgeStamp, readTagEntry, tagEntryText, tagStamp, tagsOf, together } from './purge-stamp.ts'

/**
 * Keys that a request looks its object up under. Of the edge's own the target is left to nginx (`fw_target`), so that
 * no string is made for every address.
 */
export type ObjectKeys = {
  edge: string
  tier: string
  /** Before the soft purges; empty when there were none. */ reserve: string
}

/**
 * `purges` is undefined when there are none, or when the CDN lies about them. Every string costs: what is not needed is
 * not made.
 */
export function objectKeys(
  policy: PolicyDocument,
  purges: PurgeDocument | undefined,
  cdn: string,
  host: string,
  path: string,
): ObjectKeys {
  const scheme = ngx.var.scheme ?? ''
  const invalidatedAt = has('invalidated', policy.domainId) ? invalidation(policy, host, path) : 0
  let byTag = 0
  let byPath = 0
  let firm = 0
  if (purges !== undefined) {
    // A wildcard's purges name the host too.
    const place = policy.ways !== undefined && policy.ways.wide ? `${host}${path}` : path
    const args = purges.hasUrls ? (ngx.var.args ?? '') : ''
    // While the tags of all objects are known, those of a domain that has none need not be looked for.
    if (purges.hasTags && (has('tagged', policy.domainId) || !areTagsKnown(policy)))
      byTag = tagStampOf(`${cdn}|${scheme}|${host}|${targetOf(policy)}`, policy, purges)
    byPath = purgeStamp(purges.marks, place, args, cdn)
    firm = purges.hasSoft ? purgeStamp(purges.firm, place, args, cdn) : byPath
  }
  const purgedAt = byPath > invalidatedAt ? byPath : invalidatedAt
  const { generation, tiered } = policy.cache
  // Others share it, and of what only they have fetched no tags are known here: it goes with any tag.
  const ofAnyTag = purges !== undefined && purges.hasTags ? purges.newestTagAt : 0
  return {
    edge: cacheKey(cdn, scheme, host, generation, purgedAt, byTag, ''),
    tier: tiered ? cacheKey('tier', scheme, host, generation, purgedAt, ofAnyTag, targetOf(policy)) : '',
    reserve:
      byPath > firm
        ? cacheKey(cdn, scheme, host, generation, firm > invalidatedAt ? firm : invalidatedAt, byTag, targetOf(policy))
        : '',
  }
}

/** Path with the query, as the visitor wrote it, as far as objects differ by it. */
function targetOf(policy: PolicyDocument): string {
  const requestUri = ngx.var.request_uri ?? '/'
  return policy.cache.ignoreQuery ? withoutQuery(requestUri) : requestUri
}

/**
 * Remembers the tags of an answer that goes into the cache, so that a later request knows before it looks whether one
 * of them was purged.
 */
export function rememberTags(
  key: string,
  policy: PolicyDocument,
  purges: PurgeDocument | undefined,
  text: string,
): void {
  const tags = text === '' ? [] : tagsOf(text)
  // While some objects' tags are forgotten, an object without any is remembered too: it must not be taken for one of
  // those.
  if (tags.length === 0 && (purges === undefined || !purges.hasTags || areTagsKnown(policy))) return
  const stored = readCacheKey(key)
  if (stored === undefined) return
  const { cdn, scheme, host, target, tagPurgedAt: stamp } = stored
  const object = ngx.md5_bin(`${cdn}|${scheme}|${host}|${target}`)
  const [known] = ngx.shared.tags.get(object)
  const entry = known === undefined ? undefined : readTagEntry(known)
  const same = entry !== undefined && entry.stamp === stamp
  // Variants of one address share the entry, so it holds the tags of all of them.
  const all = together(same ? entry.tags : [], tags)
  // What the origin was asked before a purge may be from before it, whenever it answers.
  const askedAt = Math.floor(ngx.req.start_time() * 1000)
  const storedAt = same && entry.storedAt < askedAt ? entry.storedAt : askedAt
  if (all.length > 0) note('tagged', policy.domainId)
  keepTags(policy.organizationId, object, known, tagEntryText({ stamp, storedAt, tags: all }))
}

/** What a place in the memory of tags stands for; a longer entry has several. */
const PLACE_BYTES = 256

/** In place of the customer's oldest ones; nobody else's go for it. */
function keepTags(organizationId: string, object: string, known: string | undefined, entry: string): void {
  if (known === entry) return
  const { tags } = ngx.shared
  let forgotten = 0
  const held = known === undefined ? 0 : Math.ceil(known.length / PLACE_BYTES)
  for (let more = Math.ceil(entry.length / PLACE_BYTES) - held; more > 0; more--)
    if (takesOldest(tags, rooms.tags, organizationId, object, true)) forgotten += 1
  const [stored] = tags.safe_set(object, entry)
  if (stored !== true) {
    // Half of what is known of it would be taken for all.
    tags.delete(object)
    forgotten += 1
  }
  if (forgotten === 0) return
  note('untagged', organizationId)
  ngx.shared.counters.incr('tags_forgotten', forgotten, 0)
}

/** Of all objects of this customer; else one of which nothing is known may have any. */
function areTagsKnown({ organizationId }: PolicyDocument): boolean {
  return isSet('tags_known') && !has('untagged', organizationId)
}

function tagStampOf(object: string, policy: PolicyDocument, purges: PurgeDocument): number {
  const [known] = ngx.shared.tags.get(ngx.md5_bin(object))
  if (known !== undefined) return tagStamp(purges.marks.tags, readTagEntry(known), purges.newestTagAt)
  // It may have had any tag: rather fetched once too often than served after its purge.
  return areTagsKnown(policy) ? 0 : purges.newestTagAt
}

/** An unsafe method that succeeded makes what is stored of its target old (RFC 9111 section 4.4), under every CDN. */
export function invalidate(policy: PolicyDocument, host: string, path: string): void {
  const now = `${nowMs()}`
  const [stored] = ngx.shared.invalidated.safe_set(placeOf(policy, host, path), now, STORED_SECONDS)
  note('invalidated', policy.domainId)
  if (stored === true) return
  // Rather all of this customer fetched once too often than an old page shown again; others lose nothing by it.
  raiseOwnFloor(policy.organizationId, now)
  ngx.shared.counters.incr('invalidations_forgotten', 1, 0)
}

function invalidation(policy: PolicyDocument, host: string, path: string): number {
  const [said] = ngx.shared.invalidated.get(placeOf(policy, host, path))
  const at = tonumber(said) ?? 0
  const floor = ownFloor(policy.organizationId)
  return at > floor ? at : floor
}

function placeOf({ organizationId }: PolicyDocument, host: string, path: string): string {
  return invalidationPlace(organizationId, ngx.md5_bin(`${host}|${path}`))
}

function withoutQuery(target: string): string {
  const at = target.indexOf('?')
  return at < 0 ? target : target.slice(0, at)
}

function nowMs(): number {
  return Math.floor(ngx.now() * 1000)
}
