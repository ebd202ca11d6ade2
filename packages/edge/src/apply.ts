import { controlRequest } from '@fairway/platform'
import type { Batch, CrawlerNews } from '@fairway/edge-lua'
import { z } from 'zod'

const State = z.object({
  configuration: z.string(),
  primed: z.boolean(),
  counters: z.record(z.string(), z.coerce.number()),
  /** Bytes for what customers have set: pages that nothing lies in, and all. */
  policies: z.object({ free: z.number(), size: z.number() }),
})
const Asked = z.object({ asked: z.string() })
// An empty table is a list to Lua's JSON.
const Counts = z.object({
  counts: z.union([z.record(z.string(), z.number()), z.array(z.never()).transform(() => ({}))]),
})
export type NginxState = z.infer<typeof State>

export type NginxAdmin = {
  state(): Promise<NginxState>
  apply(batch: Partial<Batch>): Promise<void>
  /** Requests that went to origins since nginx started: by domain and `own` or `others`. */
  shield(): Promise<Record<string, number>>
  /** The same by domain and `answered`, `unconnected` or `silent`. */
  origins(): Promise<Record<string, number>>
  /** Gives what was found out about crawlers; answers with what is asked: an address and a name, a space between. */
  crawlers(news: CrawlerNews): Promise<string[]>
}

/** A worker reads a batch whole while its visitors wait, and no batch is larger than the administration takes. */
const BATCH = { documents: 1000, bytes: 1_048_576 }

/** Each as many as fit; what is larger is a batch of its own. */
function* batches(documents: Batch['documents']): Generator<Batch['documents']> {
  let batch: Batch['documents'] = []
  let bytes = 0
  for (const one of documents) {
    const size = JSON.stringify(one).length
    if (batch.length > 0 && (batch.length >= BATCH.documents || bytes + size > BATCH.bytes)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(one)
    bytes += size
  }
  yield batch
}

/** Speaks with the administration socket of the running nginx. */
export function nginxAdmin(socket: string): NginxAdmin {
  const call = (method: string, route: string, body?: unknown) =>
    controlRequest(`unix:${socket}`, method, route, body, 5000)
  const send = (batch: Partial<Batch>) =>
    call('POST', '/apply', {
      documents: [],
      removed: [],
      names: {},
      tagsKnown: false,
      clearanceSecret: '',
      primed: false,
      ...batch,
    })
  return {
    crawlers: async (news) => {
      const { asked } = Asked.parse(await call('POST', '/crawlers', news))
      return asked === '' ? [] : asked.split('\n')
    },
    shield: async () => Counts.parse(await call('GET', '/shield')).counts,
    origins: async () => Counts.parse(await call('GET', '/origins')).counts,
    state: async () => State.parse(await call('GET', '/state')),
    /**
     * In batches, the rest of it with the last; resolves when requests obey it. @throws ControlError when they do not:
     * shared memory is full, or a document cannot be read back.
     */
    async apply(batch) {
      // Names first: a policy must not meet an origin that does not resolve only because it came too early.
      if (batch.names && Object.keys(batch.names).length > 0) await send({ names: batch.names })
      let last: Batch['documents'] | undefined
      for (const next of batches(batch.documents ?? [])) {
        if (last) await send({ documents: last })
        last = next
      }
      await send({ ...batch, names: {}, documents: last ?? [] })
    },
  }
}
