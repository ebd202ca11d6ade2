import { StoreAway } from '@fairway/analytics'
import { withoutConnection } from './call-transaction.ts'
import { Failure } from './failure.ts'

/** Longer than any question takes. */
const PATIENCE_MS = 8_000

/** Asks the event store. @throws Failure 503 when it is away or takes too long */
export async function askStore<T>(question: Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>(
    (_resolve, reject) =>
      (timer = setTimeout(() => reject(new StoreAway('the event store takes too long')), patienceMs)),
  )
  try {
    const answer = Promise.race([question, late])
    answer.catch(() => {})
    return await withoutConnection(() => answer)
  } catch (error) {
    throw error instanceof StoreAway ? new Failure(503, { internal: error.message }) : error
  } finally {
    clearTimeout(timer)
  }
}
