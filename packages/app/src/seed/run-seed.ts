import { spawn } from 'node:child_process'
import path from 'node:path'
import { Problem, type Config, configEnvironment, systemEnvironment } from '@fairway/platform'

/** Each one goes on where the one before stopped; a machine that is busy with other things refuses now and then. */
const TRIES = 3

/**
 * Makes the demo world, or with `sandbox` the organisation that anybody may look at, in a process of its own, so that
 * what only the seed needs does not stay in the supervisor. @throws Problem when it could not
 */
export async function runSeed(config: Config, words: readonly string[] = [], signal?: AbortSignal): Promise<void> {
  for (let tries = 1; !(await seeded(config, words, signal)); tries++)
    if (tries === TRIES || signal?.aborted)
      throw new Problem(
        'The demo world could not be made; the reason is above. Starting again goes on where it stopped.',
      )
}

async function seeded(config: Config, words: readonly string[], signal: AbortSignal | undefined): Promise<boolean> {
  const main = path.join(import.meta.dirname, '../main.ts')
  const child = spawn(process.execPath, [...process.execArgv, main, 'seed', ...words], {
    env: { ...systemEnvironment(), ...configEnvironment(config), NODE_COMPILE_CACHE: path.join(config.home, 'cache') },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const end = () => child.kill()
  signal?.addEventListener('abort', end)
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve))
  signal?.removeEventListener('abort', end)
  return code === 0
}
