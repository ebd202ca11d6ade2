import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Problem, controlRequest, loadConfig, runDir } from '@fairway/platform'
import type { Exchange } from '../supervisor/supervisor.ts'
import { type RoleStatuses, saidOfExchange } from '../supervisor/role-status.ts'
import { UsageError } from './options.ts'

const PATIENCE_MS = 600_000

type Told = { pid: number; exchange: Exchange; roles: RoleStatuses }

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
  let last: Told | null = null
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await delay(100)) {
    const now = await ask('GET', '/roles').catch(() => null)
    if (now === null || now.pid === before.pid) continue
    last = now
    if (now.exchange === 'failed') throw new Problem(saidOfFailed(now.roles))
    if (now.exchange !== 'done') continue
    process.stdout.write(`${saidOfExchange(now.roles).join('\n')}\n`)
    return 0
  }
  throw new Problem(
    last === null
      ? 'The code that is there now has not begun; what ran before serves on. More in the log folder of the home.'
      : `The exchange takes longer than ${PATIENCE_MS / 60_000} minutes, and goes on. Until now: ${saidOfExchange(last.roles).join('; ')}.`,
  )
}

const saidOfFailed = (roles: RoleStatuses): string =>
  `The exchange ended before all was exchanged: ${saidOfExchange(roles).join('; ')}. More in the log folder of the home.`
