import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { systemEnvironment } from '@fairway/platform'
import { buildConsole } from '../build/build-console.ts'
import { buildPlayer } from '../build/build-player.ts'
import { testsTouchedBy } from './changed-tests.ts'
import { runChecks } from './check.ts'
import { CHECKOUT, toolOf } from './checkout.ts'
import { UsageError, parseWords } from './options.ts'
import { processesOf, shares, type TestFiles, testFiles, triedAgain } from './test-files.ts'
import { endsAfter, writeProcesses } from './test-processes.ts'
import { failedFiles, type Failure, type Outcome, sum, tell, WHOLE_FILE } from './test-outcome.ts'

const MEMORY = '/dev/shm'
/** What the homes of the tests that run at a time take, and as much again. */
const SCRATCH_BYTES = 6 * 2 ** 30

/** More files than that are not bad luck; those that share a process may all fail by one. */
const TRIED_AGAIN = 12

/**
 * `test [pattern|e2e] [--changed [--base <revision>]]`: checks, then every test, only those whose path holds the
 * pattern, or only those that the changes since a revision can touch (of the end-to-end ones: those that import what
 * changed). Ends with the slowest, what failed and one line of counts.
 */
export async function test(words: string[]): Promise<number> {
  const { positionals, values } = parseWords(words, { changed: { type: 'boolean' }, base: { type: 'string' } })
  const [pattern, ...more] = positionals
  if (more.length) throw new UsageError('test takes one pattern at most: a part of the path of test files, or e2e.')
  if (values.base !== undefined && !values.changed) throw new UsageError('--base goes with --changed.')
  const touched = values.changed ? changedTests(values.base ?? 'HEAD') : null
  const files = testFiles((file) => (pattern === undefined || file.includes(pattern)) && (touched?.has(file) ?? true))
  const none = Object.values(files).every((list) => list.length === 0)
  if (none && !touched) throw new UsageError(`no test file has "${pattern}" in its path.`)
  const scratch = makeScratch()
  try {
    const first = sum([...(pattern === undefined ? [runChecks()] : []), await runFiles(files, scratch, 2)])
    const failed = failedFiles(first)
    // A test stands where it is written, which may be a suite that several test files run.
    // A machine that many share stands still at times: a failed file gets a second try with the machine to itself, and
    // is told apart.
    const isWorthIt = failed.length > 0 && failed.length <= TRIED_AGAIN
    const second = isWorthIt
      ? await runFiles(triedAgain(files, testsTouchedBy(failed, sourceTree())), scratch, 1)
      : null
    const { text, isGood } = tell(first, second)
    process.stdout.write(`\n${text}\n`)
    return isGood ? 0 : 1
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

/** The test files that the changes since a revision can touch, committed or not. */
function changedTests(base: string): Set<string> {
  const untracked = git('ls-files', '--others', '--exclude-standard')
  const changed = [...git('diff', '--name-only', base, '--'), ...untracked]
  const touched = testsTouchedBy(changed, sourceTree())
  process.stdout.write(`${changed.length} changed files can touch ${touched.length} test files\n`)
  return new Set(touched)
}

function sourceTree(): Map<string, string> {
  return new Map(
    [...git('ls-files'), ...git('ls-files', '--others', '--exclude-standard')]
      .filter((file) => /\.tsx?$|package\.json$/.test(file) && fs.existsSync(path.join(CHECKOUT, file)))
      .map((file) => [file, fs.readFileSync(path.join(CHECKOUT, file), 'utf8')]),
  )
}

function git(...args: string[]): string[] {
  return execFileSync('git', args, { cwd: CHECKOUT, encoding: 'utf8', maxBuffer: 64 << 20, env: systemEnvironment() })
    .split('\n')
    .filter(Boolean)
}

async function runFiles(files: TestFiles, scratch: string, atATime: number): Promise<Outcome> {
  const outcomes: Outcome[] = []
  // Most of the time of these is waiting: one more than cores begin. At the second try each has its process to itself.
  const isFirst = atATime > 1
  if (files.node.length)
    outcomes.push(
      await nodeTests(isFirst ? processesOf(files.node) : each(files.node), scratch, isFirst ? atATime + 1 : 1),
    )
  if (files.console.length) outcomes.push(await consoleTests(files.console, scratch, atATime))
  if (files.sideBySide.length + files.alone.length)
    await Promise.all(
      [buildConsole, buildPlayer].map((build) => build((line) => void process.stderr.write(`fairway: ${line}\n`))),
    )
  // Browsers that walk over every screen take both cores: by name they come one after the other, beside what waits.
  // A failed end-to-end test may leave its questions running.
  if (files.sideBySide.length)
    outcomes.push(await nodeTests(each(files.sideBySide), scratch, atATime, ['--test-force-exit']))
  if (files.alone.length) outcomes.push(await nodeTests(each(files.alone), scratch, 1, ['--test-force-exit']))
  return sum(outcomes)
}

const each = (files: readonly string[]): string[][] => files.map((file) => [file])

/** Runs them in the order in which they stand, each list in a process of its own. */
async function nodeTests(
  processes: readonly string[][],
  scratch: string,
  concurrency: number,
  more: string[] = [],
): Promise<Outcome> {
  const folder = fs.mkdtempSync(path.join(scratch, 'outcome-'))
  const result = path.join(folder, 'outcome.json')
  const reporter = path.join(import.meta.dirname, 'test-reporter.ts')
  const code = await run(
    [
      '--disable-warning=ExperimentalWarning',
      endsAfter(60_000),
      '--test',
      `--test-concurrency=${concurrency}`,
      '--test-timeout=1200000',
      ...more,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      `--test-reporter=${reporter}`,
      `--test-reporter-destination=${result}`,
      ...writeProcesses(processes, folder),
    ],
    CHECKOUT,
    scratch,
  )
  return outcomeOf(result, code, (outcome: Outcome) => outcome)
}

/**
 * One vitest for each share of the files, with one worker each: a worker keeps its page from file to file only when it
 * is given all of them at once, and pages were more than half of the work.
 */
async function consoleTests(files: string[], scratch: string, workers: number): Promise<Outcome> {
  const folder = path.join(CHECKOUT, 'packages/console')
  const outcomes = shares(files, workers).map(async (share, at) => {
    const result = path.join(scratch, `vitest-${at}.json`)
    fs.rmSync(result, { force: true })
    const code = await run(
      [
        toolOf('vitest', 'vitest.mjs', 'packages/console'),
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile=${result}`,
        '--maxWorkers=1',
        ...share.map((file) => path.relative(folder, file)),
      ],
      folder,
      scratch,
    )
    return outcomeOf(result, code, ofVitest)
  })
  return sum(await Promise.all(outcomes))
}

/** What vitest's own reporter writes of a run. */
type VitestReport = {
  testResults: {
    name: string
    message: string
    status: string
    assertionResults: { status: string; fullName: string; failureMessages: string[]; duration?: number | null }[]
  }[]
}

function ofVitest({ testResults }: VitestReport): Outcome {
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((result) => ({ file: path.relative(CHECKOUT, name), ...result })),
  )
  const failures = tests
    .filter(({ status }) => status === 'failed')
    .map(({ file, fullName, failureMessages }) => ({ file, name: fullName, said: failureMessages.join('\n') }))
  const notBegun = testResults
    .filter(
      ({ status, assertionResults }) =>
        status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
    )
    .map(({ name, message }) => ({
      file: path.relative(CHECKOUT, name),
      name: WHOLE_FILE,
      said: message,
    }))
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failures: [...failures, ...notBegun],
    timings: tests.map(({ file, fullName, duration }) => ({ file, name: fullName, ms: duration ?? 0 })),
  }
}

/**
 * What a run's reporter wrote, read; a run that ended badly without a failed test (it could not even begin) counts as
 * one failure.
 */
function outcomeOf<Written>(file: string, code: number, read: (written: Written) => Outcome): Outcome {
  const outcome =
    fs.existsSync(file) && fs.statSync(file).size > 0
      ? read(JSON.parse(fs.readFileSync(file, 'utf8')) as Written)
      : { passed: 0, failures: [], timings: [] }
  const unexplained: Failure = {
    file: '',
    name: 'the test runner',
    said: `It ended with code ${code}; what it said stands above.`,
  }
  return code !== 0 && outcome.failures.length === 0 ? { ...outcome, failures: [unexplained] } : outcome
}

/**
 * Where all that tests write is, their temporary folders too: in memory where that is had and roomy, since most of a
 * test's time on a disk is waiting for it.
 */
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

/**
 * Tests see none of the caller's settings; what forgets to make a home of its own lands in the scratch folder. Compiled
 * code is shared between them and with later runs.
 */
function run(args: string[], cwd: string, scratch: string): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: {
      ...systemEnvironment(),
      TMPDIR: scratch,
      FAIRWAY_HOME: path.join(scratch, 'home'),
      NODE_COMPILE_CACHE: path.join(CHECKOUT, 'node_modules/.cache/compiled'),
    },
    stdio: 'inherit',
  })
  return new Promise((resolve, reject) => child.once('error', reject).once('close', (code) => resolve(code ?? 1)))
}
