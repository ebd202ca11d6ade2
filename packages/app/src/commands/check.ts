import { spawnSync } from 'node:child_process'
import { systemEnvironment } from '@fairway/platform'
import { CHECKOUT, toolOf } from './checkout.ts'
import { parseWords } from './options.ts'
import type { Outcome } from './test-outcome.ts'

type Check = { name: string; args: () => string[] }

/** Everything that is checked without running the product, each by one tool. */
const CHECKS: readonly Check[] = [
  { name: 'types', args: () => [toolOf('typescript', 'bin/tsc'), '-p', 'tsconfig.json'] },
  {
    name: 'types of the console',
    args: () => [toolOf('typescript', 'bin/tsc'), '-p', 'packages/console/tsconfig.json'],
  },
  {
    name: 'types of the edge logic',
    args: () => [
      toolOf('typescript', 'bin/tsc', 'packages/edge/lua'),
      '-p',
      'packages/edge/lua/tsconfig.json',
      '--noEmit',
    ],
  },
  { name: 'format', args: () => [toolOf('oxfmt', 'bin/oxfmt'), '--check', '.'] },
  { name: 'lint', args: () => [toolOf('oxlint', 'bin/oxlint'), '--quiet'] },
  { name: 'structure', args: () => ['scripts/structure.ts'] },
  { name: 'unused code', args: () => [toolOf('knip', 'bin/knip.js'), '--no-progress'] },
]

/** `check`: types, lint, structure; seconds. */
export async function check(words: string[]): Promise<number> {
  parseWords(words, {})
  return runChecks().failures.length ? 1 : 0
}

/** Runs every check, prints one line for each and what a failed one says. */
export function runChecks(): Outcome {
  const outcome: Outcome = { passed: 0, failures: [], timings: [] }
  for (const { name, args } of CHECKS) {
    const startedAt = performance.now()
    const { status, stdout, stderr } = spawnSync(process.execPath, args(), {
      cwd: CHECKOUT,
      env: { ...systemEnvironment(), NO_COLOR: '1' },
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    })
    process.stdout.write(
      `${status === 0 ? 'ok' : 'FAILED'}  ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`,
    )
    if (status === 0) outcome.passed++
    else {
      process.stdout.write(`${stdout}${stderr}\n`)
      outcome.failures.push({ file: '', name, said: `${stdout}${stderr}` })
    }
  }
  return outcome
}
