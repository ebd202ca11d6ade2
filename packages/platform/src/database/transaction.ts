import type pg from 'pg'
import { DatabaseAway, isAway } from './database-away.ts'

/**
 * A transaction, seen by one organisation or by the system. Rows are as the driver gives them; the caller names their
 * type.
 */
export interface Tx {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

/** Transactions by whose rows they see. */
export interface Views {
  /** Runs `work` in a transaction that sees one organisation's rows only (row-level security). */
  tenant<T>(organizationId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs `work` in a transaction that sees the organisations of one partner only. */
  partner<T>(partnerId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs `work` in a transaction that sees all rows: publishing, sign-in, jobs. */
  system<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** Where transactions take their connections from. */
export type Connections = {
  connect(): Promise<{ client: pg.PoolClient; release(broken?: Error): void }>
  /** Begins a transaction and says who asks in it. */
  begin(client: pg.PoolClient, who: string): Promise<unknown>
}

export const SYSTEM = 'SET LOCAL ROLE fairway_system'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function viewsOf(connections: Connections): Views {
  return {
    tenant(organizationId, work) {
      if (!UUID.test(organizationId)) throw new Error('organisation id is not a uuid')
      const who = `SET LOCAL ROLE fairway_app; SET LOCAL fairway.organization = '${organizationId}'`
      return transaction(connections, who, work)
    },
    partner(partnerId, work) {
      if (!UUID.test(partnerId)) throw new Error('partner id is not a uuid')
      return transaction(
        connections,
        `SET LOCAL ROLE fairway_partner; SET LOCAL fairway.partner = '${partnerId}'`,
        work,
      )
    },
    system: (work) => transaction(connections, SYSTEM, work),
  }
}

export async function transaction<T>(from: Connections, who: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { client, release } = await told(from.connect())
  let broken: Error | undefined
  let isOver = false
  const answer = async <R>(coming: Promise<R>): Promise<R> => {
    try {
      return await told(coming)
    } catch (error) {
      if (error instanceof DatabaseAway) broken = error
      throw error
    }
  }
  // A connection takes one question at a time, and none that comes when somebody else may have it.
  let turn: Promise<unknown> = Promise.resolve()
  const ask = (text: string, values?: readonly unknown[]) => {
    const asked = turn.then(() => {
      if (isOver) throw new Error('a transaction was asked after its end')
      return answer(client.query(text, values as unknown[]))
    })
    turn = asked.catch(() => {})
    return asked
  }
  try {
    await answer(from.begin(client, who))
    const result = await work({
      query: async <Row>(text: string, values?: readonly unknown[]) => (await ask(text, values)).rows as Row[],
    })
    await turn
    isOver = true
    await answer(client.query('COMMIT'))
    return result
  } catch (error) {
    isOver = true
    await turn
    // The server rolls back by itself what it no longer hears of.
    if (!broken) await client.query('ROLLBACK').catch((failed: Error) => (broken = failed))
    throw error
  } finally {
    release(broken)
  }
}

/** @throws DatabaseAway when it was the server that failed and not the statement. */
async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isAway(error) ? new DatabaseAway(`the database does not answer: ${error.message}`, { cause: error }) : error
  }
}
