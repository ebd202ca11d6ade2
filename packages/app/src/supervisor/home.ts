import fs from 'node:fs'
import path from 'node:path'
import { Problem, diskOf, giveUpReserve, identityOf, livesStill } from '@fairway/platform'
import { explainFailure } from './explain-failure.ts'
import { finishMove, removeDraft } from './move-in.ts'

const PRIVATE = ['cache', 'geo', 'log', 'media', 'nodes', 'run', 'secrets', 'store']
const NEEDED_BYTES = 300 << 20
/** One that has run before has its files: it starts on a disk that is nearly full, and serves. */
const NEEDED_AGAIN_BYTES = 4 << 20

/**
 * Makes the home ready to be used by this process alone.
 * @throws Problem when it cannot be written, is nearly full, or another Fairway runs in it.
 */
export function takeHome(home: string): Disposable {
  try {
    const hasRun = fs.existsSync(path.join(home, 'secrets'))
    // What is written first are the lock and the states of the roles.
    if (hasRun) giveUpReserve(home, diskOf(home).freeBytes)
    // Others may pass through, for nginx's unprivileged workers on the way to the edge's cache, and look into nothing.
    fs.mkdirSync(home, { recursive: true, mode: 0o711 })
    for (const folder of PRIVATE) fs.mkdirSync(path.join(home, folder), { recursive: true, mode: 0o700 })
    using held = new DisposableStack()
    held.use(takeLock(path.join(home, 'supervisor.lock'), home))
    // A restore that was cut short: at its very end it is whole, and before that it is nothing.
    if (!finishMove(home)) removeDraft(home)
    const { freeBytes } = diskOf(home)
    const needed = hasRun ? NEEDED_AGAIN_BYTES : NEEDED_BYTES
    if (freeBytes >= needed) return held.move()
    throw new Problem(
      `The disk that holds ${home} has ${Math.floor(freeBytes / 2 ** 20)} MB left; Fairway needs ${needed >> 20} MB. Free some space, or set FAIRWAY_HOME to a folder on another disk.`,
    )
  } catch (error) {
    throw explained(error, home)
  }
}

/** Keeps others out of a home that is being restored. @throws Problem when another Fairway runs in it */
export function lockHome(home: string): Disposable {
  try {
    fs.mkdirSync(home, { recursive: true, mode: 0o711 })
    return takeLock(path.join(home, 'supervisor.lock'), home)
  } catch (error) {
    throw explained(error, home)
  }
}

function explained(error: unknown, home: string): Problem {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOTDIR' || error.code === 'EEXIST'))
    return new Problem(`${home} is, or lies under, a file and not a folder. Set FAIRWAY_HOME to a folder.`)
  return new Problem(explainFailure(error, { home }) ?? String(error), { cause: error })
}

function takeLock(file: string, home: string): Disposable {
  const holder = holderOf(file)
  if (holder !== null) {
    throw new Problem(
      `Fairway is already running in ${home} (process ${holder}). Stop it with Ctrl-C or: kill ${holder}. For a second installation set FAIRWAY_HOME to another folder.`,
    )
  }
  const mine = `${process.pid} ${identityOf(process.pid).birth}\n`
  removeStale(file)
  // `wx`: when two start at the same moment, one of them fails here.
  fs.writeFileSync(file, mine, { flag: 'wx' })
  return {
    [Symbol.dispose]() {
      if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === mine) fs.rmSync(file, { force: true })
    },
  }
}

/** Another one may have taken the lock since it was read: what was moved aside is looked at once more. */
function removeStale(file: string): void {
  const aside = `${file}.${process.pid}`
  try {
    fs.renameSync(file, aside)
  } catch {
    return
  }
  const isTaken = holderOf(aside) !== null
  if (isTaken) fs.linkSync(aside, file)
  fs.rmSync(aside)
  if (isTaken) throw new Problem('Fairway is being started in this home by another process at this moment.')
}

/**
 * The living process that holds the lock; a lock of a process that is gone, or whose number somebody else has now,
 * counts for nothing.
 */
export function holderOf(file: string): number | null {
  if (!fs.existsSync(file)) return null
  const [number = '', birth = ''] = fs.readFileSync(file, 'utf8').trim().split(' ')
  const pid = Number(number)
  return Number.isInteger(pid) && pid > 1 && livesStill({ pid, birth }) ? pid : null
}
