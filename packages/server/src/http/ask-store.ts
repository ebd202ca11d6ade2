import { StoreAway } from '@fairway/analytics'
import { Failure } from './failure.ts'

/** Longer than any question takes; a transaction is open meanwhile. */
const PATIENCE_MS = 8_000

/** Asks the event store. @throws Failure 503 when it is away or takes too long */
export async function askStore<T>(question: Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>(
    (_resolve, reject) =>
      (timer = setTimeout(() => reject(new StoreAway('the event store takes too long')), patienceMs)),
  )
  try {
    return await Promise.race([question, late])
  } catch (error) {
    throw error instanceof StoreAway ? new Failure(503, { internal: error.message }) : error
  } finally {
    clearTimeout(timer)
  }
}
