import path from 'node:path'
import { type Config, controlRequest, notifySocket, runDir, serviceManager } from '@fairway/platform'

export type Keeping = { supervisor: number | null; isStopping: boolean }

const LOOK_MS = 2000
const ANSWER_MS = 1500
/** What `systemctl status` shows is one line. */
const MOST_STATUS = 400

/**
 * Tells systemd, where it has started us, when everything is ready, who is waited for, and that the supervisor still
 * answers. One that hangs has the keeper started again, and the next keeper another supervisor; what serves is taken
 * over.
 */
export function tellServiceManager(config: Config, keeping: () => Keeping, manager = serviceManager()): Disposable {
  if (!manager) return { [Symbol.dispose]() {} }
  const look = Math.min(LOOK_MS, (manager.watchdogMs ?? Infinity) / 4)
  let [isReady, status, isAsking] = [false, '', false]
  const tell = (...lines: string[]) => notifySocket(manager.socket, lines.join('\n'))
  const timer = setInterval(() => {
    if (isAsking) return
    isAsking = true
    void lookOnce().finally(() => (isAsking = false))
  }, look)
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
    },
  }

  async function lookOnce(): Promise<void> {
    const { supervisor, isStopping } = keeping()
    if (isStopping) return void tell('STOPPING=1', 'STATUS=stopping', 'WATCHDOG=1')
    const socket = `unix:${path.join(runDir(config), 'supervisor.sock')}`
    const answers = await controlRequest(socket, 'GET', '/healthz', undefined, ANSWER_MS).catch(() => null)
    // Another one may sit there still: only ours counts.
    if (supervisor === null || !isOf(answers, supervisor)) return
    tell('WATCHDOG=1')
    const told = await controlRequest(socket, 'GET', '/readyz', undefined, LOOK_MS * 5).catch(() => null)
    const reasons = reasonsIn(told)
    if (reasons === null) return
    const now = reasons.length === 0 ? 'ready' : `waiting for ${reasons.join(', ')}`.slice(0, MOST_STATUS)
    if (reasons.length === 0 && !isReady) isReady = tell('READY=1')
    if (now !== status) tell(`STATUS=${now.replaceAll('\n', ' ')}`)
    status = now
  }
}

const isOf = (answer: unknown, pid: number): boolean =>
  typeof answer === 'object' && answer !== null && 'pid' in answer && answer.pid === pid

function reasonsIn(answer: unknown): string[] | null {
  const { reasons } = Object(answer) as { reasons?: unknown }
  return Array.isArray(reasons) ? reasons.map(String) : null
}
