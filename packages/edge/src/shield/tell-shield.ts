import type { ShieldCount } from '@fairway/contract'
import type { Config, Feed, Log } from '@fairway/platform'
import type { EdgeAgent } from '../agent.ts'
import { originTimes } from './origin-times.ts'

const EVERY_MS = 15_000
const COUNTS_MOST = 10_000

/** Tells the API how near origins are to this node, where others may fetch through it, and what it has sent there. */
export function tellShield({
  config,
  agent,
  feed,
  log,
  everyMs = EVERY_MS,
}: {
  config: Config
  agent: Pick<EdgeAgent, 'gate' | 'policies' | 'shield'>
  feed: Pick<Feed, 'nodeId' | 'post'>
  log: Log
  everyMs?: number
}): AsyncDisposable {
  const times = originTimes(agent.gate, agent.policies)
  const counter = countsSince()
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let running = Promise.resolve()
  let problem: string | null = null
  const round = async () => {
    try {
      if (config.shieldListen !== null) await times.look()
      counter.see(await agent.shield())
      const nodeId = feed.nodeId()
      const said = { times: times.told(), counts: counter.waiting().slice(0, COUNTS_MOST) }
      if (nodeId === null || (said.times.length === 0 && said.counts.length === 0)) return
      await feed.post(`/nodes/v1/${nodeId}/shield/`, said)
      counter.told(said.counts)
      problem = null
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      if (text !== problem) log.warn({ event: 'shield.untold', err: error })
      problem = text
    }
  }
  const schedule = () => {
    if (!stopped) timer = setTimeout(() => void (running = round().then(schedule)), everyMs)
  }
  schedule()
  return {
    async [Symbol.asyncDispose]() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

/** What nginx has counted since it was last told; one that starts anew counts from zero. */
export function countsSince() {
  let before: Record<string, number> = {}
  const waiting = new Map<string, { own: number; others: number }>()
  return {
    see(now: Record<string, number>) {
      for (const [key, value] of Object.entries(now)) {
        const last = before[key] ?? 0
        const more = value >= last ? value - last : value
        const [domainId = '', whose] = key.split(' ')
        if (more === 0 || (whose !== 'own' && whose !== 'others')) continue
        const sum = waiting.get(domainId) ?? { own: 0, others: 0 }
        waiting.set(domainId, { ...sum, [whose]: sum[whose] + more })
      }
      before = now
    },
    waiting: (): ShieldCount[] => [...waiting].map(([domainId, sum]) => ({ domainId, ...sum })),
    told(counts: readonly ShieldCount[]) {
      for (const { domainId, own, others } of counts) {
        const sum = waiting.get(domainId)
        if (!sum) continue
        if (sum.own === own && sum.others === others) waiting.delete(domainId)
        else waiting.set(domainId, { own: sum.own - own, others: sum.others - others })
      }
    },
  }
}
