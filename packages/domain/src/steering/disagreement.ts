import { USUAL_THRESHOLD } from '../health/condition.ts'

/** Samples that count, and how many of them succeeded. */
export type Tally = { samples: number; successes: number }

/** What one part of a level's visitors says: a /24, a network, a country. */
export type Part = Tally & {
  name: string
  /** /24s (or /48s) that it was heard from. */
  subnets: number
}

/** So many points below the others is another world, not noise. */
const APART_POINTS = 20
/** Others who are heard: fewer say nothing about whether a CDN is alive. */
const FEWEST_OTHERS = 5

export const availabilityOf = ({ samples, successes }: Tally): number =>
  samples === 0 ? Number.NaN : (successes * 100) / samples

/** Whether these figures say that the CDN is dead while `others` see it alive. */
export function contradicts(said: Tally, others: Tally): boolean {
  const [theirs, ours] = [availabilityOf(others), availabilityOf(said)]
  return theirs >= USUAL_THRESHOLD && ours < USUAL_THRESHOLD && theirs - ours > APART_POINTS
}

/**
 * The one part of a level whose word differs from all the others', if they are heard: what it says is then not for
 * visitors outside it. Where the level holds too few others, `beyond` speaks for them: the next coarser level without
 * that part; null when there is none.
 * A few failures among few samples are no word: a part heard from fewer than five /24s is left out only where it takes
 * the level below the usual threshold.
 */
export function contradictingPart(parts: readonly Part[], beyond: (part: Part) => Tally | null): Part | null {
  const all = sumOf(parts)
  const isBelow = availabilityOf(all) < USUAL_THRESHOLD
  let found: Part | null = null
  for (const part of parts) {
    if (part.samples === part.successes || (!isBelow && part.subnets < FEWEST_OTHERS)) continue
    const rest = { samples: all.samples - part.samples, successes: all.successes - part.successes }
    const others = heardOthers(rest, () => beyond(part))
    if (others === null || !contradicts(part, others)) continue
    if (found === null || failuresOf(part) > failuresOf(found)) found = part
  }
  return found
}

/** Those others whose word counts: `rest`, or `beyond` where too few are left and none of them disagrees; or nobody. */
export function heardOthers(rest: Tally, beyond: () => Tally | null): Tally | null {
  const others = rest.samples >= FEWEST_OTHERS ? rest : rest.successes === rest.samples ? beyond() : null
  return others === null || others.samples < FEWEST_OTHERS ? null : others
}

export const sumOf = (tallies: readonly Tally[]): Tally =>
  tallies.reduce<Tally>(
    (sum, { samples, successes }) => ({ samples: sum.samples + samples, successes: sum.successes + successes }),
    { samples: 0, successes: 0 },
  )

const failuresOf = ({ samples, successes }: Tally): number => samples - successes
