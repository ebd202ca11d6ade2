import { LIMITS } from '@fairway/contract'
import type { PaletteEntry } from './palette-entry.ts'

const KEY = 'fairway.recent'

export const siteEntryId = (id: string, name: string): string => `site:${id}/${name}`
export const domainEntryId = (site: string, domain: string): string => `domain:${site}/${domain}`
export const addOnEntryId = (id: string, name: string): string => `add-on:${id}/${name}`

type Made = 'site' | 'domain' | 'add-on'

/**
 * Makes the entry of something that is not among the others: a domain by its site and its name, a site or an add-on by
 * its id and its name.
 */
export type EntryMakers = Record<Made, (of: string, name: string) => PaletteEntry | undefined>

const isMaker = (kind: string | undefined): kind is Made => kind === 'site' || kind === 'domain' || kind === 'add-on'

/** What was opened last, newest first, as far as it still exists. */
export function recentEntries(entries: readonly PaletteEntry[], makers: EntryMakers): PaletteEntry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return recentIds().flatMap((id) => {
    const [, kind, of, name] = /^([a-z-]+):([^/]+)\/(.+)$/.exec(id) ?? []
    const isMade = of !== undefined && name !== undefined && isMaker(kind)
    return byId.get(id) ?? (isMade ? (makers[kind](of, name) ?? []) : [])
  })
}

/** Puts it first; nothing is there twice, and no more than ten are kept. */
export function rememberEntry(id: string): void {
  const ids = [id, ...recentIds().filter((other) => other !== id)].slice(0, LIMITS.recentHistory)
  try {
    localStorage.setItem(KEY, ids.join('\n'))
  } catch {
    // Only a convenience.
  }
}

export function forgetRecent(): void {
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Where storage is refused nothing was kept.
  }
}

function recentIds(): string[] {
  try {
    return (localStorage.getItem(KEY) ?? '').split('\n').filter((id) => id !== '')
  } catch {
    return []
  }
}
