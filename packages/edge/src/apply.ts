import { controlRequest } from '@fairway/platform'
import type { Batch, CrawlerNews } from '@fairway/edge-lua'
import { z } from 'zod'

const State = z.object({
  configuration: z.string(),
  primed: z.boolean(),
  counters: z.record(z.string(), z.coerce.number()),
})
const Asked = z.object({ asked: z.string() })
// An empty table is a list to Lua's JSON.
const Shield = z.object({
  counts: z.union([z.record(z.string(), z.number()), z.array(z.never()).transform(() => ({}))]),
})
export type NginxState = z.infer<typeof State>

export type NginxAdmin = {
  state(): Promise<NginxState>
  apply(batch: Partial<Batch>): Promise<void>
  /** Requests that went to origins since nginx started: by domain and `own` or `others`. */
  shield(): Promise<Record<string, number>>
  /** Gives what was found out about crawlers; answers with what is asked: an address and a name, a space between. */
  crawlers(news: CrawlerNews): Promise<string[]>
}

const BATCH_DOCUMENTS = 1000

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
    shield: async () => Shield.parse(await call('GET', '/shield')).counts,
    state: async () => State.parse(await call('GET', '/state')),
    /**
     * In batches, the rest of it with the last; resolves when requests obey it. @throws ControlError when they do not:
     * shared memory is full, or a document cannot be read back.
     */
    async apply(batch) {
      const documents = batch.documents ?? []
      // Names first: a policy must not meet an origin that does not resolve only because it came too early.
      if (batch.names && Object.keys(batch.names).length > 0) await send({ names: batch.names })
      let at = 0
      for (; documents.length - at > BATCH_DOCUMENTS; at += BATCH_DOCUMENTS)
        await send({ documents: documents.slice(at, at + BATCH_DOCUMENTS) })
      await send({ ...batch, names: {}, documents: documents.slice(at) })
    },
  }
}
