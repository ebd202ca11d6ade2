import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { databaseFolder, socketFolder } from './connection.ts'

/** Process id of the server that runs in this folder, or null. */
export function runningPostmaster(folder: string): number | null {
  const pid = pidIn(path.join(folder, 'postmaster.pid'))
  return pid !== null && isServerOf(folder, commandOf(pid)) ? pid : null
}

/**
 * Removes lock files that name a process which is alive but is not our server (after a reboot, or in a new container,
 * the number is somebody else's):
 * PostgreSQL would refuse to start because of them. With the process gone they stay: PostgreSQL uses them to see
 * whether old sessions still run.
 */
export function dropForeignLock(config: { home: string }): void {
  const folder = databaseFolder(config)
  for (const file of [path.join(folder, 'postmaster.pid'), path.join(socketFolder(config), '.s.PGSQL.5432.lock')]) {
    const pid = pidIn(file)
    const command = pid === null ? '' : commandOf(pid)
    if (command && !isServerOf(folder, command)) fs.rmSync(file, { force: true })
  }
}

function isServerOf(folder: string, command: string): boolean {
  return `${command} `.includes(` -D ${folder} `)
}

function pidIn(file: string): number | null {
  if (!fs.existsSync(file)) return null
  const pid = Number(fs.readFileSync(file, 'utf8').split('\n')[0])
  return Number.isInteger(pid) && pid > 1 ? pid : null
}

/** Command line of a process; empty when there is none. A zombie has none either. */
function commandOf(pid: number): string {
  if (process.platform === 'linux') {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    } catch {
      return ''
    }
  }
  return spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).stdout.trim()
}
