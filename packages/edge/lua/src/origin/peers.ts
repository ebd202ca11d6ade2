import { answerPage, count } from '../answer/answer.ts'
import type { PolicyDocument } from '../policy/documents.ts'
import { addressesOf, policyFor } from '../policy/held.ts'
import { type Asked, wayTo } from './connection.ts'
import { originOrder } from './order.ts'
import { countUnanswered } from './reach.ts'
import { failRelayed, isRelayed } from './relayed.ts'

/** Addresses of the website's origin, in the order in which this request asks them. */
export function peersFor(policy: PolicyDocument): string[] {
  return policy.ways !== undefined && policy.ways.direct ? policy.origin.addresses : orderedPeers(policy)
}

// Apart, because LuaJIT compiles no function that makes another.
function orderedPeers(policy: PolicyDocument): string[] {
  const { origin, domainId } = policy
  return originOrder(
    origin.addresses,
    origin.fallback,
    origin.balance,
    origin.balance === 'round-robin' ? turnOf(domainId) : 0,
    ngx.var.http_x_fairway_visitor ?? '',
    addressesOf,
    (address) => failedLately(policy, address),
  )
}

/** Content in place of the origin's where nginx has asked it. */
export function unanswered(): void {
  const policy = policyFor(ngx.var.http_x_fairway_host ?? '', ngx.var.http_x_fairway_cdn ?? '')
  // A number of bytes for each address that was tried: none were sent where there was no connection.
  if (policy !== undefined) countUnanswered(policy, hasDigit(ngx.var.upstream_bytes_sent ?? ''))
  unreachable()
}

/** One that is not 0. */
function hasDigit(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 48 && code < 58) return true
  }
  return false
}

/** No address of the origin answered: the reserve that a soft purge has left, if there is one. */
export function unreachable(): void {
  count('origins_unreachable')
  if (isRelayed()) return failRelayed('asked')
  if (ngx.var.http_x_fairway_reserve !== undefined) return ngx.exec('@reserve')
  gone()
}

/** Not in the reserve either. */
export function gone(): void {
  const slow = isSlow()
  answerPage(
    slow ? 504 : 502,
    slow ? 'origin-slow' : 'unreachable',
    policyFor(ngx.var.http_x_fairway_host ?? '', ngx.var.http_x_fairway_cdn ?? ''),
  )
}

/** Whether an address was given up because it took too long; a page that takes an error's place does not know. */
export function isSlow(): boolean {
  return ngx.status === 504 || (ngx.var.upstream_status ?? '').includes('504')
}

function turnOf(domainId: string): number {
  const [turn] = ngx.shared.turns.incr(domainId, 1, -1)
  return turn ?? 0
}

/** Seconds for which an address that failed is tried last. */
const FAILED_SECONDS = 10

export function markFailed(asked: Asked, address: string): void {
  ngx.shared.marks.set(wayTo(asked, address), '1', FAILED_SECONDS)
}

export function failedLately(asked: Asked, address: string): boolean {
  const [failed] = ngx.shared.marks.get(wayTo(asked, address))
  return failed !== undefined
}
