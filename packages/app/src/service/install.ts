import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { type Config, Problem, loadConfig, loadLibc } from '@fairway/platform'
import type { RoleName } from '../roles/role.ts'
import { holderOf } from '../supervisor/home.ts'
import { FIRST_SETTINGS, type ServiceFile, serviceFiles } from './files.ts'
import { ACCOUNT, HOME, SETTINGS, SYSUSERS, TMPFILES, UNIT, WANTED } from './places.ts'

export type Place = {
  /** Folder that stands for `/`: the machine itself, or the root of an image that is being made. */
  root: string
  /** On that machine. */
  checkout: string
  say: (line: string) => void
}

/** Systemd looks there itself. */
const isLive = (place: Place): boolean => place.root === '/' && fs.existsSync('/run/systemd/system')
const at = (place: Place, file: string): string => path.join(place.root, file)

/**
 * Writes what the service is made of, makes its account and its folders, and has it start with the machine. A second
 * time changes what has changed only; settings and data stay. @throws Problem
 */
export function installService(place: Place, roles: readonly RoleName[] | null): void {
  checkCheckout(place)
  let isChanged = false
  for (const file of serviceFiles({ checkout: place.checkout, roles, notifies: loadLibc() !== null }))
    isChanged = put(place, file) || isChanged
  if (!fs.existsSync(at(place, SETTINGS))) put(place, { path: SETTINGS, mode: 0o640, text: FIRST_SETTINGS })
  link(place)
  if (process.getuid?.() === 0) {
    // By name: looked for in the folders of that root.
    tool('systemd-sysusers', [`--root=${place.root}`, path.basename(SYSUSERS)])
    tool('systemd-tmpfiles', ['--create', `--root=${place.root}`, path.basename(TMPFILES)])
  } else place.say('not root: account and folders are made when the machine of this image starts')
  if (isLive(place)) tool('systemctl', ['daemon-reload'])
  if (isChanged && isLive(place) && isActive()) place.say('the unit has changed: systemctl restart fairway')
}

/** Lets it start now. */
export function startService(place: Place): void {
  if (!isLive(place)) return place.say('systemd does not run here: the service starts with the machine')
  tool('systemctl', ['start', '--no-block', 'fairway.service'])
  place.say('starting; how it gets on: systemctl status fairway')
}

/** Takes it away, but the settings, the data and the account that owns them; with `purge` those too. @throws Problem */
export function removeService(place: Place, purge: boolean): void {
  if (isLive(place) && fs.existsSync(at(place, UNIT))) {
    tool('systemctl', ['stop', 'fairway.service'])
    // What a stop that took too long has left.
    spawnSync('systemctl', ['kill', '--kill-whom=all', '--signal=SIGKILL', 'fairway.service'], { stdio: 'ignore' })
  }
  const holder = holderOf(at(place, path.join(HOME, 'supervisor.lock')))
  if (holder !== null) throw new Problem(`Fairway runs in ${HOME} (process ${holder}). Stop it first: kill ${holder}`)
  const files = serviceFiles({ checkout: place.checkout, roles: null, notifies: false }).map((file) => file.path)
  for (const file of [WANTED, ...files]) take(place, file)
  if (isLive(place)) {
    tool('systemctl', ['daemon-reload'])
    spawnSync('systemctl', ['reset-failed', 'fairway.service'], { stdio: 'ignore' })
  }
  if (!purge) return place.say(`${HOME}, ${SETTINGS} and the account ${ACCOUNT} stay; --purge takes them too`)
  for (const file of [HOME, path.dirname(SETTINGS)]) take(place, file)
  if (process.getuid?.() === 0 && idsOf(place) !== null)
    tool('userdel', [...(place.root === '/' ? [] : ['--root', place.root]), ACCOUNT])
}

/** What of it is there, line by line; false when something is missing or other than it would be written now. */
export function serviceStatus(place: Place): boolean {
  const roles = rolesIn(place)
  const files = serviceFiles({ checkout: place.checkout, roles, notifies: loadLibc() !== null })
  let isWhole = true
  for (const { path: name, text } of files) {
    const found = read(place, name)
    const state = found === null ? 'missing' : found === text ? 'installed' : 'other than would be written now'
    isWhole &&= state === 'installed'
    place.say(`${name}: ${state}`)
  }
  const starts = fs.lstatSync(at(place, WANTED), { throwIfNoEntry: false }) !== undefined
  place.say(starts ? 'starts with the machine' : 'does not start with the machine')
  if (!isLive(place)) return isWhole && starts
  place.say(isActive() ? 'running' : 'not running: journalctl -u fairway -n 50 says why')
  return isWhole && starts && isActive()
}

/** Gives what was written into the home as root to the account of the service. */
export function giveHome(place: Place): void {
  const ids = idsOf(place)
  if (ids) for (const file of filesBelow(at(place, HOME))) fs.lchownSync(file, ids.uid, ids.gid)
}

/** The settings that the service starts with. */
export const serviceConfig = (): Config => loadConfig({ FAIRWAY_HOME: HOME })

/** Everybody has to get there: the account owns nothing of it, and sees neither homes nor the shared temporary folders. */
function checkCheckout({ root, checkout }: Place): void {
  const better = 'Put the checkout where every account may read it, for example /opt/fairway, and install from there.'
  if (!/^\/[\w@+.,/-]+$/.test(checkout)) throw new Problem(`${checkout} has letters that units do not take. ${better}`)
  if (root !== '/') return
  const hidden = ['/home', '/root', '/run/user', '/tmp', '/var/tmp', HOME].find((top) =>
    `${checkout}/`.startsWith(`${top}/`),
  )
  if (hidden) throw new Problem(`${checkout} lies in ${hidden}, which the service does not see. ${better}`)
  for (let folder = checkout; folder !== '/'; folder = path.dirname(folder))
    if ((fs.statSync(folder).mode & 0o005) !== 0o005)
      throw new Problem(`${folder} is closed to other accounts (chmod o+rx "${folder}" opens it). ${better}`)
}

function put(place: Place, { path: name, mode, text }: ServiceFile): boolean {
  const file = at(place, name)
  if (read(place, name) === text) {
    fs.chmodSync(file, mode)
    place.say(`${name}: as it was`)
    return false
  }
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o755 })
  // Readers see the old one or the new one whole.
  fs.writeFileSync(`${file}.new`, text, { mode })
  fs.chmodSync(`${file}.new`, mode)
  fs.renameSync(`${file}.new`, file)
  place.say(`${name}: written`)
  return true
}

function link(place: Place): void {
  const file = at(place, WANTED)
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o755 })
  fs.rmSync(file, { force: true })
  fs.symlinkSync(UNIT, file)
}

function take(place: Place, name: string): void {
  if (fs.lstatSync(at(place, name), { throwIfNoEntry: false }) === undefined) return
  fs.rmSync(at(place, name), { recursive: true, force: true })
  place.say(`${name}: removed`)
}

function read(place: Place, name: string): string | null {
  const file = at(place, name)
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null
}

/** Those that the unit of this place starts; null is all, or no unit. */
export function rolesIn(place: Place): RoleName[] | null {
  const said = /^ExecStart=\S+ up --roles (\S+)$/m.exec(read(place, UNIT) ?? '')?.[1]
  // What we wrote: it was checked then.
  return said === undefined ? null : (said.split(',') as RoleName[])
}

function idsOf(place: Place): { uid: number; gid: number } | null {
  const found = new RegExp(`^${ACCOUNT}:[^:]*:(\\d+):(\\d+):`, 'm').exec(read(place, '/etc/passwd') ?? '')
  return found ? { uid: Number(found[1]), gid: Number(found[2]) } : null
}

const filesBelow = (folder: string): string[] => [
  folder,
  ...fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
]

const isActive = (): boolean => spawnSync('systemctl', ['is-active', '--quiet', 'fairway.service']).status === 0

function tool(name: string, words: string[]): void {
  const { status, stderr, error } = spawnSync(name, words, { encoding: 'utf8' })
  if (error) throw new Problem(`${name} is not here. The service needs systemd: sudo apt-get install -y systemd`)
  if (status !== 0) throw new Problem(`${name} ${words.join(' ')} failed: ${stderr.trim()}`)
}
