import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { builtFrom, markBuilt, stampOf } from './stale.ts'
import { runTool } from './run-tool.ts'

const PACKAGES = path.join(import.meta.dirname, '../../..')
const CONSOLE = path.join(PACKAGES, 'console')

/**
 * Builds the console into packages/console/dist when its sources have changed since; a running installation sees either
 * the old or the new one whole.
 */
export async function buildConsole(say: (line: string) => void): Promise<void> {
  const own = fs
    .readdirSync(CONSOLE)
    .filter((name) => ['src', 'public'].includes(name) || /\.(?:ts|html|json)$/.test(name))
    .map((name) => path.join(CONSOLE, name))
  const below = ['contract/src', 'domain/src'].map((name) => path.join(PACKAGES, name))
  const stamp = stampOf([...own, ...below])
  const result = path.join(CONSOLE, 'dist')
  if (builtFrom(result, stamp)) return
  const startedAt = performance.now()
  say('building the console...')
  // Two that start at the same time build beside each other.
  const draft = path.join(CONSOLE, `dist.new-${process.pid}`)
  try {
    await runTool('Building the console', CONSOLE, [
      viteProgram(),
      'build',
      '--outDir',
      draft,
      '--emptyOutDir',
      '--logLevel',
      'warn',
    ])
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true })
    // Somebody at work on the console can still use the rest.
    if (!fs.existsSync(path.join(result, 'index.html'))) throw error
    return say(
      `${error instanceof Error ? error.message : String(error)}\nfairway: going on with the console built before`,
    )
  }
  markBuilt(draft, stamp)
  put(draft, result)
  say(`console built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

function put(draft: string, result: string): void {
  try {
    fs.rmSync(result, { recursive: true, force: true })
    fs.renameSync(draft, result)
  } catch (error) {
    // The other one has put a whole console there in between.
    fs.rmSync(draft, { recursive: true, force: true })
    if (!fs.existsSync(path.join(result, 'index.html'))) throw error
  }
}

function viteProgram(): string {
  const require = createRequire(path.join(CONSOLE, 'package.json'))
  return path.join(path.dirname(require.resolve('vite/package.json')), 'bin', 'vite.js')
}
