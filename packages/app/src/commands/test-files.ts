import fs from 'node:fs'
import path from 'node:path'
import { CHECKOUT } from './checkout.ts'

export type TestFiles = { node: string[]; console: string[]; e2e: string[] }

/** All test files by who runs them; with a pattern, those whose path in the checkout holds it. `e2e` is the end-to-end ones. */
export function testFiles(pattern?: string): TestFiles {
  const all = ['packages', 'scripts', 'e2e'].flatMap((folder) => filesIn(path.join(CHECKOUT, folder))).sort()
  const wanted = all.filter((file) => pattern === undefined || path.relative(CHECKOUT, file).includes(pattern))
  const isConsole = (file: string) => file.includes('/packages/console/')
  return {
    node: wanted.filter((file) => file.endsWith('.test.ts') && !isConsole(file)),
    console: wanted.filter((file) => /\.test\.tsx?$/.test(file) && isConsole(file)),
    e2e: wanted.filter((file) => file.endsWith('.e2e.ts')),
  }
}

function filesIn(folder: string): string[] {
  return fs.readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .flatMap((entry) => (entry.isDirectory() ? filesIn(path.join(folder, entry.name)) : [path.join(folder, entry.name)]))
}
