import crypto from 'node:crypto'
import net from 'node:net'
import type { Peer } from '../outgoing/peer.ts'
import { type AnsweredRecord, type DnsReply, decodeReply, encodeQuery } from './dns-message.ts'

/** One question over TCP (RFC 7766), or null. */
export async function askOverTcp(at: Peer, name: string, type: string, timeoutMs: number): Promise<DnsReply | null> {
  let answer: DnsReply | null = null
  await exchange(at, name, type, { timeoutMs }, (reply) => {
    answer = reply
    return false
  })
  return answer
}

export type TransferOptions = {
  timeoutMs: number
  /** A server that says nothing for so long is left sooner. */
  quietMs: number
  /** Records and bytes on the wire of a whole zone. */
  most: number
  mostBytes: number
  /** Characters of a record's data; records with longer ones are left out. */
  longest: number
}

/**
 * A whole zone by AXFR (RFC 5936): all records but the closing SOA. Null when the server refuses, stops in the middle,
 * or sends more than `most` records or `mostBytes`.
 */
export async function transferZone(
  at: Peer,
  zone: string,
  { timeoutMs, quietMs, most, mostBytes, longest }: TransferOptions,
): Promise<AnsweredRecord[] | null> {
  const records: AnsweredRecord[] = []
  let [count, bytes, isWhole] = [0, 0, false]
  await exchange(at, zone, 'AXFR', { timeoutMs, quietMs }, (reply, messageBytes) => {
    bytes += messageBytes
    if (bytes > mostBytes || reply.rcode !== 'NOERROR' || (count === 0 && reply.answers[0]?.type !== 'SOA'))
      return false
    for (const record of reply.answers) {
      if (record.type === 'SOA' && count > 0) isWhole = true
      else if (record.rdata.length <= longest) records.push(record)
      if (isWhole || ++count > most) return false
    }
    return true
  })
  return isWhole ? records : null
}

/** Sends one query and hands over the replies that come, with their bytes on the wire. */
function exchange(
  at: Peer,
  name: string,
  type: string,
  patience: { timeoutMs: number; quietMs?: number },
  heard: (reply: DnsReply, bytes: number) => boolean,
): Promise<void> {
  const id = crypto.randomInt(65_536)
  return exchangeMessages(at, encodeQuery(id, name, type, true), patience, (message) => {
    const reply = decodeReply(message)
    return reply !== null && reply.id === id && heard(reply, message.length)
  })
}

/**
 * Sends one message and hands over those that come, each after its two length bytes, until `heard` has enough, the
 * server is done, the time is up or nothing has come for `quietMs`.
 */
export function exchangeMessages(
  at: Peer,
  question: Buffer,
  { timeoutMs, quietMs = timeoutMs }: { timeoutMs: number; quietMs?: number },
  heard: (message: Buffer) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const socket = net.connect(at.port, at.host)
    let bytes: Buffer = Buffer.alloc(0)
    const done = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve()
    }
    const timer = setTimeout(done, timeoutMs)
    socket.setTimeout(quietMs, done)
    socket.on('error', done)
    socket.on('close', done)
    socket.on('connect', () => socket.write(framed(question)))
    socket.on('data', (chunk: Buffer) => {
      bytes = bytes.length ? Buffer.concat([bytes, chunk]) : chunk
      while (bytes.length >= 2 && bytes.length >= 2 + bytes.readUInt16BE(0)) {
        const length = bytes.readUInt16BE(0)
        const message = bytes.subarray(2, 2 + length)
        bytes = bytes.subarray(2 + length)
        if (!heard(message)) return done()
      }
    })
  })
}

function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(message.length)
  return Buffer.concat([length, message])
}
