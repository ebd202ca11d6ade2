import { spawnSync } from 'node:child_process'
import { systemEnvironment } from '@fairway/platform'
import { CHECKOUT, toolOf } from './checkout.ts'
import { parseWords } from './options.ts'

type Check = { name: string; args: () => string[] }

/** Everything that is checked without running the product, each by one tool. */
const CHECKS: readonly Check[] = [
  { name: 'types', args: () => [toolOf('typescript', 'bin/tsc'), '-p', 'tsconfig.json'] },
  { name: 'types of the console', args: () => [toolOf('typescript', 'bin/tsc'), '-p', 'packages/console/tsconfig.json'] },
  { name: 'types of the edge logic', args: () => [toolOf('typescript', 'bin/tsc', 'packages/edge/lua'), '-p', 'packages/edge/lua/tsconfig.json', '--noEmit'] },
  { name: 'lint', args: () => [toolOf('oxlint', 'bin/oxlint'), '--quiet'] },
  { name: 'structure', args: () => ['scripts/structure.ts'] },
  { name: 'unused code', args: () => [toolOf('knip', 'bin/knip.js'), '--no-progress'] },
]

/** `check`: types, lint, structure; seconds. */
export async function check(words: string[]): Promise<number> {
  parseWords(words, {})
  const { failed } = runChecks()
  return failed ? 1 : 0
}

/** Runs every check, prints one line for each and what a failed one says. */
export function runChecks(): { passed: number; failed: number } {
  const counts = { passed: 0, failed: 0 }
  for (const { name, args } of CHECKS) {
    const startedAt = performance.now()
    const { status, stdout, stderr } = spawnSync(process.execPath, args(), { cwd: CHECKOUT, env: { ...systemEnvironment(), NO_COLOR: '1' }, encoding: 'utf8', maxBuffer: 64 << 20 })
    counts[status === 0 ? 'passed' : 'failed']++
    process.stdout.write(`${status === 0 ? 'ok' : 'FAILED'}  ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`)
    if (status !== 0) process.stdout.write(`${stdout}${stderr}\n`)
  }
  return counts
}
