import { setTimeout as pause } from 'node:timers/promises'
import type { ProbeTarget } from '@fairway/contract'
import type { ProbeOutcome } from './probe-once.ts'

/** One request for one name. Never rejects. */
type ProbeName = (target: ProbeTarget) => Promise<ProbeOutcome>
type Answer = { name: ProbeTarget; outcome: ProbeOutcome }

/** While a name is silent for so long the others are asked, so that it takes no longer to know that all are. */
const HEDGE_MS = 500

/** What one name says of a CDN: its fault, its origin's, or nothing. */
type Verdict = 'cdn' | 'origin' | 'unknown' | 'too-many'

/**
 * Whether a CDN is alive: it is dead only when none of the names that it is probed by answers. Where the other CDNs
 * (`beside`) that serve such a name from the same origin say a 5xx as well, that is the origin's word and none about the
 * CDN: alive, and not timed; unless another of its names is answered well beside. One that says of all its names that
 * there is no such thing, while a CDN beside has it, does not serve them.
 * `refused` of the outcome is `too-many` when our own rate has left it unknown. Never rejects.
 */
export async function probeCdn(
  target: ProbeTarget,
  beside: readonly ProbeTarget[],
  probe: ProbeName,
): Promise<ProbeOutcome> {
  if (target.page !== true) return probe(target)
  const [first, ...others] = namesOf(target)
  if (first === undefined) return probe(target)
  const own = probe(first).then((outcome): Answer => ({ name: first, outcome }))
  const early = await Promise.race([own, pause(HEDGE_MS, null, { ref: false })])
  if (early && isAlive(early.outcome)) return early.outcome
  const answers = [own, ...others.map(async (name): Promise<Answer> => ({ name, outcome: await probe(name) }))]
  const alive = await firstAlive(answers)
  if (alive) return alive
  const bad = await Promise.all(answers)
  const { outcome } = await own
  const withheld = bad.find((one) => one.outcome.refused === 'too-many')?.outcome
  if (bad.every((one) => isMissing(one.outcome))) {
    const verdicts = await verdictsOf(bad, beside, probe)
    return verdicts.includes('cdn')
      ? { ...outcome, ok: false, rttMs: null, error: `status ${outcome.status}` }
      : outcome
  }
  const missing = bad.find((one) => isMissing(one.outcome))
  if (missing) return missing.outcome
  if (withheld) return withheld
  if (!bad.some((one) => isServerError(one.outcome))) return outcome
  const verdicts = await verdictsOf(bad, beside, probe)
  if (verdicts.includes('cdn')) return outcome
  if (verdicts.includes('origin')) return { ok: true, rttMs: null, error: null, status: outcome.status }
  return verdicts.includes('too-many') ? { ...outcome, refused: 'too-many' } : outcome
}

/** A target for each of the names that a CDN is probed by, the first of them first. */
const namesOf = (target: ProbeTarget): ProbeTarget[] => [
  target,
  ...(target.others ?? []).map(({ host, address }) => ({ ...target, host, address })),
]

const isServerError = ({ ok, status }: ProbeOutcome): boolean => !ok && status !== null && status >= 500
/** There is no such thing, or no such name: which of them, only others can tell. */
const isMissing = ({ ok, status }: ProbeOutcome): boolean => ok && (status === 404 || status === 410)
const isAlive = (outcome: ProbeOutcome): boolean => outcome.ok && !isMissing(outcome)

const verdictsOf = (bad: readonly Answer[], beside: readonly ProbeTarget[], probe: ProbeName): Promise<Verdict[]> =>
  Promise.all(bad.map((answer) => verdictOf(answer, beside, probe)))

/** A name that has failed or is missing, as the CDNs beside see it. */
async function verdictOf(
  { name, outcome }: Answer,
  beside: readonly ProbeTarget[],
  probe: ProbeName,
): Promise<Verdict> {
  const same = beside
    .filter(({ page }) => page === true)
    .flatMap((one) => namesOf(one).filter(({ host }) => host === name.host))
  const others = await Promise.all(same.map(probe))
  const isAnswered = ({ ok, status }: ProbeOutcome) => ok && (!isMissing(outcome) || (status !== null && status < 400))
  if (others.some(isAnswered)) return 'cdn'
  if (others.some(({ refused }) => refused === 'too-many')) return 'too-many'
  return isServerError(outcome) && others.length > 0 && others.every(isServerError) ? 'origin' : 'unknown'
}

/** The first that is alive, at once; null when all have failed. */
async function firstAlive(answers: readonly Promise<Answer>[]): Promise<ProbeOutcome | null> {
  try {
    return await Promise.any(
      answers.map(async (answer) => {
        const { outcome } = await answer
        if (!isAlive(outcome)) throw new Error('not this one')
        return outcome
      }),
    )
  } catch {
    return null
  }
}
