import fs from 'node:fs'
import path from 'node:path'
import { BackupError, type Config, type Log, endOrphanDatabase } from '@fairway/platform'
import { holderOf, takeHome } from '../supervisor/home.ts'
import { type PutBack, putBack } from './put-back.ts'

/** What an empty home may hold: the settings that say where the engines are. */
const SETTINGS = 'fairway.conf'

/**
 * Restores a backup into an empty home: it is made beside it and takes its place when everything is there.
 * @throws BackupError with the reason; the home is as it was then.
 */
export function restoreHome(given: { file: string; passphrase: string; config: Config; log: Log }): Promise<PutBack> {
  return intoEmptyHome(given.config, (config) => putBack({ ...given, config }))
}

/** Has a home filled beside its place, with the settings that name it, and moves it there when that went well. */
export async function intoEmptyHome<T>(settings: Config, fill: (config: Config) => Promise<T>): Promise<T> {
  const { home } = settings
  refuseFilled(home)
  const draft = `${home}.restoring`
  if (fs.existsSync(draft) && holderOf(path.join(draft, 'supervisor.lock')) === null) removeDraft(draft)
  try {
    const put = await filled({ ...settings, home: draft }, fill)
    const own = path.join(home, SETTINGS)
    // Settings of this machine stay before those of the one that is gone.
    if (fs.existsSync(own)) fs.copyFileSync(own, path.join(draft, SETTINGS))
    refuseFilled(home)
    if (fs.existsSync(own)) fs.rmSync(own)
    if (fs.existsSync(home)) fs.rmdirSync(home)
    fs.renameSync(draft, home)
    return put
  } catch (error) {
    if (holderOf(path.join(draft, 'supervisor.lock')) === null) removeDraft(draft)
    throw error
  }
}

async function filled<T>(config: Config, fill: (config: Config) => Promise<T>): Promise<T> {
  using _ = takeHome(config.home)
  return await fill(config)
}

function refuseFilled(home: string): void {
  const found = fs.existsSync(home) ? fs.readdirSync(home).filter((name) => name !== SETTINGS) : []
  if (found.length > 0)
    throw new BackupError(
      `${home} is not empty (${found.slice(0, 3).join(', ')}): a backup is restored into an empty home only. Move it away, or set FAIRWAY_HOME to another folder.`,
    )
}

/** One that was killed leaves a folder, and may leave a database that nobody watches. */
function removeDraft(draft: string): void {
  endOrphanDatabase({ home: draft })
  fs.rmSync(draft, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
}
