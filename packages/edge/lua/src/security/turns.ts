/** So many requests of a customer, and of all, each second and worker: nobody's are all that is written down. */
const OF_CUSTOMER = 5
const OF_ALL = 20

/** Those of a second. */
export type Turns = { second: number; taken: number; of: Record<string, number | undefined> }

export const noTurns = (): Turns => ({ second: 0, taken: 0, of: {} })

/** Whether one more may be written down in this second; it is counted then. */
export function takesTurn(turns: Turns, customer: string, now: number): boolean {
  if (turns.second !== now) {
    turns.second = now
    turns.taken = 0
    turns.of = {}
  }
  const own = turns.of[customer] ?? 0
  if (turns.taken >= OF_ALL || own >= OF_CUSTOMER) return false
  turns.taken += 1
  turns.of[customer] = own + 1
  return true
}
