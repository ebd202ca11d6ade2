import crypto from 'node:crypto'
import { isAtOrUnder, type RawRecord } from '@fairway/domain'
import type { AnsweredRecord, DnsReply } from '@fairway/platform'
import { COMMON_NAMES, typesFor } from './common-names.ts'
import type { PacedAsker } from './paced-asker.ts'

export type Guessed = {
  records: RawRecord[]
  hasWildcard: boolean
  namesAsked: number
  /** Names of which something was not answered, or that there was no time or no room for. */
  unanswered: string[]
}
export type GuessProgress = { namesAsked: number; namesTotal: number; foundNames: number }

/** By the clock of `performance`; what has been found by then is what there is. */
type Bounds = {
  until: number
  most: { records: number; characters: number; longest: number }
  report: (progress: GuessProgress) => void
}

const AT_ONCE = 24
/** Of those that were not answered, once more: a server that drops what comes too fast answers then. */
const SLOWLY_AT_ONCE = 3
/** A zone whose answers name ever more names below it stops being followed here. */
const MOST_NAMES = 3_000
const WILDCARD_TYPES = ['A', 'AAAA', 'MX', 'TXT', 'CAA', 'HTTPS', 'SRV', 'SSHFP', 'TLSA'] as const

/** Sets of one name by type: rdata, sorted. */
type Answers = Map<string, string[]>

/**
 * Asks a zone's nameservers for common names and for every name of the zone that an answer points to: mail servers,
 * SPF, DMARC, services, aliases. A random name first
 * shows a wildcard, whose answers then count for no other name.
 */
export async function guessNames(asker: PacedAsker, zone: string, bounds: Bounds): Promise<Guessed> {
  const scan = new NameScan(asker, zone, bounds)
  await scan.wildcard()
  await scan.all([zone, ...COMMON_NAMES.map((label) => `${label}.${zone}`)])
  await scan.askAgain()
  const { records, hasWildcard, unanswered } = scan
  return { records, hasWildcard, namesAsked: scan.asked, unanswered }
}

class NameScan {
  readonly records: RawRecord[] = []
  hasWildcard = false
  asked = 0
  #wild: Answers = new Map()
  #queue: string[] = []
  /** Types that were not answered by name; an alias stands for all of them. */
  #silent = new Map<string, string[]>()
  /** Types that were answered for some name: others a server does not know, which is no word about a name. */
  #knownTypes = new Set<string>()
  #crowdedOut = new Set<string>()
  #seen = new Set<string>()
  #cuts = new Set<string>()
  #found = new Set<string>()
  #asker: PacedAsker
  #zone: string
  #bounds: Bounds
  #characters = 0

  constructor(asker: PacedAsker, zone: string, bounds: Bounds) {
    this.#asker = asker
    this.#zone = zone
    this.#bounds = bounds
  }

  async wildcard(): Promise<void> {
    const name = `fairway-${crypto.randomBytes(8).toString('hex')}.${this.#zone}`
    const first = await this.#answersOf(name, WILDCARD_TYPES)
    const { answers, records, silent } =
      first.silent[0] === 'CNAME' ? await this.#answersOf(name, WILDCARD_TYPES) : first
    if (silent.length) this.#silent.set(`*.${this.#zone}`, silent)
    this.#wild = answers
    this.hasWildcard = records.length > 0
    for (const record of records) this.#take({ ...record, name: `*.${this.#zone}` })
  }

  /** Names of which something is not known. */
  get unanswered(): string[] {
    const silent = [...this.#silent].filter(([, types]) =>
      types.some((type) => type === 'CNAME' || this.#knownTypes.has(type)),
    )
    return [...new Set([...silent.map(([name]) => name), ...this.#queue, ...this.#crowdedOut])]
  }

  /** Once more, and slowly; what they name is asked as well. */
  async askAgain(): Promise<void> {
    const names = this.unanswered.filter((name) => this.#silent.has(name) && !name.startsWith('*.'))
    if (names.length === 0 || this.#isOver()) return
    this.#asker.beGentle()
    this.#queue.unshift(...names)
    await this.all([], SLOWLY_AT_ONCE)
  }

  async all(names: readonly string[], atOnce = AT_ONCE): Promise<void> {
    this.#enqueue(names)
    const workers = Array.from({ length: atOnce }, async () => {
      for (let name = this.#next(); name !== undefined; name = this.#next()) await this.#name(name)
    })
    await Promise.all(workers)
    // What the last answers named has come into the queue after other workers had found it empty.
    if (this.#queue.length && !this.#isOver()) await this.all([], atOnce)
  }

  #next(): string | undefined {
    return this.#isOver() ? undefined : this.#queue.shift()
  }

  #isOver(): boolean {
    const { until, most } = this.#bounds
    return performance.now() > until || this.records.length >= most.records || this.#characters > most.characters
  }

  #enqueue(names: readonly string[]): void {
    for (const name of names) {
      if (this.#seen.has(name) || !isAtOrUnder(name, this.#zone)) continue
      if (this.#seen.size >= MOST_NAMES) {
        if (this.#crowdedOut.size < MOST_NAMES) this.#crowdedOut.add(name)
        continue
      }
      this.#seen.add(name)
      this.#queue.push(name)
    }
  }

  async #name(name: string): Promise<void> {
    const isBelowCut = [...this.#cuts].some((cut) => isAtOrUnder(name, cut))
    if (!isBelowCut) {
      const relative = name === this.#zone ? '@' : name.slice(0, -this.#zone.length - 1)
      const wasSilent = this.#silent.get(name)
      const { answers, records, silent } = await this.#answersOf(name, typesFor(relative))
      if (silent.length) this.#silent.set(name, silent)
      else this.#silent.delete(name)
      if (records.length && !this.#isWild(name, relative, answers))
        for (const record of records) if (!wasSilent || !this.#isTaken(record)) this.#take(record)
      if (silent[0] !== 'CNAME') this.asked += wasSilent && wasSilent[0] !== 'CNAME' ? 0 : 1
    } else this.asked++
    this.#bounds.report({ namesAsked: this.asked, namesTotal: this.#seen.size, foundNames: this.#found.size })
  }

  /**
   * An alias is asked for first and stands alone; a name that does not exist is not asked further; below a delegation
   * the zone has no say. Types that no server answers are told: silence is no word about the name.
   */
  async #answersOf(
    name: string,
    types: readonly string[],
  ): Promise<{ answers: Answers; records: AnsweredRecord[]; silent: string[] }> {
    const first = await this.#ask(name, 'CNAME')
    const none = { answers: new Map(), records: [], silent: [] }
    if (first === null) return { ...none, silent: ['CNAME'] }
    if (first.rcode !== 'NOERROR') return none
    if (this.#delegated(first)) return none
    const alias = own(first, name, 'CNAME')
    if (alias.length) return { ...gathered([alias]), silent: [] }
    const silent: string[] = []
    const replies = await Promise.all(
      types.map(async (type) => {
        const reply = await this.#ask(name, type)
        if (reply === null) silent.push(type)
        return own(reply, name, type)
      }),
    )
    return { ...gathered(replies), silent }
  }

  async #ask(name: string, type: string): Promise<DnsReply | null> {
    const reply = await this.#asker.ask(name, type)
    if (reply) this.#knownTypes.add(type)
    return reply
  }

  #isTaken({ name, type, rdata }: AnsweredRecord): boolean {
    return this.records.some((one) => one.name === name && one.type === type && one.rdata === rdata)
  }

  /** A referral, or an answer out of a zone below: the delegation is a record of ours, the rest is not. */
  #delegated(reply: DnsReply): boolean {
    const cut = reply.authorities.find(
      ({ type, name }) => (type === 'NS' || type === 'SOA') && name !== this.#zone && isAtOrUnder(name, this.#zone),
    )?.name
    if (cut === undefined || reply.answers.length > 0) return false
    if (this.#cuts.has(cut)) return true
    this.#cuts.add(cut)
    const delegation = reply.authorities.filter(({ type, name }) => type === 'NS' && name === cut)
    const servers = new Set(delegation.map(({ rdata }) => rdata.replace(/\.$/, '')))
    const glue = reply.additionals.filter(
      ({ type, name }) => (type === 'A' || type === 'AAAA') && servers.has(name) && isAtOrUnder(name, cut),
    )
    for (const record of [...delegation, ...glue]) this.#take(record)
    return true
  }

  /** The same for every type that was asked: the wildcard answers for it, and goes on doing so. */
  #isWild(name: string, relative: string, answers: Answers): boolean {
    if (!this.hasWildcard || name === this.#zone) return false
    const types = this.#wild.has('CNAME') || answers.has('CNAME') ? ['CNAME'] : typesFor(relative)
    return types.every((type) => (answers.get(type) ?? []).join('\n') === (this.#wild.get(type) ?? []).join('\n'))
  }

  #take(record: AnsweredRecord): void {
    if (record.rdata.length > this.#bounds.most.longest || this.#isOver()) return
    this.#characters += record.rdata.length
    this.records.push(record)
    this.#found.add(record.name)
    this.#enqueue(namesIn(record, this.#zone))
  }
}

/** The records that belong to the very name that was asked; a server may add those of an alias's target. */
function own(reply: DnsReply | null, name: string, type: string): AnsweredRecord[] {
  return reply?.rcode === 'NOERROR'
    ? reply.answers.filter((record) => record.name === name && record.type === type)
    : []
}

function gathered(sets: readonly AnsweredRecord[][]): { answers: Answers; records: AnsweredRecord[] } {
  const answers: Answers = new Map(
    sets.flatMap((set) => (set[0] ? [[set[0].type, set.map(({ rdata }) => rdata).sort()]] : [])),
  )
  return { answers, records: sets.flat() }
}

/** Names of the zone that a record's data mentions: targets, `include:` and `a:` of SPF, addresses of DMARC and CAA. */
export function namesIn({ rdata }: Pick<RawRecord, 'rdata'>, zone: string): string[] {
  const found = rdata
    .toLowerCase()
    .matchAll(/(?<![a-z0-9_.-])(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]+/g)
  return [...new Set([...found].map(([name]) => name))].filter((name) => isAtOrUnder(name, zone))
}
