import { count } from '../answer/answer.ts'

// How many refusals may wait in this worker, and how many of one visitor in a second. Until the configuration says it,
// none.
let room = 0
let ofVisitor = 0
let visitors: Record<string, number | undefined> = {}
let second = 0
// By the tick that they end in: a visitor that goes away meanwhile never comes back here to be taken off.
const ends: number[] = []
let waiting = 0
let tick = 0

const TICKS_PER_SECOND = 10
// Not all for the same time, or they would come again as one wave.
const [LEAST_SECONDS, MORE_SECONDS] = [0.5, 1]
/** One more than the longest wait has, rounded up. */
const SLOTS = 17

/** At the start of nginx: so many connections of a worker may be kept from asking again, and so many of one visitor. */
export function useHoldRoom(connections: number, each: number): void {
  room = connections
  ofVisitor = each
}

/**
 * Lets a refusal of a flood wait for a second or so: whoever asks again as soon as it is answered floods no more, and
 * what it would have cost goes to others. Beyond the room, nobody waits, and of one address only what leaves others behind
 * it most of the requests that it may have under way.
 */
export function holdBack(): void {
  const now = ngx.now() * TICKS_PER_SECOND
  letGo(Math.floor(now))
  if (waiting >= room || !mayWait(ngx.var.fw_bound ?? '', ngx.time())) return
  const wait = LEAST_SECONDS + Math.random() * MORE_SECONDS
  const slot = Math.ceil(now + wait * TICKS_PER_SECOND) % SLOTS
  ends[slot] = (ends[slot] ?? 0) + 1
  waiting += 1
  count('refusals_held')
  ngx.sleep(wait)
}

function mayWait(visitor: string, now: number): boolean {
  if (now !== second) {
    second = now
    visitors = {}
  }
  const begun = visitors[visitor] ?? 0
  if (visitor !== '' && begun >= ofVisitor) return false
  visitors[visitor] = begun + 1
  return true
}

/** Takes those off that have ended since the last look; after a long time, or when the clock has jumped, all. */
function letGo(now: number): void {
  const passed = now >= tick && now - tick < SLOTS ? now - tick : SLOTS
  for (let ago = 0; ago < passed; ago++) {
    const slot = (now - ago) % SLOTS
    waiting -= ends[slot] ?? 0
    ends[slot] = 0
  }
  tick = now
}
