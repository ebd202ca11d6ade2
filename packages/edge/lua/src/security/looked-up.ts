import type { LookedUp } from '@fairway/domain/web-security'
import { count } from '../answer/answer.ts'
import type { CrawlerNews } from '../policy/documents.ts'
import { clearFlag, isSet, setFlag } from '../policy/held.ts'

const FLAG = 'crawlers'
const ASKED = 'asked'
/** So many questions wait, and so many are taken at a time: whoever sends names by the thousand waits by himself. */
const MOST_WAITING = 500
const AT_ONCE = 50
/** Until a question that nobody has answered is asked again. */
const ASK_SECONDS = 30

/** What is known of the visitor's address. No request waits for the DNS: what is not known is asked for. */
export function lookedUp(agent: string): LookedUp {
  if (!isSet(FLAG)) return 'off'
  const { crawlers } = ngx.shared
  const key = `${ngx.var.remote_addr} ${agent}`
  const [known] = crawlers.get(key)
  if (known === 'verified' || known === 'false') return known
  if (known === undefined) {
    const [added] = crawlers.add(key, 'unknown', ASK_SECONDS)
    if (added === true) {
      const [waiting] = crawlers.llen(ASKED)
      if ((waiting ?? 0) >= MOST_WAITING) count('crawlers_unasked')
      else crawlers.rpush(ASKED, key)
    }
  }
  return 'unknown'
}

/** Takes what the agent has found out, and says what it is asked for. */
export function exchange(news: CrawlerNews): string[] {
  const { crawlers } = ngx.shared
  if (!news.on) {
    clearFlag(FLAG)
    crawlers.delete(ASKED)
    return []
  }
  setFlag(FLAG)
  for (const { address, agent, answer, seconds } of news.known) crawlers.set(`${address} ${agent}`, answer, seconds)
  const asked: string[] = []
  while (asked.length < AT_ONCE) {
    const [next] = crawlers.lpop(ASKED)
    if (next === undefined) break
    asked.push(next)
  }
  return asked
}
