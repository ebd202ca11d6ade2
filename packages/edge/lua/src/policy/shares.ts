// Memories that all customers of an edge share. The keys of each lie in a ring of places, so that none has more of one
// than its share and nobody's push out another's.

/** Places that one customer has in each. */
export const rooms = { limits: 1, blocks: 1, known: 1, tags: 1 }

/** How many those are, as the configuration says. */
export function useRooms(limits: number, blocks: number, known: number, tags: number): void {
  rooms.limits = limits
  rooms.blocks = blocks
  rooms.known = known
  rooms.tags = tags
}

/**
 * Whether there is room for a new key of a customer: in the next place is either one that is over, or the customer has
 * as many as it may.
 */
export function takesPlace(memory: SharedDict, room: number, customer: string, key: string): boolean {
  const place = nextPlace(memory, room, customer)
  const [holder] = memory.get(place)
  if (holder !== undefined) {
    const [held] = memory.get(holder)
    if (held !== undefined && holder !== key) return false
  }
  memory.set(place, key)
  return true
}

/**
 * Gives a new key the next place; true when the customer's oldest had to go for it. `safely`: of a memory that is full
 * it takes nothing of others.
 */
export function takesOldest(memory: SharedDict, room: number, customer: string, key: string, safely: boolean): boolean {
  const place = nextPlace(memory, room, customer)
  const [holder] = memory.get(place)
  let isGone = false
  if (holder !== undefined && holder !== key) {
    const [held] = memory.get(holder)
    isGone = held !== undefined
    if (isGone) memory.delete(holder)
  }
  if (safely) memory.safe_set(place, key)
  else memory.set(place, key)
  return isGone
}

function nextPlace(memory: SharedDict, room: number, customer: string): string {
  const id = ngx.md5_bin(customer).slice(0, 8)
  const [turn] = memory.incr(`n${id}`, 1, 0)
  return `p${id}${(turn ?? 0) % room}`
}
