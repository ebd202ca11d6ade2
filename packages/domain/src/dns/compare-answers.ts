import type { ParityKind } from '@fairway/contract'

/** What a nameserver says to one question: rdata in presentation form; null when it did not answer. */
export type AnswerSet = { rdata: readonly string[]; ttlSeconds: number | null } | null

/** How two nameservers' answers to one question differ. The order of records means nothing (RFC 2181 5). */
export function compareAnswers(old: AnswerSet, ours: AnswerSet, steered: boolean): ParityKind {
  if (old === null || ours === null) return 'unanswered'
  const [before, after] = [sorted(old.rdata), sorted(ours.rdata)]
  if (before.join('\n') === after.join('\n'))
    return before.length === 0 || old.ttlSeconds === ours.ttlSeconds ? 'same' : 'ttl'
  if (steered) return 'steered'
  if (after.length === 0) return 'missing'
  return before.length === 0 ? 'extra' : 'different'
}

const DIFFERENCES: ReadonlySet<ParityKind> = new Set(['missing', 'extra', 'different', 'unanswered'])

/** Whether a visitor could notice: another time to keep an answer is none, and steering is wanted. */
export const isDifference = (kind: ParityKind): boolean => DIFFERENCES.has(kind)

const sorted = (rdata: readonly string[]): string[] => [...new Set(rdata)].sort()
