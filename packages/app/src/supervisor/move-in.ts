import fs from 'node:fs'
import path from 'node:path'
import { endOrphanDatabase } from '@fairway/platform'

/** A disk of its own has it. */
const LOST = 'lost+found'
/**
 * What a home may hold before anything was restored into it, and keeps when something is: what this machine made for
 * itself, what no backup holds, and what of it may be a disk of its own.
 */
const STAYS = new Set([
  'backup-proof.json',
  'backups',
  'backups.json',
  'cache',
  'fairway.conf',
  'geo',
  'log',
  LOST,
  'media',
  'reserve',
  'run',
  'supervisor.lock',
  'tmp',
])
const DRAFT = 'restoring'
const MARKER = 'restoring.json'
const ASIDE = 'replaced-'

/** `clear`: what was there goes aside; `enter`: what was restored takes its place. */
type Move = { step: 'clear' | 'enter'; aside: string | null }

/** Where a home is restored before it takes its place: in the home, whose parent may be another's and read-only. */
export const draftOf = (home: string): string => path.join(home, DRAFT)

/** What of an installation is in a home already. */
export function foundIn(home: string): string[] {
  return fs.readdirSync(home).filter((name) => !staysIn(name) && !isEmptyFolder(path.join(home, name)))
}

const staysIn = (name: string): boolean =>
  STAYS.has(name) || name === DRAFT || name.startsWith(MARKER) || name.startsWith(ASIDE)

function isEmptyFolder(file: string): boolean {
  return fs.lstatSync(file).isDirectory() && fs.readdirSync(file).every((name) => name === LOST)
}

/**
 * Has a draft that is whole take its place, entry by entry. A marker says so until all are there: what is cut short
 * here goes on with the next start. What was there before is kept aside.
 * @returns the folder with what was there before; null when nothing was
 */
export function moveIn(home: string, now: Date): string | null {
  const draft = draftOf(home)
  // Its own lock, sockets and logs, and what stays anyway.
  for (const name of fs.readdirSync(draft))
    if (STAYS.has(name) && (name !== 'fairway.conf' || isThere(path.join(home, name))))
      fs.rmSync(path.join(draft, name), { recursive: true, force: true })
  ownLike(home, draft)
  const aside = foundIn(home).length > 0 ? `${ASIDE}${now.toISOString().replaceAll(':', '-')}` : null
  mark(home, { step: 'clear', aside })
  finishMove(home)
  return aside && path.join(home, aside)
}

/** Goes on with a move that was cut short. Only for who holds the home. @returns whether there was one */
export function finishMove(home: string): boolean {
  const file = path.join(home, MARKER)
  if (!fs.existsSync(file)) return false
  // Our own file, replaced whole.
  const move = JSON.parse(fs.readFileSync(file, 'utf8')) as Move
  if (move.step === 'clear') {
    if (move.aside !== null) {
      const aside = path.join(home, move.aside)
      fs.mkdirSync(aside, { recursive: true, mode: 0o700 })
      ownLike(home, aside)
      for (const name of fs.readdirSync(home).filter((one) => !staysIn(one)))
        take(path.join(home, name), path.join(aside, name))
    }
    mark(home, { step: 'enter', aside: null })
  }
  const draft = draftOf(home)
  if (isThere(draft)) {
    for (const name of fs.readdirSync(draft)) take(path.join(draft, name), path.join(home, name))
    fs.rmdirSync(draft)
  }
  fs.rmSync(file)
  return true
}

/** What a restore that was killed has left holds everything in clear, and perhaps a database that nobody watches. */
export function removeDraft(home: string): void {
  const draft = draftOf(home)
  if (!isThere(draft)) return
  endOrphanDatabase({ home: draft })
  fs.rmSync(draft, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
}

/** Whether a draft is on its way into its place, and must not be taken away. */
export const isMovingIn = (home: string): boolean => fs.existsSync(path.join(home, MARKER))

const isThere = (file: string): boolean => fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined

function mark(home: string, move: Move): void {
  const file = path.join(home, MARKER)
  fs.writeFileSync(`${file}.new`, JSON.stringify(move), { mode: 0o600, flush: true })
  ownLike(home, `${file}.new`)
  fs.renameSync(`${file}.new`, file)
}

/** A folder that is there already, or a disk of its own, takes what is in the other one. */
const INTO_IT = new Set(['EBUSY', 'EEXIST', 'ENOTEMPTY', 'EXDEV'])

/** Moves a file or folder. Done twice it is as done once. */
function take(from: string, to: string): void {
  try {
    fs.renameSync(from, to)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!INTO_IT.has(code)) throw error
    if (!fs.lstatSync(from).isDirectory()) return takeFile(from, to)
    if (!isThere(to)) {
      fs.mkdirSync(to, { mode: fs.statSync(from).mode & 0o777 })
      ownLike(from, to)
    }
    for (const name of fs.readdirSync(from).filter((one) => one !== LOST))
      take(path.join(from, name), path.join(to, name))
    // A disk of its own stays where it is, empty.
    if (fs.readdirSync(from).length === 0) removeUnlessBusy(from)
  }
}

/** To another disk: there whole, or not at all. */
function takeFile(from: string, to: string): void {
  const draft = `${to}.moving`
  fs.cpSync(from, draft, { force: true, verbatimSymlinks: true, preserveTimestamps: true })
  ownLike(from, draft)
  fs.renameSync(draft, to)
  fs.rmSync(from)
}

function removeUnlessBusy(folder: string): void {
  try {
    fs.rmdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error
  }
}

/** What root has made belongs to whom the home belongs: the service could not read it otherwise. */
function ownLike(pattern: string, file: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = fs.lstatSync(pattern)
  if (uid === 0) return
  const below = fs.lstatSync(file).isDirectory() ? fs.readdirSync(file, { recursive: true, encoding: 'utf8' }) : []
  for (const name of ['', ...below]) fs.lchownSync(path.join(file, name), uid, gid)
}
