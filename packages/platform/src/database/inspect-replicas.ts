import type pg from 'pg'
import type { Config } from '../config.ts'
import { answered } from './answered.ts'
import { replicaAddresses } from './connection.ts'
import { OF_PRIMARY, type Primary, caughtUp, readPrimary, problemOfReplica } from './replica-fitness.ts'
import { PatientClient, cutOff, serverThatWrites } from './server-that-writes.ts'

const ANSWER_WITHIN_MS = 2_000
/** Who is further behind is of little use: nobody who reads waits for a tenth of that. */
const CATCH_UP_MS = 1_000

/**
 * Each replica that the settings name, with what keeps it from answering in the primary's place.
 * @throws Error when the primary does not answer
 */
export async function inspectReplicas(config: Config): Promise<{ name: string; problem: string | null }[]> {
  const primary = await asking(await serverThatWrites(config, { isDirect: false }), async (client) =>
    readPrimary((await answered(client.query(OF_PRIMARY), ANSWER_WITHIN_MS)).rows),
  )
  return Promise.all(
    replicaAddresses(config).map(async ({ name, server }) => ({ name, problem: await problemOf(server, primary) })),
  )
}

async function problemOf(server: () => pg.ClientConfig, primary: Primary): Promise<string | null> {
  try {
    await asking(server(), (client) => caughtUp(client, primary, { silentMs: ANSWER_WITHIN_MS, withinMs: CATCH_UP_MS }))
    return null
  } catch (error) {
    return problemOfReplica(error).said
  }
}

async function asking<T>(server: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new PatientClient(server)
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    cutOff(client)
  }
}
