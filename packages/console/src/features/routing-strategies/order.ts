/** The list with the item at `from` taken out and put at `to`; positions outside are the nearest end. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const item = items[from]
  if (item === undefined) return [...items]
  const rest = items.filter((_, index) => index !== from)
  const at = Math.min(rest.length, Math.max(0, to))
  return [...rest.slice(0, at), item, ...rest.slice(at)]
}

/**
 * Where a row dropped at height `y` lands: the number of other rows whose middle is above it.
 * `middles` are the heights of all rows' middles in order, the dragged one among them at `dragged`.
 */
export function dropPosition(middles: readonly number[], dragged: number, y: number): number {
  return middles.filter((middle, index) => index !== dragged && middle < y).length
}
