import fs from 'node:fs'
import path from 'node:path'
import { CHECKOUT } from './checkout.ts'

/**
 * End-to-end tests whose promises are in seconds, or that need the whole machine: they run one at a time, the others
 * side by side.
 */
const ALONE = ['console', 'crash', 'failover', 'robust', 'roles', 'steering', 'video', 'video-balance'].map(
  (name) => `/${name}.e2e.ts`,
)

/** Those that take minutes begin first: what is left at the end is then short, and no core waits for the other. */
const LONGEST = [
  'backup.test',
  'backup/chain/chain.test',
  'media/src/live/live.test',
  'decide-properties.test',
  'seed-world.test',
  'hostile-input.test',
  'trust.test',
  'media.test',
  'geo.test',
].map((name) => `/${name}.ts`)

/** So many files at most are run in one process: what fails there all of a sudden is tried again as a whole. */
const TOGETHER = 8
/** What a file does that changes the process it runs in, or reads how that was started. */
const OWN_PROCESS =
  /process\.(?!cwd|execPath|hrtime|pid|nextTick|memoryUsage|cpuUsage|std|arch|platform|version)|\bmock\b|globalThis\.|Dispatcher/

export type TestFiles = { node: string[]; console: string[]; sideBySide: string[]; alone: string[] }

/** The test files that are wanted, told by their paths in the checkout, by who runs them. */
export function testFiles(isWanted: (file: string) => boolean): TestFiles {
  const all = ['packages', 'scripts', 'e2e'].flatMap((folder) => filesIn(path.join(CHECKOUT, folder))).sort()
  const wanted = all.filter((file) => isWanted(path.relative(CHECKOUT, file)))
  const e2e = wanted.filter((file) => file.endsWith('.e2e.ts'))
  const isAlone = (file: string) => ALONE.some((end) => file.endsWith(end))
  const isConsole = (file: string) => file.includes('/packages/console/')
  return {
    node: wanted.filter((file) => file.endsWith('.test.ts') && !isConsole(file)),
    console: wanted.filter((file) => /\.test\.tsx?$/.test(file) && isConsole(file)),
    sideBySide: e2e.filter((file) => !isAlone(file)),
    alone: e2e.filter(isAlone),
  }
}

/** Those of a run's test files that lead to a failure: `behind` has them by their paths in the checkout. */
export function triedAgain(files: TestFiles, behind: readonly string[]): TestFiles {
  const again = new Set(behind.map((file) => path.join(CHECKOUT, file)))
  const kept = (list: readonly string[]) => list.filter((file) => again.has(file))
  return {
    node: kept(files.node),
    console: kept(files.console),
    sideBySide: kept(files.sideBySide),
    alone: kept(files.alone),
  }
}

/** The files, those that take long first. */
function longestFirst(files: readonly string[]): string[] {
  const rank = (file: string) =>
    (LONGEST.findIndex((end) => file.endsWith(end)) + LONGEST.length + 1) % (LONGEST.length + 1)
  return files.toSorted((a, b) => rank(a) - rank(b))
}

/**
 * The files as processes run them: those of a package that leave their process as it was by the handful, the others
 * each for itself.
 */
export function processesOf(files: readonly string[]): string[][] {
  const isLong = (file: string) => LONGEST.some((end) => file.endsWith(end))
  const isOwn = (file: string) => isLong(file) || OWN_PROCESS.test(fs.readFileSync(file, 'utf8'))
  const packageOf = (file: string) => path.relative(CHECKOUT, file).split(path.sep)[1] ?? ''
  const kept = Map.groupBy(
    files.filter((file) => !isOwn(file)),
    packageOf,
  )
  const handfuls = [...kept.values()].flatMap((some) => {
    const bySize = some.toSorted((a, b) => fs.statSync(b).size - fs.statSync(a).size)
    const many = Math.ceil(some.length / TOGETHER)
    return Array.from({ length: many }, (_, at) => bySize.filter((_file, nth) => nth % many === at))
  })
  return [
    ...longestFirst(files.filter(isLong)).map((file) => [file]),
    ...handfuls,
    ...files.filter((file) => isOwn(file) && !isLong(file)).map((file) => [file]),
  ]
}

/** The files dealt out to so many, each of which gets about as much to read; none gets nothing. */
export function shares(files: readonly string[], most: number): string[][] {
  const sizeOf = new Map(files.map((file) => [file, fs.statSync(file).size]))
  const dealt = Array.from({ length: Math.min(most, files.length) }, () => ({ files: [] as string[], bytes: 0 }))
  for (const file of files.toSorted((a, b) => (sizeOf.get(b) ?? 0) - (sizeOf.get(a) ?? 0))) {
    const least = dealt.reduce((a, b) => (b.bytes < a.bytes ? b : a))
    least.files.push(file)
    least.bytes += sizeOf.get(file) ?? 0
  }
  return dealt.map((share) => share.files.sort())
}

function filesIn(folder: string): string[] {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .flatMap((entry) =>
      entry.isDirectory() ? filesIn(path.join(folder, entry.name)) : [path.join(folder, entry.name)],
    )
}
