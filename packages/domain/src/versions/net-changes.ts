import type { EntityChange } from '@fairway/contract'

/**
 * What several versions together changed, oldest first, one entry for each row that is not in the end what it was in the
 * beginning, in the order in which they were touched first.
 */
export function netChanges(changes: readonly EntityChange[]): EntityChange[] {
  const net = new Map<string, EntityChange>()
  for (const change of changes) {
    const key = `${change.entity} ${change.id}`
    const first = net.get(key)
    net.set(key, first ? { ...change, before: first.before } : change)
  }
  return [...net.values()].filter(({ before, after }) => written(before) !== written(after))
}

/** The same changes seen from the other end. */
export const inverse = (changes: readonly EntityChange[]): EntityChange[] =>
  changes.map((change) => ({ ...change, before: change.after, after: change.before })).reverse()

/** Columns in one order: how a row was written down does not matter. */
const written = (row: EntityChange['before']): string =>
  row === null ? '' : JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))
