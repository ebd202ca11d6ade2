import fs from 'node:fs'
import { BackupError, type Config, type Log, livesStill } from '@fairway/platform'
import { lockHome, takeHome } from '../supervisor/home.ts'
import { draftOf, finishMove, foundIn, isMovingIn, moveIn, removeDraft } from '../supervisor/move-in.ts'
import { readRoles } from '../supervisor/roles-file.ts'
import { type PutBack, putBack } from './put-back.ts'

export type Into = {
  /** Whether what the home holds already is put aside; otherwise a home that holds something is refused. */
  replace: boolean
}

/** @param replaced the folder with what was in the home before; null when nothing was */
type Restored<T> = { put: T; replaced: string | null }

/**
 * Restores a backup into a home: it is made inside, and takes its place when everything is there.
 * @throws BackupError with the reason; the home is as it was then.
 */
export function restoreHome(
  given: { file: string; passphrase: string; config: Config; log: Log } & Into,
): Promise<Restored<PutBack>> {
  return intoHome(given.config, given, (config) => putBack({ ...given, config }))
}

/** Has a home filled beside its place, with the settings that name it, and moves it there when that went well. */
export async function intoHome<T>(
  settings: Config,
  into: Into,
  fill: (config: Config) => Promise<T>,
): Promise<Restored<T>> {
  const { home } = settings
  const wasThere = fs.existsSync(home)
  try {
    return await lockedInto(settings, into, fill)
  } catch (error) {
    if (!wasThere && fs.existsSync(home) && fs.readdirSync(home).length === 0) fs.rmdirSync(home)
    throw error
  }
}

async function lockedInto<T>(
  settings: Config,
  { replace }: Into,
  fill: (config: Config) => Promise<T>,
): Promise<Restored<T>> {
  const { home } = settings
  using _ = lockHome(home)
  refuseServed(home)
  if (finishMove(home) && !replace)
    throw new BackupError(
      `A restore into ${home} that was cut short at its very end is complete now: start it with ./fairway up.`,
    )
  const found = foundIn(home)
  if (found.length > 0 && !replace)
    throw new BackupError(
      `${home} is not empty (${found.slice(0, 3).join(', ')}): --replace restores into it all the same and puts what is there aside; or set FAIRWAY_HOME to another folder.`,
    )
  removeDraft(home)
  try {
    const put = await filled({ ...settings, home: draftOf(home) }, fill)
    return { put, replaced: moveIn(home, new Date()) }
  } catch (error) {
    if (!isMovingIn(home)) removeDraft(home)
    throw error
  }
}

async function filled<T>(config: Config, fill: (config: Config) => Promise<T>): Promise<T> {
  using _ = takeHome(config.home)
  return await fill(config)
}

/** Roles outlive their keeper: what they use must not be moved away below them. */
function refuseServed(home: string): void {
  for (const [name, { pid, birth }] of Object.entries(readRoles(home)?.roles ?? {}))
    if (pid !== null && livesStill({ pid, birth: birth ?? '' }))
      throw new BackupError(
        `The role ${name} of ${home} still runs (process ${pid}). Start Fairway, and stop it in order first.`,
      )
}
