import fs from 'node:fs'

/**
 * A process by its number and when it began, in the system's own ticks (`-` where the system does not tell): a number
 * alone may be somebody else's by now.
 */
export type ProcessIdentity = { pid: number; birth: string }

export function identityOf(pid: number): ProcessIdentity {
  return { pid, birth: birthOf(pid) }
}

/** Whether that very process still runs. */
export function livesStill({ pid, birth }: ProcessIdentity): boolean {
  return isAlive(pid) && birthOf(pid) === birth
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function birthOf(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-'
  } catch {
    return '-'
  }
}
