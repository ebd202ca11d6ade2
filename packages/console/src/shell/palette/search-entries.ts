import type { PaletteEntry } from './palette-entry.ts'

/**
 * Entries that hold every word asked for, in their label, hint or further words; those whose label begins with what was
 * typed come first. Without a question all stay in their order.
 */
export function matchingEntries(entries: readonly PaletteEntry[], text: string): PaletteEntry[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return [...entries]
  const parts = wanted.split(/\s+/)
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, wanted, parts) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .map(({ entry }) => entry)
}

function rankOf({ label, hint, words = '' }: PaletteEntry, wanted: string, parts: readonly string[]): number {
  const name = label.toLowerCase()
  const all = `${name} ${hint} ${words}`.toLowerCase()
  if (!parts.every((part) => all.includes(part))) return 0
  if (name.startsWith(wanted)) return 3
  return parts.every((part) => new RegExp(`(^|[\\s/.-])${RegExp.escape(part)}`).test(all)) ? 2 : 1
}

/** What stands behind a verb: an address to explain (`why 80.147.0.1`), a path to purge (`purge /img/`). */
export function argumentsOf(text: string): { address: string | null; path: string | null } {
  const parts = text.trim().split(/\s+/)
  return {
    address: parts.find((part) => /^(\d{1,3}(\.\d{1,3}){3}|[\da-f]*:[\da-f:]+)$/i.test(part)) ?? null,
    path: parts.find((part) => /^(\/|https?:\/\/)\S*$/.test(part)) ?? null,
  }
}
