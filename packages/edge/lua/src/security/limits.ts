import { tooMany } from '@fairway/domain/web-security'
import { count } from '../answer/answer.ts'
import { rooms, takesOldest, takesPlace } from '../policy/shares.ts'

// Whoever sends a key of its own with every request fills the memory of counts: what was found stays in another, and who
// has signed in before in a third. No customer has more of one than its share, so nobody's rules push out another's.

/**
 * Counts a request of a customer's visitor under a key, in two windows side by side, and says whether it is too many;
 * then all are until the block is over. The first line of a key is the rule: what the customer has no room for is counted
 * together, one count for each rule, and blocks nobody for longer than the window.
 */
export function isTooMany(
  customer: string,
  key: string,
  requests: number,
  seconds: number,
  blockSeconds: number,
): boolean {
  const { limits, blocks } = ngx.shared
  // Keys hold what visitors send: a digest is short, and holds nothing.
  const digest = ngx.md5_bin(key)
  const [blocked] = blocks.get(digest)
  if (blocked !== undefined) return true
  const now = ngx.now()
  const window = Math.floor(now / seconds)
  const part = now / seconds - window
  let [current] = limits.incr(`${digest}${window}`, 1)
  if (current === undefined) {
    if (!takesPlace(limits, rooms.limits, customer, `${digest}${window}`)) {
      tellShared(customer)
      return isOver(ngx.md5_bin(sharedKey(customer, key, requests, seconds)), requests, seconds, window, part)
    }
    current = counted(`${digest}${window}`, seconds)
  }
  if (current === undefined || !exceeds(digest, current, requests, window, part)) return false
  if (takesPlace(blocks, rooms.blocks, customer, digest)) put(blocks, digest, blockSeconds, 'blocks_evicted')
  return true
}

function isOver(digest: string, requests: number, seconds: number, window: number, part: number): boolean {
  const current = counted(`${digest}${window}`, seconds)
  return current !== undefined && exceeds(digest, current, requests, window, part)
}

function exceeds(digest: string, current: number, requests: number, window: number, part: number): boolean {
  const [before] = ngx.shared.limits.get(`${digest}${window - 1}`)
  return tooMany(tonumber(before) ?? 0, current, part, requests)
}

/** Undefined without room at all: nobody is stopped for what could not be counted. */
function counted(place: string, seconds: number): number | undefined {
  const [current, , forgot] = ngx.shared.limits.incr(place, 1, 0, seconds * 2)
  if (current === undefined) count('limits_uncounted')
  if (forgot === true) count('limits_evicted')
  return current
}

function sharedKey(customer: string, key: string, requests: number, seconds: number): string {
  const end = key.indexOf('\n')
  const rule = end < 0 ? key : key.slice(0, end)
  // Attempts and failures of one rule are two counts.
  return `shared\n${customer}\n${rule}\n${requests}\n${seconds}\n${key.endsWith('\nfailed') ? 'failed' : ''}`
}

function tellShared(customer: string): void {
  count('limits_shared')
  const [isFirst] = ngx.shared.limits.add(`t${customer}`, '1', 60)
  if (isFirst === true)
    ngx.log(ngx.WARN, `limits: organization ${customer} has no room for more keys, new ones are counted together`)
}

function put(memory: SharedDict, digest: string, seconds: number, evicted: string): void {
  const [, , forgot] = memory.set(digest, '1', seconds)
  if (forgot === true) count(evicted)
}

/** Remembers something of a customer's under a key; of more than it has room for, its oldest goes. */
export function mark(customer: string, key: string, seconds: number): void {
  const { known } = ngx.shared
  const digest = ngx.md5_bin(key)
  const [marked] = known.get(digest)
  if (marked === undefined) takesOldest(known, rooms.known, customer, digest, false)
  put(known, digest, seconds, 'known_evicted')
}

/** Whether what was remembered under a key still holds: a block, or a mark. */
export function isMarked(key: string): boolean {
  const digest = ngx.md5_bin(key)
  const [blocked] = ngx.shared.blocks.get(digest)
  if (blocked !== undefined) return true
  const [marked] = ngx.shared.known.get(digest)
  return marked !== undefined
}
