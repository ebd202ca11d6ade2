import { LIMITS } from '@fairway/contract'
import type { PaletteEntry } from './palette-entry.ts'

const KEY = 'fairway.recent'

export const domainEntryId = (site: string, domain: string): string => `domain:${site}/${domain}`
export const addOnEntryId = (id: string, name: string): string => `add-on:${id}/${name}`

/**
 * Makes the entry of something that is not among the others: a domain by its site and its name, an add-on by its id and
 * its name.
 */
export type EntryMakers = Record<'domain' | 'add-on', (of: string, name: string) => PaletteEntry | undefined>

/** What was opened last, newest first, as far as it still exists. */
export function recentEntries(entries: readonly PaletteEntry[], makers: EntryMakers): PaletteEntry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return recentIds().flatMap((id) => {
    const [, kind, of, name] = /^(domain|add-on):([^/]+)\/(.+)$/.exec(id) ?? []
    return (
      byId.get(id) ??
      (of !== undefined && name !== undefined ? (makers[kind === 'domain' ? 'domain' : 'add-on'](of, name) ?? []) : [])
    )
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
