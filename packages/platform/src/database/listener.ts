import pg from 'pg'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { answered } from './answered.ts'
import { ANSWER_WITHIN_MS, cutOff, PatientClient, serverThatWrites } from './server-that-writes.ts'

const AGAIN_AFTER_MS = 250
/** A network may lose a connection without either end being told; nobody would notify us any more. */
const ASKED_EVERY_MS = 5_000
const ALIVE_WITHIN_MS = 2_500

export type Listener = AsyncDisposable & {
  /** Calls `heard` for every NOTIFY on the channel, and once after each (re)connect. */
  listen(channel: string, heard: (payload: string) => void): AsyncDisposable
}

/**
 * One connection for all channels that somebody in this process listens to, from the first on. It holds a session, so
 * it goes past a pooler, and it comes back by itself.
 */
export function startListener(config: Config, log: Log): Listener {
  const channels = new Map<string, Set<(payload: string) => void>>()
  let isStopped = false
  let isTold = false
  let client: PatientClient | null = null
  /** Set while the connection is up. */
  let isUp = false
  let timer: NodeJS.Timeout | null = null
  const tell = (error: unknown) => {
    if (!isTold && !isStopped)
      log.warn({ event: 'database.listener-lost', why: error instanceof Error ? error.message : String(error) })
    isTold = true
  }
  const later = () => {
    isUp = false
    if (timer) clearTimeout(timer)
    timer = isStopped || channels.size === 0 ? null : setTimeout(connect, AGAIN_AFTER_MS)
  }
  const check = (asked: PatientClient) => {
    timer = setTimeout(() => {
      answered(asked.query('SELECT 1'), ALIVE_WITHIN_MS).then(
        () => isUp && asked === client && check(asked),
        (error: unknown) => {
          tell(error)
          // The end of the stream is what brings the next connection.
          cutOff(asked)
        },
      )
    }, ASKED_EVERY_MS)
  }
  const hear = (channel: string, payload: string) => {
    for (const heard of channels.get(channel) ?? []) heard(payload)
  }
  const open = async () => {
    const fresh = new PatientClient({ ...(await serverThatWrites(config, { isDirect: true })), keepAlive: true })
    if (isStopped) return
    client = fresh
    fresh.on('error', tell)
    fresh.on('notification', ({ channel, payload }) => hear(channel, payload ?? ''))
    try {
      await fresh.connect()
      // Those that come while this is asked find the connection up, or are in the list.
      const asked = [...channels.keys()]
      await answered(fresh.query(asked.map(listenTo).join('; ')), ALIVE_WITHIN_MS)
      fresh.on('end', later)
      isUp = true
      isTold = false
      for (const channel of channels.keys())
        if (!asked.includes(channel)) await answered(fresh.query(listenTo(channel)), ALIVE_WITHIN_MS)
      check(fresh)
    } catch (error) {
      isUp = false
      cutOff(fresh)
      throw error
    }
    for (const channel of channels.keys()) hear(channel, '')
  }
  const connect = () => {
    timer = null
    open().catch((error: unknown) => {
      tell(error)
      later()
    })
  }
  return {
    listen(channel, heard) {
      const all = channels.get(channel) ?? new Set()
      channels.set(channel, all.add(heard))
      const isFirst = channels.size === 1 && all.size === 1
      if (isFirst && !client) connect()
      else if (isUp && client) {
        const up = client
        answered(up.query(listenTo(channel)), ALIVE_WITHIN_MS).then(
          () => heard(''),
          (error: unknown) => {
            tell(error)
            cutOff(up)
          },
        )
      }
      return {
        async [Symbol.asyncDispose]() {
          all.delete(heard)
        },
      }
    },
    async [Symbol.asyncDispose]() {
      isStopped = true
      if (timer) clearTimeout(timer)
      const last = client
      if (last) await answered(last.end(), ANSWER_WITHIN_MS).catch(() => cutOff(last))
    },
  }
}

const listenTo = (channel: string) => `LISTEN ${pg.escapeIdentifier(channel)}`
