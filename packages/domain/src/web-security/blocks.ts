import type { BlockTable } from './compiled.ts'

/** A block by its first and last address, as keys of `addressKey`. */
export type Block = { first: string; last: string }

/** Sorts blocks that lie within each other or apart into a table. Of two that are the same, the first counts. */
export function blockTable(blocks: readonly Block[]): BlockTable {
  const order = blocks
    .map((block, index) => ({ ...block, index }))
    .sort(
      (a, b) =>
        a.first.length - b.first.length ||
        compare(a.first, b.first) ||
        compare(b.last, a.last) ||
        // The first of equals comes last, so that it is the innermost.
        b.index - a.index,
    )
  const table: BlockTable = { starts: [], owners: [], parents: blocks.map(() => -1) }
  const open: (Block & { index: number })[] = []
  const begin = (start: string, owner: number) => {
    // A stretch that is over where it begins belongs to the one after it.
    if (table.starts.at(-1) === start) {
      table.owners[table.owners.length - 1] = owner
      return
    }
    table.starts.push(start)
    table.owners.push(owner)
  }
  const closeUntil = (start: string | null) => {
    for (let top = open.at(-1); top; top = open.at(-1)) {
      if (start !== null && top.last.length === start.length && top.last >= start) return
      open.pop()
      const next = following(top.last)
      if (next !== '') begin(next, open.at(-1)?.index ?? -1)
    }
  }
  for (const block of order) {
    closeUntil(block.first)
    table.parents[block.index] = open.at(-1)?.index ?? -1
    begin(block.first, block.index)
    open.push(block)
  }
  closeUntil(null)
  return table
}

/** The key after this one; empty after the last of its family. */
function following(key: string): string {
  const digits = [...key]
  for (let i = digits.length - 1; i >= 0; i--) {
    const digit = Number.parseInt(digits[i] ?? '0', 16)
    if (digit < 15) {
      digits[i] = (digit + 1).toString(16)
      return digits.join('')
    }
    digits[i] = '0'
  }
  return ''
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
