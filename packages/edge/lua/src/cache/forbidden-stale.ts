import { answerPage, tellClosing } from '../answer/answer.ts'
import type { PolicyDocument } from '../policy/documents.ts'
import { mayBeStale } from './freshness.ts'

/** Nobody's status: in each server with a cache it leads to the page that `refuseStale` gives. */
export const REFUSED_STALE = 598

/**
 * nginx gives an old copy whenever the origin fails. Whether its origin has forbidden that (RFC 9111 4.2.4), or its time
 * for it is over, is decided here for both caches.
 */
export function isForbiddenStale(word: string, storedAt: number): boolean {
  return !mayBeStale(word, ngx.time() - storedAt)
}

/** The origin does not answer well and wants that nobody sees an old copy instead (RFC 9111 5.2.2.2 asks for 504). */
export function refuseStale(policy: PolicyDocument | undefined): void {
  tellClosing()
  answerPage(504, 'stale-refused', policy)
}
