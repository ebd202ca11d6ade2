import { parseAddress } from '@fairway/domain'
import { addressKey, CRAWLERS, isCrawlersName, type LookedUp } from '@fairway/domain/web-security'
import type { CrawlerNews } from '@fairway/edge-lua'
import type { Log, OutgoingGate } from '@fairway/platform'
import type { NginxAdmin } from './apply.ts'

/** How long answers hold: a crawler keeps its addresses, and whoever is none may yet be given one. */
const SECONDS = { verified: 21_600, false: 3_600, unknown: 60 }
/** Between two looks at what nginx asks. */
const LOOK_MS = 1_000
/** Lookups of a second on average, and at a time: a flood of names is no flood of questions. */
const PER_SECOND = 10
const AT_ONCE = 4
/** Answers that are remembered here; the one that was asked for longest ago goes first. */
const REMEMBERED = 10_000
/** Questions that wait here; nginx asks again for those that find no room. */
const WAITING = 200
/** Of an address with many names, so many are looked at: its owner writes them. */
const NAMES = 4
/** For how long nobody is asked after there was no resolver. */
const AWAY_MS = 60_000

type Answer = Exclude<LookedUp, 'off'>
type Held = { answer: Answer; until: number }
type Question = { address: string; agent: string }

/**
 * Finds out who is a crawler: the names of its address (PTR) lie in its owner's domains, and one of them leads back to
 * the address. Only names in those domains are looked up, so that nobody's own names cost more than one question.
 * @throws Error when the resolver does not answer
 */
export async function lookUpCrawler(gate: OutgoingGate, { address, agent }: Question): Promise<Answer> {
  const crawler = CRAWLERS.find((one) => one.agent === agent)
  // No crawler comes from where nobody of the internet is.
  if (crawler === undefined || parseAddress(address) === null || !gate.reaches(address, null)) return 'false'
  const names = (await gate.names.namesOf(address)).filter((name) => isCrawlersName(crawler, name)).slice(0, NAMES)
  const key = addressKey(address)
  for (const name of names)
    if ((await gate.names.addressesOf(name)).some((one) => addressKey(one) === key)) return 'verified'
  return 'false'
}

/**
 * Answers what nginx asks about those that call themselves crawlers, off the way of requests. Bounded in rate, in
 * number and in memory; without a resolver nginx is told that nobody looks.
 */
export function knowCrawlers(options: {
  gate: OutgoingGate
  admin: Pick<NginxAdmin, 'crawlers'>
  log: Log
  lookMs?: number
  clock?: () => number
}): Disposable {
  const { gate, admin, log, lookMs = LOOK_MS, clock = () => performance.now() } = options
  const held = new Map<string, Held>()
  const waiting = new Map<string, Question>()
  let news: CrawlerNews['known'] = []
  let tokens = PER_SECOND
  let filledAt = clock()
  let running = 0
  let awayUntil = -Infinity
  let isOver = false

  const remember = (key: string, { address, agent }: Question, answer: Answer) => {
    held.delete(key)
    held.set(key, { answer, until: clock() + SECONDS[answer] * 1_000 })
    for (const oldest of held.keys()) {
      if (held.size <= REMEMBERED) break
      held.delete(oldest)
    }
    news.push({ address, agent, answer, seconds: SECONDS[answer] })
  }
  const one = async (key: string, question: Question) => {
    running += 1
    try {
      const answer = await lookUpCrawler(gate, question)
      log.info({ event: 'crawler.looked-up', ...question, answer })
      remember(key, question, answer)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') awayUntil = clock() + AWAY_MS
      log.debug({ event: 'crawler.not-looked-up', ...question, err: error })
      remember(key, question, 'unknown')
    } finally {
      running -= 1
      work()
    }
  }
  const work = () => {
    const now = clock()
    tokens = Math.min(PER_SECOND, tokens + ((now - filledAt) / 1_000) * PER_SECOND)
    filledAt = now
    for (const [key, question] of waiting) {
      if (isOver || running >= AT_ONCE || tokens < 1) return
      tokens -= 1
      waiting.delete(key)
      void one(key, question)
    }
  }
  const take = (asked: string[]) => {
    for (const key of asked) {
      const space = key.indexOf(' ')
      const question = { address: key.slice(0, space), agent: key.slice(space + 1) }
      const known = held.get(key)
      // An nginx that is new has to be told again.
      if (known !== undefined && known.until > clock()) {
        held.delete(key)
        held.set(key, known)
        news.push({ ...question, answer: known.answer, seconds: Math.ceil((known.until - clock()) / 1_000) })
      } else if (waiting.size < WAITING) waiting.set(key, question)
    }
  }
  const look = async () => {
    const known = news
    news = []
    try {
      take(await admin.crawlers({ on: clock() >= awayUntil, known }))
    } catch (error) {
      // While nginx is being exchanged; what it does not know, it asks for again.
      log.debug({ event: 'crawlers.unasked', err: error })
    }
    work()
  }
  let isLooking = false
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void look().finally(() => (isLooking = false))
  }, lookMs).unref()
  return {
    [Symbol.dispose]() {
      isOver = true
      clearInterval(timer)
    },
  }
}
