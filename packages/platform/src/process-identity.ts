import fs from 'node:fs'

/**
 * A process by its number and when it began, in the system's own ticks (`-` where the system does not tell): a number
 * alone may be somebody else's by now.
 */
export type ProcessIdentity = { pid: number; birth: string }

export function identityOf(pid: number): ProcessIdentity {
  return { pid, birth: birthOf(pid) }
}

/** Whether that very process still runs; one that has ended and waits for its parent to notice does not. */
export function livesStill({ pid, birth }: ProcessIdentity): boolean {
  return isAlive(pid) && birthOf(pid) === birth && !hasEnded(pid)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** `STATE PPID PGRP …`, what follows the name in brackets; empty where the system does not tell. */
function statOf(pid: number): string[] {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

const birthOf = (pid: number): string => statOf(pid)[19] ?? '-'
const hasEnded = (pid: number): boolean => ['Z', 'X'].includes(statOf(pid)[0] ?? '')

/** The words that a process was started with; empty where they cannot be read. */
export function wordsOf(pid: number): string[] {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
  } catch {
    return []
  }
}

/** Processes of a process group that still run. */
export function membersOf(group: number): ProcessIdentity[] {
  if (!fs.existsSync('/proc/self/stat')) return []
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(Number(name))[2] === String(group) && !hasEnded(Number(name)))
    .map((name) => identityOf(Number(name)))
}

/** Processes that a process has started and that still run. */
export function childrenOf(pid: number): ProcessIdentity[] {
  try {
    const text = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return text
      .split(' ')
      .filter(Boolean)
      .map(Number)
      .filter((child) => !hasEnded(child))
      .map(identityOf)
  } catch {
    return []
  }
}
