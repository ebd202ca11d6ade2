import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { CHECKOUT } from './checkout.ts'

const TOGETHER = path.join(import.meta.dirname, 'test-together.ts')
/** What node is started with, and then starts its tests with, so that their processes end. */
export const endsAfter = (patienceMs: number): string =>
  `--import=${pathToFileURL(path.join(import.meta.dirname, 'test-end.ts')).href}?patience=${patienceMs}`
/** What of a list of files is told to the runner: it sorts by name, and starts a process for each name. */
const MANY = /\.together\.mjs$/

/**
 * Writes what node:test is to start, in this order: a link to a file that has its process to itself, and a program for
 * those that share one. Answers their names.
 */
export function writeProcesses(processes: readonly string[][], folder: string): string[] {
  return processes.map((files, at) => {
    const [first = ''] = files
    const name = path.join(folder, `${String(at).padStart(4, '0')}-${path.basename(first)}`)
    if (files.length === 1) {
      fs.symlinkSync(first, name)
      return name
    }
    const program = name.replace(/\.ts$/, '.together.mjs')
    const list = JSON.stringify(files.map((file) => path.relative(CHECKOUT, file)))
    fs.writeFileSync(
      program,
      `// ${list}\nimport { together } from ${JSON.stringify(TOGETHER)}\nawait together(${list})\n`,
    )
    return program
  })
}

/**
 * The test files that an event at a place is about, by their paths in the checkout; whole when it is the process that
 * failed, or a file that could not begin.
 */
export function filesBehind(at: string, name: string): { file: string; isWhole: boolean }[] {
  if (at === '') return [{ file: '', isWhole: false }]
  if (at === TOGETHER) return [{ file: name, isWhole: true }]
  if (MANY.test(at)) {
    const list: unknown = JSON.parse(fs.readFileSync(at, 'utf8').split('\n', 1)[0]?.slice(3) ?? '[]')
    return Array.isArray(list) ? list.map((file) => ({ file: String(file), isWhole: true })) : []
  }
  const real = fs.existsSync(at) ? fs.realpathSync(at) : at
  return [{ file: path.relative(CHECKOUT, real), isWhole: real !== at }]
}
