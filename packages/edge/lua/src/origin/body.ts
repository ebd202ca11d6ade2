import { count } from '../answer/answer.ts'
import { type OriginConnection, readMore } from './connection.ts'
import type { Length } from './head.ts'

const LINE_BYTES = 4_096

/**
 * `clean`: the next thing on the connection is another answer. `dirty`: all was passed on, and the connection is over
 * or holds something else. `early`: it ended too early, or is no body.
 */
type BodyEnd = 'clean' | 'dirty' | 'early'

/** Passes the body of an answer on. */
export function passBody(connection: OriginConnection, length: Exclude<Length, 'invalid'>): BodyEnd {
  return length === 'chunked' ? passChunks(connection) : passBytes(connection, length)
}

/** So many bytes, or all until the origin closes. */
function passBytes(connection: OriginConnection, length: number | 'close'): BodyEnd {
  let left = length === 'close' ? -1 : length
  while (left !== 0) {
    if (connection.buffer === '') {
      const problem = readMore(connection)
      if (problem !== undefined) return length === 'close' && problem === 'closed' ? 'dirty' : 'early'
    }
    left -= show(connection, left)
    if (isTooLarge(connection)) return 'early'
  }
  return connection.buffer === '' ? 'clean' : 'dirty'
}

/** To be stored, and larger by now than what is: what its origin did not say before. */
function isTooLarge({ shown }: OriginConnection): boolean {
  const most = ngx.ctx.mostBytes
  if (most === undefined || shown <= most) return false
  count('answers_ended')
  return true
}

/** Passes some bytes of a body on: so many after leaving out as many as `skip`. False when it ends before that. */
export function passPiece(connection: OriginConnection, skip: number, length: number): boolean {
  let before = skip
  let left = length
  while (left > 0) {
    if (connection.buffer === '' && readMore(connection) !== undefined) return false
    const { buffer } = connection
    if (before >= buffer.length) {
      before -= buffer.length
      connection.buffer = ''
      continue
    }
    connection.buffer = buffer.slice(before)
    before = 0
    left -= show(connection, left)
  }
  return true
}

/** Chunks until the last (RFC 9112 7.1). */
function passChunks(connection: OriginConnection): BodyEnd {
  for (;;) {
    const line = lineOf(connection)
    const size = line === undefined ? undefined : chunkSize(line)
    if (size === undefined) return 'early'
    // Trailers are not passed on, and nobody waits for the very end.
    if (size === 0) return connection.buffer === '\r\n' ? 'clean' : 'dirty'
    for (let left = size; left > 0;) {
      if (connection.buffer === '' && readMore(connection) !== undefined) return 'early'
      left -= show(connection, left)
      if (isTooLarge(connection)) return 'early'
    }
    if (lineOf(connection) !== '') return 'early'
  }
}

/** Prints what there is, at most so much (any amount below zero is no limit). */
function show(connection: OriginConnection, most: number): number {
  const { buffer } = connection
  const piece = most >= 0 && buffer.length > most ? buffer.slice(0, most) : buffer
  connection.buffer = piece === buffer ? '' : buffer.slice(piece.length)
  ngx.print(piece)
  connection.pending = true
  connection.shown += piece.length
  return piece.length
}

function lineOf(connection: OriginConnection): string | undefined {
  for (;;) {
    const end = connection.buffer.indexOf('\r\n')
    if (end >= 0) {
      const line = connection.buffer.slice(0, end)
      connection.buffer = connection.buffer.slice(end + 2)
      return line
    }
    if (connection.buffer.length > LINE_BYTES || readMore(connection) !== undefined) return undefined
  }
}

function chunkSize(line: string): number | undefined {
  const digits = (line.split(';')[0] ?? '').trim()
  const [hex] = string.gsub(digits, '%x', '')
  return digits === '' || digits.length > 12 || hex !== '' ? undefined : tonumber(`0x${digits}`)
}
