import fs from 'node:fs'
import path from 'node:path'
import { type ProcessIdentity, livesStill, wordsOf } from '@fairway/platform/lean'
import type { RoleName } from '../roles/role.ts'
import type { RoleStatuses } from './role-status.ts'

/** `<home>/run/roles.json`: who runs, since when, how often it was started again and why. */
export type RolesFile = ProcessIdentity & { roles: RoleStatuses }

const fileOf = (home: string): string => path.join(home, 'run', 'roles.json')

/** What the supervisor wrote last, or null after a clean end: then nobody of before is there. */
export function readRoles(home: string): RolesFile | null {
  try {
    // Our own file, replaced whole.
    return JSON.parse(fs.readFileSync(fileOf(home), 'utf8')) as RolesFile
  } catch {
    return null
  }
}

/** Readers never see half of it. */
export function writeRoles(home: string, content: RolesFile): void {
  try {
    fs.writeFileSync(`${fileOf(home)}.new`, `${JSON.stringify(content, null, 2)}\n`)
    fs.renameSync(`${fileOf(home)}.new`, fileOf(home))
  } catch {
    // A full disk must not take the supervisor with it; the control socket still tells.
  }
}

export function removeRoles(home: string): void {
  fs.rmSync(fileOf(home), { force: true })
}

/** Whether a file names a process that still runs and was started by us with this word: numbers are given again. */
export function isOurs(process: ProcessIdentity, word: string): boolean {
  return livesStill(process) && (wordsOf(process.pid).includes(word) || wordsOf(process.pid).length === 0)
}

/** The supervisor that watches this home now, if there is one. */
export function livingSupervisor(home: string): RolesFile | null {
  const file = readRoles(home)
  return file && isOurs(file, 'supervise') ? file : null
}

/** Whether a role ran here before: of it, or of what it has started, something may still be there. */
export function ranBefore(file: RolesFile | null): (role: RoleName) => boolean {
  return (role) => file?.roles[role] !== undefined
}
