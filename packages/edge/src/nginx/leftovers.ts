import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Ends the nginx of an earlier start that outlived it (its agent or its master was killed), so that its ports are free,
 * and removes its sockets:
 * nginx does not listen on a socket's file that is there already. The process group is the one we gave it; only
 * processes called nginx are touched.
 */
export async function endLeftovers(pidFile: string, sockets: string[]): Promise<void> {
  await endGroup(pidFile)
  for (const socket of sockets) fs.rmSync(socket, { force: true })
}

async function endGroup(pidFile: string): Promise<void> {
  const group = groupIn(pidFile)
  if (group === null) return
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const pid of nginxInGroup(group)) signalQuietly(pid, signal)
    for (let waited = 0; waited < 2000 && nginxInGroup(group).length > 0; waited += 20) await sleep(20)
  }
  fs.rmSync(pidFile, { force: true })
}

/** The master leads its process group: it is started so. */
function groupIn(pidFile: string): number | null {
  const group = Number(fs.existsSync(pidFile) ? fs.readFileSync(pidFile, 'utf8') : '')
  return Number.isInteger(group) && group > 1 ? group : null
}

function nginxInGroup(group: number): number[] {
  return (fs.existsSync('/proc/self/stat') ? fromProc() : fromPs())
    .filter((p) => p.group === group && p.name.includes('nginx'))
    .map((p) => p.pid)
}

type Found = { pid: number; group: number; name: string }

function fromProc(): Found[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // `pid (comm) state ppid pgrp …`; comm may hold spaces and brackets, so split at its last bracket.
        const stat = fs.readFileSync(`/proc/${name}/stat`, 'utf8')
        const end = stat.lastIndexOf(')')
        const [state, , group] = stat.slice(end + 2).split(' ')
        return state === 'Z'
          ? []
          : [{ pid: Number(name), group: Number(group), name: stat.slice(stat.indexOf('(') + 1, end) }]
      } catch {
        return [] // ended while we looked
      }
    })
}

function fromPs(): Found[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,pgid=,comm='], { encoding: 'utf8' }).trim().split('\n')
  return rows
    .map((row) => row.trim().split(/\s+/))
    .map(([pid, group, ...name]) => ({ pid: Number(pid), group: Number(group), name: name.join(' ') }))
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended by itself in the meantime.
  }
}
