import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { configEnvironment } from '@fairway/platform'
import type { Installation } from '../../installation/start-installation.ts'
import type { NodesToBe, NodesWord } from './many-nodes.ts'

/** Nodes to a process: what reads for a thousand must not be what is slow. */
const NODES_OF_A_PROCESS = 500

/** Simulated name servers that follow one API by the real protocol. */
export type Fleet = Disposable & {
  /** When the last node took that version of the zone, in ms since 1970. */
  taken(key: string, version: number): Promise<number>
}

/** @returns when all are connected */
export async function startFleet(installation: Installation, nodes: number): Promise<Fleet> {
  const parts: ChildProcess[] = []
  const connected = new Map<ChildProcess, number>()
  const takenAt = new Map<string, number[]>()
  const environment = { ...configEnvironment(installation.config), FAIRWAY_LOG_LEVEL: 'error' }
  for (let left = nodes; left > 0; left -= NODES_OF_A_PROCESS) {
    const part = fork(path.join(import.meta.dirname, 'many-nodes.ts'), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })
    part.on('message', (word: NodesWord) => {
      if ('connected' in word) connected.set(part, word.connected)
      else {
        const id = `${word.key} ${word.version}`
        takenAt.set(id, [...(takenAt.get(id) ?? []), word.at])
      }
    })
    part.send({ environment, first: nodes - left, nodes: Math.min(left, NODES_OF_A_PROCESS) } satisfies NodesToBe)
    parts.push(part)
  }
  while ([...connected.values()].reduce((sum, count) => sum + count, 0) < nodes) await sleep(50)
  return {
    async taken(key, version) {
      for (;;) {
        const times = takenAt.get(`${key} ${version}`) ?? []
        if (times.length === parts.length) return Math.max(...times)
        await sleep(5)
      }
    },
    [Symbol.dispose]: () => void parts.map((part) => part.kill('SIGKILL')),
  }
}
