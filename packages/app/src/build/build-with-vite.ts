import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { builtFrom, markBuilt, stampOf } from './stale.ts'
import { runTool } from './run-tool.ts'

type Built = {
  name: string
  /** Of the package. */
  folder: string
  /** Sources of others that go into it. */
  below: readonly string[]
  /** A file that is there when it was built. */
  entry: string
}

/**
 * Builds a package for browsers into its folder `dist` when its sources have changed since; a running installation sees
 * either the old or the new one whole.
 */
export async function buildWithVite({ name, folder, below, entry }: Built, say: (line: string) => void): Promise<void> {
  const own = fs
    .readdirSync(folder)
    .filter((file) => ['src', 'public'].includes(file) || /\.(?:ts|html|json)$/.test(file))
    .map((file) => path.join(folder, file))
  const stamp = stampOf([...own, ...below])
  const result = path.join(folder, 'dist')
  if (builtFrom(result, stamp)) return
  const startedAt = performance.now()
  say(`building the ${name}...`)
  // Two that start at the same time build beside each other.
  const draft = path.join(folder, `dist.new-${process.pid}`)
  try {
    await runTool(`Building the ${name}`, folder, [
      viteProgram(folder),
      'build',
      '--outDir',
      draft,
      '--emptyOutDir',
      '--logLevel',
      'warn',
    ])
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true })
    // Somebody at work on it can still use the rest.
    if (!fs.existsSync(path.join(result, entry))) throw error
    return say(
      `${error instanceof Error ? error.message : String(error)}\nfairway: going on with the ${name} built before`,
    )
  }
  markBuilt(draft, stamp)
  put(draft, result, entry)
  say(`${name} built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

function put(draft: string, result: string, entry: string): void {
  try {
    fs.rmSync(result, { recursive: true, force: true })
    fs.renameSync(draft, result)
  } catch (error) {
    // The other one has put a whole one there in between.
    fs.rmSync(draft, { recursive: true, force: true })
    if (!fs.existsSync(path.join(result, entry))) throw error
  }
}

function viteProgram(folder: string): string {
  const require = createRequire(path.join(folder, 'package.json'))
  return path.join(path.dirname(require.resolve('vite/package.json')), 'bin', 'vite.js')
}
