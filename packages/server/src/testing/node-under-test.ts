import type { NodeRole, Publication, PublicationKind } from '@fairway/contract'
import { followFeed, makeLog } from '@fairway/platform'
import type { ApiUnderTest } from './api-under-test.ts'

const KINDS: Record<NodeRole, PublicationKind[]> = {
  dns: ['dns-zone', 'scores', 'probe-targets'],
  edge: [
    'edge-certificates',
    'edge-challenges',
    'edge-pages',
    'edge-security',
    'edge-site',
    'edge-purges',
    'simulated-cdn',
    'probe-targets',
  ],
  collector: ['scores', 'probe-targets', 'stream-balance', 'stream-peers', 'outside-feeds'],
}

export type NodeUnderTest = AsyncDisposable & {
  /** The newest document of a kind and key; undefined when none came, null when it was withdrawn. */
  document<K extends PublicationKind>(kind: K, key: string): Extract<Publication, { kind: K }>['body'] | undefined
  /** What the node says to the next publications: nothing when it takes them. */
  refuse(why: string | null): void
}

/** A node that follows the feed as the real ones do, and takes whatever comes. */
export function startNodeUnderTest(
  api: ApiUnderTest,
  role: NodeRole,
  name = 'node',
  controlUrl?: string,
): NodeUnderTest {
  const documents = new Map<string, Publication>()
  let refusal: string | null = null
  const feed = followFeed({
    config: { ...api.config, nodeName: name },
    role,
    kinds: KINDS[role],
    log: makeLog(role, { logLevel: 'silent' }),
    ...(controlUrl ? { controlUrl } : {}),
    held: () => [...documents.values()].filter(({ body }) => body !== null),
    apply(publication) {
      if (refusal !== null) throw new Error(refusal)
      documents.set(`${publication.kind} ${publication.key}`, publication)
    },
  })
  return {
    document: (kind, key) => {
      const found = documents.get(`${kind} ${key}`)
      return found === undefined ? undefined : (found.body as never)
    },
    refuse: (why) => void (refusal = why),
    [Symbol.asyncDispose]: () => feed[Symbol.asyncDispose](),
  }
}
