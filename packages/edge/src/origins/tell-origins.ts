import { type OriginReport, nodes } from '@fairway/contract'
import type { Feed, Log } from '@fairway/platform'
import type { EdgeAgent } from '../agent.ts'

const EVERY_MS = 15_000
/** What is told is of so long. */
const WINDOW_MS = 120_000
const MOST = 2_000

/**
 * Tells the API of origins that do not answer this node, and of those that others have trouble with. While all answer it
 * only asks which these are.
 */
export function tellOrigins({
  agent,
  feed,
  log,
  everyMs = EVERY_MS,
}: {
  agent: Pick<EdgeAgent, 'origins'>
  feed: Pick<Feed, 'nodeId' | 'post'>
  log: Log
  everyMs?: number
}): AsyncDisposable {
  const seen = originsSeen()
  let asked: ReadonlySet<string> = new Set()
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let running = Promise.resolve()
  let problem: string | null = null
  const round = async () => {
    try {
      seen.see(await agent.origins(), Date.now())
      const nodeId = feed.nodeId()
      if (nodeId === null) return
      const said = await feed.post(`/nodes/v1/${nodeId}/origins/`, { origins: seen.told(asked) })
      asked = new Set(nodes.routes.tellOrigins.out.parse(said).asked)
      problem = null
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      if (text !== problem) log.warn({ event: 'origins.untold', err: error })
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

const WORDS = ['answered', 'unconnected', 'silent'] as const
type Counts = Pick<OriginReport, (typeof WORDS)[number]>

/** What happened in the last two minutes, by what nginx has counted since it started; one that starts anew begins at 0. */
export function originsSeen() {
  let before: Record<string, number> | null = null
  let steps: { at: number; counts: Map<string, Counts> }[] = []
  return {
    see(now: Record<string, number>, at: number) {
      const counts = new Map<string, Counts>()
      // What was counted before the first look may be of long ago.
      for (const [key, value] of Object.entries(before === null ? {} : now)) {
        const [domainId = '', said] = key.split(' ')
        const word = WORDS.find((one) => one === said)
        const last = before?.[key] ?? 0
        const more = value >= last ? value - last : value
        if (word === undefined || more === 0) continue
        const sum = counts.get(domainId) ?? { answered: 0, unconnected: 0, silent: 0 }
        counts.set(domainId, { ...sum, [word]: sum[word] + more })
      }
      before = now
      steps = [...steps.filter((step) => step.at > at - WINDOW_MS), { at, counts }]
    },
    /** Of domains with failures, those with most first, and of those that are asked for. */
    told(asked: ReadonlySet<string>): OriginReport[] {
      const sums = new Map<string, Counts>()
      for (const { counts } of steps)
        for (const [domainId, { answered, unconnected, silent }] of counts) {
          const sum = sums.get(domainId) ?? { answered: 0, unconnected: 0, silent: 0 }
          sum.answered += answered
          sum.unconnected += unconnected
          sum.silent += silent
          sums.set(domainId, sum)
        }
      const failed = ({ unconnected, silent }: Counts) => unconnected + silent
      return [...sums]
        .map(([domainId, sum]) => ({ domainId, ...sum }))
        .filter((one) => UUID.test(one.domainId) && (failed(one) > 0 || asked.has(one.domainId)))
        .sort((a, b) => failed(b) - failed(a))
        .slice(0, MOST)
    },
  }
}

/** Hosts of videos are no domains of a site. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
