import { spawn } from 'node:child_process'
import path from 'node:path'
import { Problem, type Config, configEnvironment, systemEnvironment } from '@fairway/platform'

/** Makes the demo world in a process of its own, so that what only the seed needs does not stay in the supervisor. */
export async function runSeed(config: Config): Promise<void> {
  const main = path.join(import.meta.dirname, '../main.ts')
  const child = spawn(process.execPath, [...process.execArgv, main, 'seed'], {
    env: { ...systemEnvironment(), ...configEnvironment(config) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve))
  if (code !== 0)
    throw new Problem('The demo world could not be made; the reason is above. Starting again goes on where it stopped.')
}
