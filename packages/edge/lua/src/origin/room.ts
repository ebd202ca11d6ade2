// How many requests of each customer are on their way to origins in this worker: its connections are its own, and what
// it has counted ends with it.
let taken: Record<string, number | undefined> = {}

/** Takes room for a request of a customer; false when it has so many under way, and then nothing was taken. */
export function takeRoom(customer: string, most: number): boolean {
  const now = taken[customer] ?? 0
  if (now >= most) return false
  taken[customer] = now + 1
  return true
}

export function giveRoom(customer: string): void {
  const left = (taken[customer] ?? 0) - 1
  taken[customer] = left > 0 ? left : undefined
}
