import type { ChildProcess } from 'node:child_process'
import path from 'node:path'
import { type ProcessIdentity, livesStill, membersOf, wordsOf } from '@fairway/platform'

/** A process that is watched: our child, or one that was there before us. */
export type Life = {
  pid: number
  /** Settles with how it ended. */
  ended: Promise<string>
  signal(signal: NodeJS.Signals): void
  /** Asks it to end, and insists after so many milliseconds, on all that it has started too. */
  end(stopMs: number): Promise<void>
}

/** Only for processes of before: of a child the system tells. */
const LOOK_MS = 50

export function bornLife(child: ChildProcess): Life {
  return lifeOf(
    child.pid ?? 0,
    new Promise((resolve) =>
      child.once('exit', (code, signal) => resolve(signal ? `killed by ${signal}` : `ended with code ${code}`)),
    ),
  )
}

export function foundLife(identity: ProcessIdentity): Life {
  return lifeOf(
    identity.pid,
    new Promise((resolve) => {
      const timer = setInterval(() => {
        if (livesStill(identity)) return
        clearInterval(timer)
        resolve('ended')
      }, LOOK_MS)
    }),
  )
}

function lifeOf(pid: number, ended: Promise<string>): Life {
  let isOver = false
  void ended.then(() => (isOver = true))
  const signal = (name: NodeJS.Signals) => {
    if (!isOver) signalQuietly(pid, name)
  }
  return {
    pid,
    ended,
    signal,
    async end(stopMs) {
      signal('SIGTERM')
      const timer = setTimeout(() => endGroup(pid), stopMs)
      await ended
      clearTimeout(timer)
    },
  }
}

/** Ends the group that a child of ours led: it has ended this moment at the most. */
export function endGroup(leader: number): void {
  signalQuietly(-leader, 'SIGKILL')
}

/**
 * Ends what a role that died has left. Nobody of it may be left and the number be another's by now, so only programs
 * of this checkout are touched.
 */
export function endLeftovers(group: number): void {
  for (const { pid } of membersOf(group))
    if (wordsOf(pid).some((word) => word.startsWith(PACKAGES) || word.startsWith(`file://${PACKAGES}`)))
      signalQuietly(pid, 'SIGKILL')
}

const PACKAGES = path.join(import.meta.dirname, '../../../')

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has just ended.
  }
}
