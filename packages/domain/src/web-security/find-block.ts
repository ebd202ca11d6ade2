import type { BlockTable } from './compiled.ts'

/** Where addresses were found lately, by table: a visitor asks many times. */
let memos = new WeakMap<BlockTable, Record<string, number | undefined>>()
let keptCount = 0
/** Of all tables together. */
const KEPT_MOST = 10_000

/** The innermost block that holds an address, by its place among the blocks; -1 for none. */
export function findBlock(table: BlockTable, key: string): number {
  let memo = memos.get(table)
  if (keptCount >= KEPT_MOST) {
    memos = new WeakMap()
    keptCount = 0
    memo = undefined
  }
  if (memo === undefined) {
    memo = {}
    memos.set(table, memo)
  }
  const known = memo[key]
  if (known !== undefined) return known
  const place = searched(table, key)
  memo[key] = place
  keptCount += 1
  return place
}

function searched({ starts, owners }: BlockTable, key: string): number {
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
