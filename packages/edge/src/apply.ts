import { ControlError, controlRequest } from '@fairway/platform'
import type { Batch } from '@fairway/edge-lua'
import { z } from 'zod'
import type { HeldDocument } from './holdings.ts'

const State = z.object({ configuration: z.string(), primed: z.boolean(), counters: z.record(z.string(), z.coerce.number()) })
export type NginxState = z.infer<typeof State>
// Lua writes an empty table the same way whether it was a list or a record; this one is a record.
const InForce = z.object({ stamps: z.record(z.string(), z.string()) })

export type NginxAdmin = {
  state(): Promise<NginxState>
  apply(batch: Partial<Batch>): Promise<void>
  verify(documents: HeldDocument[], removedKeys?: string[]): Promise<void>
}

const BATCH_DOCUMENTS = 1000

/** Speaks with the administration socket of the running nginx. */
export function nginxAdmin(socket: string): NginxAdmin {
  const call = (method: string, route: string, body?: unknown) => controlRequest(`unix:${socket}`, method, route, body, 5000)
  const send = (batch: Partial<Batch>) => call('POST', '/apply', { documents: [], removed: [], names: {}, tagsKnown: false, primed: false, ...batch })
  return {
    state: async () => State.parse(await call('GET', '/state')),
    /** In batches, the rest of it with the last. @throws ControlError when shared memory is full; what was in force before stays. */
    async apply(batch) {
      const documents = batch.documents ?? []
      // Names first: a policy must not meet an origin that does not resolve only because it came too early.
      if (batch.names && Object.keys(batch.names).length > 0) await send({ names: batch.names })
      let at = 0
      for (; documents.length - at > BATCH_DOCUMENTS; at += BATCH_DOCUMENTS) await send({ documents: documents.slice(at, at + BATCH_DOCUMENTS) })
      await send({ ...batch, names: {}, documents: documents.slice(at) })
    },
    /** Asks what requests obey now. @throws ControlError naming the first key that is not at its stamp. */
    async verify(documents, removedKeys = []) {
      const wanted = new Map<string, string | undefined>(removedKeys.map((key) => [key, undefined]))
      for (const { key, stamp } of documents) wanted.set(key, stamp)
      const keys = [...wanted.keys()]
      for (let at = 0; at < keys.length; at += BATCH_DOCUMENTS) {
        const asked = keys.slice(at, at + BATCH_DOCUMENTS)
        const { stamps } = InForce.parse(await call('POST', '/in-force', { keys: asked }))
        const wrong = asked.find((key) => stamps[key] !== wanted.get(key))
        if (wrong) throw new ControlError(500, `${wrong} is at ${stamps[wrong] ?? 'nothing'} in nginx, not at ${wanted.get(wrong) ?? 'nothing'}`)
      }
    },
  }
}
