/** What probes saw, counted: how many of the checks failed, why, and how many samples in a row the least of them has. */
export type ProbeEvidence = { failed: number; checks: number; reasons: string[]; leastInRow: number }

/** Reasons that have words of their own; others are shown as they are. */
export const CONNECTION_PROBLEMS = ['reset', 'refused', 'timeout', 'unreachable', 'name', 'tls'] as const
export type ConnectionProblem = (typeof CONNECTION_PROBLEMS)[number]

const CODES: Record<string, ConnectionProblem> = {
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  'no answer': 'timeout',
  timeout: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENOTFOUND: 'name',
  EAI_AGAIN: 'name',
  CERT_HAS_EXPIRED: 'tls',
}

export const connectionProblem = (reason: string): ConnectionProblem | null => CODES[reason] ?? null

const CHECK = /^.+: (\d+) (?:good|failed \((.*)\))$/

/** Reads `n1/dns: 8 good; n1/edge: 1 failed (ECONNRESET)`; null when it is told in another form. */
export function readEvidence(text: string): ProbeEvidence | null {
  const checks = text.split('; ').map((part) => CHECK.exec(part))
  const read = checks.filter((check) => check !== null)
  if (read.length === 0 || read.length !== checks.length) return null
  const failed = read.filter(([, , reason]) => reason !== undefined)
  return {
    failed: failed.length,
    checks: read.length,
    reasons: [...new Set(failed.map(([, , reason = '']) => reason))],
    leastInRow: failed.reduce((least, [, count]) => Math.min(least, Number(count)), Number.POSITIVE_INFINITY),
  }
}

type EvidenceWords = {
  problem: Record<ConnectionProblem, string>
  /** `2 of 3 checks could not connect (connection reset)`. */
  failed: (failed: number, checks: number, reasons: string) => string
  /** Says how little stands behind it: one failed sample each. */
  once: string
}

/** A sentence of it with counts; the text itself when it cannot be read. */
export function evidenceSentence(text: string, words: EvidenceWords): string {
  const evidence = readEvidence(text)
  if (evidence === null || evidence.failed === 0) return text
  const reasons = evidence.reasons
    .map((reason) => {
      const problem = connectionProblem(reason)
      return problem === null ? reason : words.problem[problem]
    })
    .join(', ')
  const sentence = words.failed(evidence.failed, evidence.checks, reasons)
  return evidence.leastInRow <= 1 ? `${sentence}${words.once}` : sentence
}
