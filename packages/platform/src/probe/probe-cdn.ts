import { setTimeout as pause } from 'node:timers/promises'
import type { ProbeTarget } from '@fairway/contract'
import type { ProbeOutcome } from './probe-once.ts'

/** One request for one name. Never rejects. */
type ProbeName = (target: ProbeTarget) => Promise<ProbeOutcome>
type Answer = { name: ProbeTarget; outcome: ProbeOutcome }

/** While a name is silent for so long the others are asked, so that it takes no longer to know that all are. */
const HEDGE_MS = 500

/**
 * Whether a CDN is alive: it is dead only when none of the names that it is probed by answers. Where the other CDNs
 * (`beside`) that serve such a name from the same origin say a 5xx as well, that is the origin's word and none about the
 * CDN: alive, and not timed. Never rejects.
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
  if (early?.outcome.ok) return early.outcome
  const answers = [own, ...others.map(async (name): Promise<Answer> => ({ name, outcome: await probe(name) }))]
  const alive = await firstAlive(answers)
  if (alive) return alive
  const failed = await Promise.all(answers)
  const faults = await Promise.all(
    failed.map(({ name, outcome }) => isServerError(outcome) && isOriginsFault(name.host, beside, probe)),
  )
  const { outcome } = await own
  return faults.includes(true) ? { ok: true, rttMs: null, error: null, status: outcome.status } : outcome
}

/** A target for each of the names that a CDN is probed by, the first of them first. */
const namesOf = (target: ProbeTarget): ProbeTarget[] => [
  target,
  ...(target.others ?? []).map(({ host, address }) => ({ ...target, host, address })),
]

const isServerError = ({ ok, status }: ProbeOutcome): boolean => !ok && status !== null && status >= 500

async function isOriginsFault(host: string, beside: readonly ProbeTarget[], probe: ProbeName): Promise<boolean> {
  const same = beside
    .filter(({ page }) => page === true)
    .flatMap((one) => namesOf(one).filter((name) => name.host === host))
  if (same.length === 0) return false
  return (await Promise.all(same.map(probe))).every(isServerError)
}

/** The first that is alive, at once; null when all have failed. */
async function firstAlive(answers: readonly Promise<Answer>[]): Promise<ProbeOutcome | null> {
  try {
    return await Promise.any(
      answers.map(async (answer) => {
        const { outcome } = await answer
        if (!outcome.ok) throw new Error('not this one')
        return outcome
      }),
    )
  } catch {
    return null
  }
}
