import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { answered } from './answered.ts'
import { cutOff, PatientClient, serverThatWrites } from './server-that-writes.ts'

/**
 * How often the elected one asks, how soon it must be answered, and its longest silence: the server lets go of who was
 * not heard for so long, and who was elected holds itself to it no longer than that.
 */
export type ElectionPace = { everyMs: number; answerMs: number; silenceMs: number }
const PACE: ElectionPace = { everyMs: 1_000, answerMs: 1_500, silenceMs: 3_000 }

/** Whether this process is the one of all like it that does what only one may do. */
export type Election = AsyncDisposable & {
  isElected(): boolean
  /** Counts the times that it was elected: what another one had begun before may lie about. */
  term(): number
  /** Settles when it is known for the first time. */
  known: Promise<void>
  onElected(heard: () => void): void
}

/**
 * Elects one of the processes that ask for the same number. The elected one holds a lock in a transaction that stays
 * open: the database lets go of it when the process ends, and when it is silent. Nobody's clock is compared.
 */
export function standForElection(
  config: Config,
  log: Log,
  lock: number,
  { everyMs, answerMs, silenceMs }: ElectionPace = PACE,
): Election {
  const heard = new Set<() => void>()
  let isStopped = false
  let isElected = false
  let term = 0
  /** When that was asked which was answered last: until so long after it the lock is ours for certain. */
  let askedAt = 0
  let isTold = false
  let client: PatientClient | null = null
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> = Promise.resolve()
  const { promise: known, resolve: know } = Promise.withResolvers<void>()

  const lose = () => {
    if (isElected && !isStopped) log.warn({ event: 'election.lost', lock })
    isElected = false
  }
  const leave = () => {
    lose()
    if (client) cutOff(client)
    client = null
  }
  const connect = async (): Promise<PatientClient> => {
    const fresh = new PatientClient({ ...(await serverThatWrites(config, { isDirect: true })), keepAlive: true })
    fresh.on('error', () => {})
    fresh.on('end', () => {
      if (client === fresh) leave()
    })
    await fresh.connect()
    return (client = fresh)
  }
  const ask = async () => {
    const asked = client ?? (await connect())
    const at = performance.now()
    if (isElected) {
      await answered(asked.query('SELECT 1'), answerMs)
      askedAt = at
      return
    }
    const [, , taken] = (await answered(
      asked.query(
        `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${silenceMs}; SELECT pg_try_advisory_xact_lock(${lock}) AS taken`,
      ),
      answerMs,
    )) as unknown as { rows: { taken: boolean }[] }[]
    if (!taken?.rows[0]?.taken) {
      await answered(asked.query('ROLLBACK'), answerMs)
      return
    }
    isElected = true
    askedAt = at
    term++
    log.info({ event: 'election.won', lock })
    for (const one of heard) one()
  }
  const round = async () => {
    timer = null
    try {
      await ask()
      isTold = false
    } catch (error) {
      leave()
      if (!isTold && !isStopped) log.warn({ event: 'election.not-asked', err: error })
      isTold = true
    }
    know()
    if (!isStopped) timer = setTimeout(again, everyMs)
  }
  const again = () => void (running = round())
  again()
  return {
    isElected: () => isElected && !isStopped && performance.now() - askedAt < silenceMs,
    term: () => term,
    known,
    onElected: (one) => void heard.add(one),
    async [Symbol.asyncDispose]() {
      isStopped = true
      if (timer) clearTimeout(timer)
      await running
      const last = client
      client = null
      // The end of the connection is the end of the transaction: the next one need not wait.
      if (last) await answered(last.end(), answerMs).catch(() => cutOff(last))
    },
  }
}
