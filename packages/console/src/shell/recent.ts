import { LIMITS } from '@fairway/contract'
import type { PaletteEntry } from './palette-entries.ts'

const KEY = 'fairway.recent'

export const domainEntryId = (site: string, domain: string): string => `domain:${site}/${domain}`

/** What was opened last, newest first, as far as it still exists. `ofDomain` makes the entry of a domain that is not among the others. */
export function recentEntries(entries: readonly PaletteEntry[], ofDomain: (site: string, domain: string) => PaletteEntry | undefined): PaletteEntry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return recentIds().flatMap((id) => {
    const [, site, domain] = /^domain:([^/]+)\/(.+)$/.exec(id) ?? []
    return byId.get(id) ?? (site !== undefined && domain !== undefined ? (ofDomain(site, domain) ?? []) : [])
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
