import type { EmbedFacts } from './embed-page.ts'

type Facts = (key: string, id: string) => Promise<EmbedFacts | null>

const FOR_MS = 10_000
const MOST_REMEMBERED = 2_000
/** Questions that wait for their answer. */
const MOST_WAITING = 50

/**
 * Answers are remembered for ten seconds, also that there is nothing: pages of one video are one question, and names
 * that somebody makes up a bounded number of them. Rejects while too many wait.
 */
export function remembered(ask: Facts): Facts {
  const answers = new Map<string, { at: number; answer: Promise<EmbedFacts | null> }>()
  let waiting = 0
  return (key, id) => {
    const name = `${key} ${id}`
    const known = answers.get(name)
    if (known && performance.now() - known.at < FOR_MS) return known.answer
    if (waiting >= MOST_WAITING) return Promise.reject(new Error('too many questions wait for the database'))
    waiting++
    const answer = ask(key, id).finally(() => waiting--)
    answers.delete(name)
    answers.set(name, { at: performance.now(), answer })
    for (const oldest of answers.keys()) {
      if (answers.size <= MOST_REMEMBERED) break
      answers.delete(oldest)
    }
    // One that failed is asked again.
    answer.catch(() => answers.get(name)?.answer === answer && answers.delete(name))
    return answer
  }
}
