/** What is wrong, where: the file in the checkout, the test's name, and what it said. */
export type Failure = { file: string; name: string; said: string }

/** How long one test took. */
export type Timing = { file: string; name: string; ms: number }

export type Outcome = { passed: number; failures: Failure[]; timings: Timing[] }

/** The name of a failure of a file that could not even begin. */
export const WHOLE_FILE = 'the file could not be run'

const LINES = 20
/** How many of the slowest tests are told, of those that took at least so long. */
const SLOWEST = 20
const SLOW_MS = 2000

export function sum(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((total, { passed }) => total + passed, 0),
    failures: outcomes.flatMap(({ failures }) => failures),
    timings: outcomes.flatMap(({ timings }) => timings),
  }
}

/** The files with a failed test; none for what failed without one (a check, a runner that could not begin). */
export function failedFiles({ failures }: Outcome): string[] {
  return [...new Set(failures.map(({ file }) => file).filter(Boolean))]
}

/**
 * The end of a run: what failed once more, since what was printed where it happened is far above or cut off by then,
 * and the line of counts.
 * `second` is the outcome of running the tests behind failed files again; what was seen to pass then is called
 * unsteady, for somebody to look at. What did not run again has failed.
 */
export function tell(first: Outcome, second: Outcome | null): { text: string; isGood: boolean } {
  const unsteady = second ? first.failures.filter((failure) => passedIn(second, failure)) : []
  const again = second?.failures ?? []
  const failures = [
    ...first.failures.filter((one) => !unsteady.includes(one) && !again.some((other) => isSame(one, other))),
    ...again,
  ]
  const counts = `${first.passed + unsteady.length} passed, ${failures.length} failed`
  return {
    text: [
      ...slowest(first.timings),
      ...unsteady.map((failure) => block('unsteady: failed, then passed', failure)),
      ...failures.map((failure) => block('✖', failure)),
      unsteady.length ? `${counts}; ${unsteady.length} passed at the second try only` : counts,
    ].join('\n'),
    isGood: failures.length === 0,
  }
}

const isSame = (one: { file: string; name: string }, other: { file: string; name: string }): boolean =>
  one.file === other.file && one.name === other.name

/** A file that could not be run at all has no test of its own name: it has passed when its tests ran and none failed. */
function passedIn({ timings, failures }: Outcome, failure: Failure): boolean {
  if (failure.file === '') return false
  const ran = timings.filter(({ file }) => file === failure.file)
  if (ran.some((one) => isSame(one, failure))) return !failures.some((one) => isSame(one, failure))
  const isWhole = failure.name.endsWith(failure.file) || failure.name === WHOLE_FILE
  return isWhole && ran.length > 0 && !failures.some(({ file }) => file === failure.file)
}

function slowest(timings: readonly Timing[]): string[] {
  const slow = timings
    .filter(({ ms }) => ms >= SLOW_MS)
    .sort((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST)
  return slow.length
    ? [
        'the slowest:',
        ...slow.map(({ file, name, ms }) => `  ${(ms / 1000).toFixed(1).padStart(6)} s  ${name} (${file})`),
      ]
    : []
}

function block(mark: string, { file, name, said }: Failure): string {
  return [
    `${mark} ${name}${file && ` (${file})`}`,
    ...said
      .split('\n')
      .slice(0, LINES)
      .map((line) => `    ${line}`),
  ].join('\n')
}
