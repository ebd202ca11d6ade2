import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Problem, controlRequest, loadConfig, runDir } from '@fairway/platform'
import { UsageError } from './options.ts'

const PATIENCE_MS = 600_000

type Told = { pid: number; exchange: 'none' | 'running' | 'done'; roles: Record<string, unknown> }

/** `reload`: puts the code and settings that are there now in the place of what runs, without an interruption. */
export async function reload(words: string[]): Promise<number> {
  if (words.length) throw new UsageError('reload takes no further words.')
  const config = loadConfig()
  const ask = (method: string, route: string) =>
    controlRequest(`unix:${path.join(runDir(config), 'supervisor.sock')}`, method, route) as Promise<Told>
  const before = await ask('GET', '/roles').catch(() => {
    throw new Problem(`Nothing runs in ${config.home}. Start it with: ./fairway up`)
  })
  await ask('POST', '/exchange')
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await delay(100)) {
    const now = await ask('GET', '/roles').catch(() => null)
    if (now === null || now.pid === before.pid || now.exchange !== 'done') continue
    process.stdout.write(`exchanged ${Object.keys(now.roles).join(', ')}\n`)
    return 0
  }
  throw new Problem('The new code does not get ready; what ran before serves on. More in the log folder of the home.')
}
