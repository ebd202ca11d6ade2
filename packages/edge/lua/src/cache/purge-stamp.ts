import type { PurgeTable } from '../policy/documents.ts'

/**
 * When the newest purge about this path was, epoch ms; 0 when there was none. Part of the cache key, so what was stored
 * before it is not found any more.
 */
export function purgeStamp(table: PurgeTable, path: string, args: string, cdn: string): number {
  let newest = later(table.all, table.allOf[cdn])
  newest = later(newest, table.paths[path])
  if (args !== '') newest = later(newest, table.urls[`${path}?${args}`])
  if (!table.hasDirectories) return newest
  // The first two folders without a loop, and the others only where one of them was purged: LuaJIT compiles no way that
  // leads through a loop.
  const first = path.indexOf('/')
  if (first < 0) return newest
  newest = later(newest, table.directories[path.slice(0, first + 1)])
  const second = path.indexOf('/', first + 1)
  const head = second < 0 ? '' : path.slice(0, second + 1)
  return head !== '' && table.heads[head] === true ? purgedBelow(table.directories, path, second, newest) : newest
}

function purgedBelow(directories: Record<string, number>, path: string, from: number, known: number): number {
  let newest = known
  for (let slash = from; slash >= 0; slash = path.indexOf('/', slash + 1))
    newest = later(newest, directories[path.slice(0, slash + 1)])
  return newest
}

/**
 * First two folders of a purged directory, by which a request sees whether it has to look further; undefined for one
 * that lies higher.
 */
export function purgeHead(directory: string): string | undefined {
  const first = directory.indexOf('/')
  const second = first < 0 ? -1 : directory.indexOf('/', first + 1)
  return second < 0 ? undefined : directory.slice(0, second + 1)
}

/** So many places has a customer for what POST and its like have made old, whatever it is asked. */
const PLACES = 16_384

/**
 * Where it is remembered when something with this digest of host and path was made old: two that share a place are made
 * old together.
 */
export function invalidationPlace(customer: string, digest: string): string {
  return `${customer} ${(digest.charCodeAt(0) * 256 + digest.charCodeAt(1)) % PLACES}`
}

/** What is remembered of a tagged object: under which tag purge it is stored, when, and its tags. */
export type TagEntry = { stamp: number; storedAt: number; tags: string[] }

/** Stands for more tags than are remembered: any may be among them. */
const ANY = '*'
const TAGS_MOST = 256
const TAGS_BYTES = 4096

/** The tags of two variants of one object. */
export function together(known: readonly string[], more: readonly string[]): string[] {
  const all: string[] = []
  let bytes = 0
  for (const tags of [known, more]) {
    for (const tag of tags) {
      if (all.includes(tag)) continue
      all.push(tag)
      bytes += tag.length + 1
      if (tag === ANY || all.length > TAGS_MOST || bytes > TAGS_BYTES) return [ANY]
    }
  }
  return all
}

/** The tag purge that the object has to be newer than; `newestAt` is when the newest of any tag was. */
export function tagStamp(tags: Record<string, number>, entry: TagEntry, newestAt: number): number {
  if (entry.tags[0] === ANY) return newestAt > entry.storedAt && newestAt > entry.stamp ? newestAt : entry.stamp
  let newest = entry.stamp
  for (const tag of entry.tags) {
    const at = tags[tag]
    if (at !== undefined && at > entry.storedAt && at > newest) newest = at
  }
  return newest
}

/** Tags of an answer: separated by commas or blanks, without repetition, at most 64. */
export function tagsOf(text: string): string[] {
  const found: string[] = []
  let tag = ''
  for (let i = 0; i <= text.length; i++) {
    const char = i === text.length ? ' ' : text.charAt(i)
    if (char === ' ' || char === ',' || char === '\t') {
      if (tag !== '' && tag.length <= 256 && found.length < 64 && !found.includes(tag)) found.push(tag)
      tag = ''
    } else tag += char
  }
  return found
}

export function tagEntryText(entry: TagEntry): string {
  return `${entry.stamp} ${entry.storedAt} ${entry.tags.join(' ')}`
}

export function readTagEntry(text: string): TagEntry {
  const [stamp = '0', storedAt = '0', ...tags] = text.split(' ')
  return { stamp: whole(stamp), storedAt: whole(storedAt), tags }
}

/** Its own digits: `Number` and `tonumber` differ between the two worlds this runs in. */
function whole(text: string): number {
  let value = 0
  for (let i = 0; i < text.length; i++) value = value * 10 + (text.charCodeAt(i) - 48)
  return value
}

function later(newest: number, at: number | undefined): number {
  return at !== undefined && at > newest ? at : newest
}
