import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { systemEnvironment } from '@fairway/platform'
import { buildConsole } from '../build/build-console.ts'
import { runChecks } from './check.ts'
import { CHECKOUT, toolOf } from './checkout.ts'
import { UsageError, parseWords } from './options.ts'
import { type Counts, sum } from './test-counts.ts'
import { testFiles } from './test-files.ts'

const MEMORY = '/dev/shm'
/** What the homes of the tests that run at a time take, and as much again. */
const SCRATCH_BYTES = 6 * 2 ** 30

/** `test [pattern|e2e]`: checks, then every test, or only those whose path holds the pattern. Ends with one line of counts. */
export async function test(words: string[]): Promise<number> {
  const { positionals } = parseWords(words, {})
  const [pattern, ...more] = positionals
  if (more.length) throw new UsageError('test takes one pattern at most: a part of the path of test files, or e2e.')
  const files = testFiles(pattern)
  if (Object.values(files).every((list) => list.length === 0)) throw new UsageError(`no test file has "${pattern}" in its path.`)
  const scratch = makeScratch()
  try {
    const counts = [pattern === undefined ? runChecks() : { passed: 0, failed: 0 }]
    if (files.node.length) counts.push(await nodeTests(files.node, scratch, 2))
    if (files.console.length) counts.push(await consoleTests(files.console, scratch))
    if (files.sideBySide.length + files.alone.length) await buildConsole((line) => void process.stderr.write(`fairway: ${line}\n`))
    // A failed end-to-end test may leave its questions running.
    if (files.sideBySide.length) counts.push(await nodeTests(files.sideBySide, scratch, 2, ['--test-force-exit']))
    if (files.alone.length) counts.push(await nodeTests(files.alone, scratch, 1, ['--test-force-exit']))
    const { passed, failed } = sum(counts)
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
    return failed ? 1 : 0
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

async function nodeTests(files: string[], scratch: string, concurrency: number, more: string[] = []): Promise<Counts> {
  const result = path.join(fs.mkdtempSync(path.join(scratch, 'counts-')), 'counts.json')
  const reporter = path.join(import.meta.dirname, 'test-reporter.ts')
  const code = await run([
    '--disable-warning=ExperimentalWarning', '--test', `--test-concurrency=${concurrency}`, '--test-timeout=600000', ...more,
    '--test-reporter=spec', '--test-reporter-destination=stdout', `--test-reporter=${reporter}`, `--test-reporter-destination=${result}`, ...files,
  ], CHECKOUT, scratch)
  return countsOf(result, code)
}

async function consoleTests(files: string[], scratch: string): Promise<Counts> {
  const result = path.join(scratch, 'vitest.json')
  const folder = path.join(CHECKOUT, 'packages/console')
  const code = await run([toolOf('vitest', 'vitest.mjs', 'packages/console'), 'run', '--reporter=default', '--reporter=json', `--outputFile=${result}`, '--maxWorkers=2', ...files.map((file) => path.relative(folder, file))], folder, scratch)
  return countsOf(result, code)
}

/** Counts that a reporter wrote; a run that failed without a failed test (it could not even begin) counts as one failure. */
function countsOf(file: string, code: number): Counts {
  const read = fs.existsSync(file) && fs.statSync(file).size > 0 ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, number>) : {}
  const passed = read['passed'] ?? read['numPassedTests'] ?? 0
  const failed = read['failed'] ?? read['numFailedTests'] ?? 0
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed }
}

/** Where all that tests write is, their temporary folders too: in memory where that is had and roomy, since most of a test's time on a disk is waiting for it. */
function makeScratch(): string {
  const scratch = fs.mkdtempSync(path.join(isRoomy(MEMORY) ? MEMORY : os.tmpdir(), 'fairway-test-'))
  // nginx's unprivileged workers pass through on their way to a home.
  fs.chmodSync(scratch, 0o711)
  return scratch
}

function isRoomy(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.W_OK)
    const { bavail, bsize } = fs.statfsSync(folder)
    return bavail * bsize >= SCRATCH_BYTES
  } catch {
    return false
  }
}

/** Tests see none of the caller's settings; what forgets to make a home of its own lands in the scratch folder. Compiled code is shared between them. */
function run(args: string[], cwd: string, scratch: string): Promise<number> {
  const child = spawn(process.execPath, args, { cwd, env: { ...systemEnvironment(), TMPDIR: scratch, FAIRWAY_HOME: path.join(scratch, 'home'), NODE_COMPILE_CACHE: path.join(scratch, 'cache') }, stdio: 'inherit' })
  return new Promise((resolve, reject) => child.once('error', reject).once('close', (code) => resolve(code ?? 1)))
}
