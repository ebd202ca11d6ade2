import type { PurgeTable } from './documents.ts'

/** When the newest purge about this path was, epoch ms; 0 when there was none. Part of the cache key, so what was stored before it is not found any more. */
export function purgeStamp(table: PurgeTable, path: string, args: string, cdn: string): number {
  let newest = later(table.all, table.allOf[cdn])
  newest = later(newest, table.paths[path])
  if (args !== '') newest = later(newest, table.urls[`${path}?${args}`])
  if (table.hasDirectories) for (let i = 0; i < path.length; i++) {
    if (path.charCodeAt(i) === 47) newest = later(newest, table.directories[path.slice(0, i + 1)])
  }
  return newest
}

/** What is remembered of a tagged object: under which tag purge it is stored, when, and its tags. */
export type TagEntry = { stamp: number; storedAt: number; tags: string[] }

/** The tag purge that the object has to be newer than. */
export function tagStamp(tags: Record<string, number>, entry: TagEntry): number {
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
