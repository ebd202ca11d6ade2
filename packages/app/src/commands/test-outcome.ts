/** What is wrong, where: the file in the checkout, the test's name, and what it said. */
export type Failure = { file: string; name: string; said: string }

/** How long one test took. */
export type Timing = { file: string; name: string; ms: number }

export type Outcome = { passed: number; failures: Failure[]; timings: Timing[] }

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
 * `second` is the outcome of running the files with a failed test again; what passed then is called unsteady, for
 * somebody to look at.
 */
export function tell(first: Outcome, second: Outcome | null): { text: string; isGood: boolean } {
  const failures = second ? [...first.failures.filter(({ file }) => file === ''), ...second.failures] : first.failures
  const unsteady = first.failures.filter(
    (failure) => !failures.some(({ file, name }) => file === failure.file && name === failure.name),
  )
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
