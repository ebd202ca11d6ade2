import { tooMany } from '@fairway/domain/web-security'
import { count } from '../answer/answer.ts'

// Whoever sends a key of its own with every request fills the memory of counts: what was found stays in another.

/**
 * Counts a request under a key, in two windows side by side, and says whether it is too many; then all are until the
 * block is over.
 */
export function isTooMany(key: string, requests: number, seconds: number, blockSeconds: number): boolean {
  const { limits, blocks } = ngx.shared
  // Keys hold what visitors send: a digest is short, and holds nothing.
  const digest = ngx.md5_bin(key)
  const [blocked] = blocks.get(digest)
  if (blocked !== undefined) return true
  const now = ngx.now()
  const window = Math.floor(now / seconds)
  const [current] = limits.incr(`${digest}${window}`, 1, 0, seconds * 2)
  if (current === undefined) {
    // No room: nobody is stopped for what could not be counted.
    count('limits_uncounted')
    return false
  }
  const [before] = limits.get(`${digest}${window - 1}`)
  if (!tooMany(tonumber(before) ?? 0, current, now / seconds - window, requests)) return false
  blocks.set(digest, '1', blockSeconds)
  return true
}

/** Remembers something under a key, as a block is. */
export function mark(key: string, seconds: number): void {
  ngx.shared.blocks.set(ngx.md5_bin(key), '1', seconds)
}

/** Whether what was remembered under a key still holds: a block, or a mark. */
export function isMarked(key: string): boolean {
  const [found] = ngx.shared.blocks.get(ngx.md5_bin(key))
  return found !== undefined
}
