import crypto from 'node:crypto'
import type { Peer } from '../outgoing/peer.ts'
import { exchangeMessages } from './dns-stream.ts'
import { TSIG_ERROR, TsigExchange, tsigErrorOf, type TsigKey } from './tsig.ts'
import { plainName, readMessage, type WireData } from './wire-message.ts'

const TYPE = { SOA: 6, IXFR: 251, AXFR: 252 } as const
const CLASS_IN = 1
const HEADER_BYTES = 12

/**
 * Why a primary gave nothing: no answer at all, a refusal (or not the zone's server), a signature that is missing or
 * wrong, one of another time than its clock's, an answer that makes no sense, more records than wanted.
 */
export type FetchProblem = 'noAnswer' | 'refused' | 'badSignature' | 'badTime' | 'malformed' | 'tooLarge'
/**
 * The zone whole, or what has changed since `from` in steps; each list with the SOA that it leads to first. `older`: its
 * serial is before the one that is known, so that nothing can be told from it.
 */
export type FetchedZone =
  | { kind: 'same' | 'older' }
  | { kind: 'whole'; records: WireData[] }
  | { kind: 'changes'; steps: { removed: WireData[]; added: WireData[] }[] }
  | { kind: 'problem'; problem: FetchProblem }

/**
 * A server is left after `timeoutMs` in all, and sooner when nothing comes for `quietMs`. No more than `most` records
 * are taken, and no more than `mostBytes` of what they say.
 */
export type FetchOptions = { key: TsigKey | null; timeoutMs: number; quietMs: number; most: number; mostBytes: number }

/** Of one record: everything that a zone is known to hold is far smaller. */
const MOST_RECORD_BYTES = 16_384

/** Serial of a SOA record: it stands before the four timers at the end. */
export const serialOf = ({ rdata }: WireData): number => rdata.readUInt32BE(rdata.length - 20)

/** Whether serial `a` is later than `b` (RFC 1982 3.2). */
export const isLater = (a: number, b: number): boolean => a !== b && (a - b) >>> 0 < 0x8000_0000

/**
 * What a primary has of a zone beyond the version `known` (its whole SOA record), or all of it: IXFR where it is given
 * (RFC 1995), else AXFR (RFC 5936), over TCP and
 * signed with the key (RFC 8945).
 */
export async function fetchZone(
  at: Peer,
  zone: string,
  known: WireData | null,
  options: FetchOptions,
): Promise<FetchedZone> {
  if (!known) return transfer(at, zone, TYPE.AXFR, null, options)
  const soa = await askSoa(at, zone, options)
  if ('problem' in soa) return { kind: 'problem', problem: soa.problem }
  if (serialOf(soa.record) === serialOf(known)) return { kind: 'same' }
  if (!isLater(serialOf(soa.record), serialOf(known))) return { kind: 'older' }
  const changes = await transfer(at, zone, TYPE.IXFR, known, options)
  // A primary need not know incremental transfers.
  const isFinal = new Set<FetchProblem>(['noAnswer', 'badSignature', 'badTime'])
  return changes.kind === 'problem' && !isFinal.has(changes.problem)
    ? transfer(at, zone, TYPE.AXFR, null, options)
    : changes
}

async function askSoa(
  at: Peer,
  zone: string,
  { key, timeoutMs, quietMs }: FetchOptions,
): Promise<{ record: WireData } | { problem: FetchProblem }> {
  let answer: { record: WireData } | { problem: FetchProblem } = { problem: 'noAnswer' }
  await conversation(
    at,
    questionOf(zone, TYPE.SOA, null),
    key,
    { timeoutMs, quietMs },
    {
      failed: (problem) => void (answer = { problem }),
      heard(records) {
        const record = records.find(({ type, name }) => type === TYPE.SOA && name === zone)
        answer = record && record.rdata.length >= 22 ? { record } : { problem: 'refused' }
        return false
      },
      isDone: () => true,
    },
  )
  return answer
}

async function transfer(
  at: Peer,
  zone: string,
  type: number,
  known: WireData | null,
  { key, timeoutMs, quietMs, most, mostBytes }: FetchOptions,
): Promise<FetchedZone> {
  const reader = new TransferReader(zone, known, { most, mostBytes })
  let problem: FetchProblem = 'noAnswer'
  const finished = await conversation(
    at,
    questionOf(zone, type, known),
    key,
    { timeoutMs, quietMs },
    {
      failed: (why) => void (problem = why),
      heard(records) {
        problem = 'malformed'
        for (const record of records) if (!reader.take(record)) break
        return !reader.isDone && reader.problem === null
      },
      isDone: () => reader.isDone,
    },
  )
  return finished && reader.problem === null
    ? reader.fetched()
    : { kind: 'problem', problem: reader.problem ?? problem }
}

type Hearing = {
  failed: (problem: FetchProblem) => void
  heard: (records: WireData[]) => boolean
  isDone: () => boolean
}

/** True when the whole answer came and, with a key, all of it was signed. */
async function conversation(
  at: Peer,
  question: Buffer,
  key: TsigKey | null,
  patience: { timeoutMs: number; quietMs: number },
  { failed, heard, isDone }: Hearing,
): Promise<boolean> {
  const signed = key ? new TsigExchange(question, key, Date.now) : null
  let ended = false
  await exchangeMessages(at, signed?.question ?? question, patience, (message) => {
    const reply = readMessage(message)
    const problem = problemOf(reply, question, message)
    // A refusal for the sake of the key is not signed itself.
    if (!reply || problem || (signed && !signed.accepts(message, reply.tsigAt))) {
      failed(problem ?? (reply ? 'badSignature' : 'malformed'))
      return false
    }
    if (!ended && heard(reply.answers)) return true
    ended = true
    // The records are there; the signature of the last messages may still be on its way.
    if (signed && isDone() && !signed.isVouched) return true
    return false
  })
  if (!ended || !isDone()) return false
  if (signed && !signed.isVouched) failed('badSignature')
  return !signed || signed.isVouched
}

function problemOf(reply: ReturnType<typeof readMessage>, question: Buffer, message: Buffer): FetchProblem | null {
  if (!reply || !reply.isResponse || reply.id !== question.readUInt16BE(0)) return 'malformed'
  const NOTAUTH = 9
  if (reply.rcode === NOTAUTH && reply.tsigAt > 0)
    return tsigErrorOf(message, reply.tsigAt) === TSIG_ERROR.badTime ? 'badTime' : 'badSignature'
  return reply.rcode === 0 ? null : 'refused'
}

function questionOf(zone: string, type: number, known: WireData | null): Buffer {
  const name = plainName(zone)
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16BE(crypto.randomInt(65_536), 0)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(known ? 1 : 0, 8)
  const question = Buffer.concat([header, name, Buffer.from([0, type, 0, CLASS_IN])])
  if (!known) return question
  // IXFR says in the authority section what is known (RFC 1995 3).
  const soa = Buffer.alloc(10)
  soa.writeUInt16BE(TYPE.SOA, 0)
  soa.writeUInt16BE(CLASS_IN, 2)
  soa.writeUInt16BE(known.rdata.length, 8)
  return Buffer.concat([question, name, soa, known.rdata])
}

/**
 * Takes the records of a transfer one after the other: the first says the new version, a second SOA right after it that
 * changes follow (RFC 1995 4).
 */
class TransferReader {
  isDone = false
  problem: FetchProblem | null = null
  readonly #zone: string
  readonly #known: WireData | null
  readonly #bounds: Pick<FetchOptions, 'most' | 'mostBytes'>
  readonly #records: WireData[] = []
  readonly #steps: { removed: WireData[]; added: WireData[] }[] = []
  #isIncremental = false
  #count = 0
  #bytes = 0

  constructor(zone: string, known: WireData | null, bounds: Pick<FetchOptions, 'most' | 'mostBytes'>) {
    this.#zone = zone
    this.#known = known
    this.#bounds = bounds
  }

  /** False when nothing more is wanted. */
  take(record: WireData): boolean {
    const [first] = this.#records
    const isSoa = record.type === TYPE.SOA && record.name === this.#zone && record.rdata.length >= 22
    this.#bytes += record.name.length + record.rdata.length
    const { most, mostBytes } = this.#bounds
    if (++this.#count > most || this.#bytes > mostBytes || record.rdata.length > MOST_RECORD_BYTES)
      return this.#end('tooLarge')
    if (!first) {
      this.#records.push(record)
      if (!isSoa) return this.#end('malformed')
      return this.#known && !isLater(serialOf(record), serialOf(this.#known)) ? this.#end(null) : true
    }
    if (this.#isIncremental) return this.#change(record, isSoa, serialOf(first))
    if (!isSoa) return this.#records.push(record) > 0
    if (this.#known && this.#records.length === 1 && serialOf(record) === serialOf(this.#known)) {
      this.#isIncremental = true
      this.#steps.push({ removed: [record], added: [] })
      return true
    }
    return this.#end(serialOf(record) === serialOf(first) ? null : 'malformed')
  }

  fetched(): FetchedZone {
    const [first] = this.#records
    if (this.#isIncremental) return { kind: 'changes', steps: this.#steps }
    return this.#known && first && !isLater(serialOf(first), serialOf(this.#known))
      ? { kind: 'same' }
      : { kind: 'whole', records: this.#records }
  }

  /** Of each step first what goes, from its SOA on, then what comes, from the next one on. */
  #change(record: WireData, isSoa: boolean, newest: number): boolean {
    const step = this.#steps.at(-1)
    if (!step) return this.#end('malformed')
    const [reached] = step.added
    if (!isSoa) (reached ? step.added : step.removed).push(record)
    else if (!reached) step.added.push(record)
    else if (serialOf(reached) === newest) return this.#end(serialOf(record) === newest ? null : 'malformed')
    else this.#steps.push({ removed: [record], added: [] })
    return true
  }

  #end(problem: FetchProblem | null): false {
    this.problem = problem
    this.isDone = problem === null
    return false
  }
}
