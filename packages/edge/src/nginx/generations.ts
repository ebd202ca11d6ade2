import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ProcessIdentity, childrenOf, livesStill, membersOf } from '@fairway/platform'

/** One nginx with its workers. Each has sockets, a configuration and a pid file under its own number. */
export type Generation = ProcessIdentity & { number: number; configuration: string }

/** All of which something may still run, oldest first, on disk: whoever comes next must know of them. */
export type Generations = {
  all(): readonly Generation[]
  add(one: Generation): void
  remove(number: number): void
}

/** Below `prefix` lies what nginx writes. */
export function generations(prefix: string): Generations {
  const file = path.join(prefix, 'nginx.json')
  let kept = read(file)
  const write = () => {
    try {
      fs.writeFileSync(`${file}.new`, JSON.stringify(kept))
      fs.renameSync(`${file}.new`, file)
    } catch {
      // A full disk: who comes next finds the address taken, and says so.
    }
  }
  return {
    all: () => kept,
    add: (one) => {
      kept = [...kept, one]
      write()
    },
    remove: (number) => {
      kept = kept.filter((one) => one.number !== number)
      write()
    },
  }
}

/**
 * What still runs of a generation: its master, and workers, which go on when the master was killed. They are in the
 * process group that it led; its number may be somebody else's by now, so each must have a file of ours open.
 */
export function runningOf({ pid, birth }: Generation, prefix: string): { master: boolean; all: ProcessIdentity[] } {
  const inside = path.resolve(prefix) + path.sep
  const master = livesStill({ pid, birth }) && hasOpen(pid, inside)
  const members = master ? [{ pid, birth }, ...childrenOf(pid)] : membersOf(pid)
  return { master, all: members.filter((one) => hasOpen(one.pid, inside)) }
}

const hasOpen = (pid: number, inside: string): boolean => openOf(pid).some((link) => link.startsWith(inside))

/** Whether something of a generation may still take connections from these sockets of ours. */
export function listensStill(one: Generation, prefix: string, fds: readonly number[]): boolean {
  const ours = new Set(fds.map((fd) => linkOf(`/proc/self/fd/${fd}`)).filter((link) => link !== ''))
  return runningOf(one, prefix).all.some(({ pid }) => openOf(pid).some((link) => ours.has(link)))
}

/** What a process has open, as the system names it: a path, or `socket:[4711]`. */
function openOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`
  try {
    return fs.readdirSync(folder).map((fd) => linkOf(path.join(folder, fd)))
  } catch {
    return []
  }
}

function linkOf(file: string): string {
  try {
    return fs.readlinkSync(file)
  } catch {
    return ''
  }
}

function read(file: string): Generation[] {
  try {
    // Our own file, replaced whole.
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Generation[]
  } catch {
    return []
  }
}

export const isThere = (one: Generation, prefix: string): boolean => runningOf(one, prefix).all.length > 0

/** A master passes it on; what cannot be heard is told to all. Answers whom it is about. */
export function signalGeneration(one: Generation, prefix: string, signal: NodeJS.Signals): ProcessIdentity[] {
  const { master, all } = runningOf(one, prefix)
  for (const { pid } of all) {
    if (master && signal !== 'SIGKILL' && pid !== one.pid) continue
    try {
      process.kill(pid, signal)
    } catch {
      // It has just ended.
    }
  }
  return all
}

/** The same to several, each signal with the time they have; resolves when nothing of them is left. */
export async function endGenerations(
  these: readonly Generation[],
  prefix: string,
  steps: readonly (readonly [NodeJS.Signals, number])[],
): Promise<void> {
  for (const [signal, waitMs] of steps) {
    const told = these.flatMap((one) => signalGeneration(one, prefix, signal))
    if (told.length === 0) return
    for (const end = performance.now() + waitMs; told.some(livesStill) && performance.now() < end;) await sleep(10)
  }
}
