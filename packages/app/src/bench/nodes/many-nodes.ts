import { followFeed, loadConfig, makeLog } from '@fairway/platform'

/** What the benchmark says: that many nodes, numbered from `first` on, each taking part as a name server does. */
export type NodesToBe = { environment: Record<string, string | undefined>; first: number; nodes: number }
/** What they say: how many are connected, or that every one of them has taken a version of a zone. */
export type NodesWord = { connected: number } | { key: string; version: number; at: number }

const TELL_MS = 500

process.on('message', ({ environment, first, nodes }: NodesToBe) => {
  const config = loadConfig(environment)
  const log = makeLog('bench', config)
  const takenBy = new Map<string, number>()
  const tell = (word: NodesWord) => void process.send?.(word)
  const feeds = Array.from({ length: nodes }, (_, at) =>
    followFeed({
      config: { ...config, nodeName: `bench-${first + at}` },
      role: 'dns',
      kinds: ['dns-zone', 'scores', 'probe-targets', 'dns-transfers'],
      patches: true,
      log,
      apply({ kind, key, version }) {
        if (kind !== 'dns-zone') return
        const taken = (takenBy.get(`${key} ${version}`) ?? 0) + 1
        takenBy.set(`${key} ${version}`, taken)
        if (taken === nodes) tell({ key, version, at: Date.now() })
      },
    }),
  )
  setInterval(() => tell({ connected: feeds.filter((feed) => feed.connected()).length }), TELL_MS)
})
