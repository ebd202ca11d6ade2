import type { Config } from '../config.ts'
import { answered } from './answered.ts'
import { cutOff, PatientClient, serverThatWrites } from './server-that-writes.ts'

/** A question of many tables may wait for a disk; nobody waits for its answer. */
const PATIENCE_MS = 5_000

export type Repeated = AsyncDisposable & {
  /** @throws when the server does not answer, or only follows another; the next question connects anew */
  ask<Row>(key: string, sql: string): Promise<Row | undefined>
}

type Session = { client: PatientClient; texts: Map<string, string> }

/**
 * Questions of one row that are asked again and again, as the system. The server reads and plans each once, which costs
 * ten times what answering does: that takes a session, past a pooler, and another one when the question of a key has
 * changed.
 */
export function repeatedQuestions(config: Config): Repeated {
  let session: Session | null = null
  let isStopped = false
  let turn: Promise<unknown> = Promise.resolve()
  const leave = () => {
    if (session) cutOff(session.client)
    session = null
  }
  const connect = async (): Promise<Session> => {
    const client = new PatientClient({ ...(await serverThatWrites(config, { isDirect: true })), keepAlive: true })
    client.on('error', () => {})
    client.on('end', () => session?.client === client && leave())
    await client.connect()
    session = { client, texts: new Map() }
    await answered(client.query('SET ROLE fairway_system'), PATIENCE_MS)
    return session
  }
  const ask = async <Row>(key: string, sql: string): Promise<Row | undefined> => {
    if (isStopped) throw new Error('the database is closed')
    // One that was the leader may have become a follower, which would answer from what it last heard.
    const text = `SELECT q.*, pg_is_in_recovery() AS follows FROM (${sql}) q`
    try {
      if ((session?.texts.get(key) ?? text) !== text) leave()
      const { client, texts } = session ?? (await connect())
      texts.set(key, text)
      const { rows } = await answered(client.query<Row & { follows: boolean }>({ name: key, text }), PATIENCE_MS)
      if (rows[0]?.follows) throw new Error('the server only follows another')
      return rows[0]
    } catch (error) {
      leave()
      throw error
    }
  }
  return {
    ask: <Row>(key: string, sql: string) => {
      const asked = turn.then(() => ask<Row>(key, sql))
      turn = asked.catch(() => {})
      return asked
    },
    async [Symbol.asyncDispose]() {
      isStopped = true
      await turn
      const last = session?.client
      session = null
      if (last) await answered(last.end(), PATIENCE_MS).catch(() => cutOff(last))
    },
  }
}
