import { HEADER_BYTES } from '../wire/codes.ts'
import type { Pause, WireRecord } from './zone-records.ts'

/** Far below the most that a message may have, so that a transfer goes out in even pieces. */
const MESSAGE_BYTES = 16_000
const APEX_POINTER = Buffer.from([0xc0, HEADER_BYTES])

/**
 * Puts records into as few messages as they need (RFC 5936 2.2); the question stands in the first. `query` is the whole
 * question message. Pauses are passed on.
 */
export function* transferMessages(
  query: Buffer,
  questionEnd: number,
  records: Iterable<WireRecord | Pause>,
): Generator<Buffer | Pause> {
  let parts: Buffer[] = [query.subarray(HEADER_BYTES, questionEnd)]
  let bytes = questionEnd
  let count = 0
  let questions = 1
  for (const record of records) {
    if (record === null) {
      yield null
      continue
    }
    const { owner, tail } = record
    if (bytes + owner.length + tail.length > MESSAGE_BYTES && count > 0) {
      yield message(query, questions, count, parts)
      parts = []
      questions = count = 0
      bytes = HEADER_BYTES
    }
    // Only in the first message is there a name to point to.
    const isApex = questions === 1 && isQuestion(query, questionEnd, owner)
    parts.push(isApex ? APEX_POINTER : Buffer.from(owner), Buffer.from(tail))
    bytes += (isApex ? APEX_POINTER.length : owner.length) + tail.length
    count++
  }
  yield message(query, questions, count, parts)
}

function isQuestion(query: Buffer, questionEnd: number, owner: Uint8Array): boolean {
  return (
    questionEnd - 4 - HEADER_BYTES === owner.length &&
    Buffer.compare(query.subarray(HEADER_BYTES, questionEnd - 4), owner) === 0
  )
}

function message(query: Buffer, questions: number, answers: number, parts: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16BE(query.readUInt16BE(0), 0)
  // A response, authoritative.
  header.writeUInt16BE(0x8400, 2)
  header.writeUInt16BE(questions, 4)
  header.writeUInt16BE(answers, 6)
  return Buffer.concat([header, ...parts])
}
