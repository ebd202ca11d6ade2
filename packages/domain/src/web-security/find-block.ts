import type { BlockTable } from './compiled.ts'

/** The innermost block that holds an address, by its place among the blocks; -1 for none. */
export function findBlock({ starts, owners }: BlockTable, key: string): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isAfter(starts[middle] ?? '', key)) high = middle
    else low = middle + 1
  }
  if (low === 0) return -1
  // Families never mix: what was open before the first of this one has been closed.
  return (starts[low - 1] ?? '').length === key.length ? (owners[low - 1] ?? -1) : -1
}

const isAfter = (start: string, key: string): boolean =>
  start.length === key.length ? start > key : start.length > key.length
