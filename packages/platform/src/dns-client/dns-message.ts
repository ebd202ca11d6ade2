import dnsPacket, { type Answer } from 'dns-packet'
import { rdataText } from './rdata-text.ts'

/**
 * A record as it came: absolute name in lower case without the trailing dot, rdata in presentation form, absolute names
 * with the dot.
 */
export type AnsweredRecord = { name: string; type: string; ttlSeconds: number; rdata: string }

export type DnsReply = {
  id: number
  question: { name: string; type: string } | null
  rcode: string
  authoritative: boolean
  truncated: boolean
  answers: AnsweredRecord[]
  authorities: AnsweredRecord[]
  additionals: AnsweredRecord[]
}

/** Types that the library does not know by name. */
const NUMBERED: Readonly<Record<string, number>> = { SVCB: 64, HTTPS: 65 }
const NAMED = new Map(Object.entries(NUMBERED).map(([name, code]) => [`UNKNOWN_${code}`, name]))

/**
 * A query on the wire, with EDNS 1232 (no fragments) unless it goes over a stream. No recursion: it is for
 * authoritative servers.
 */
export function encodeQuery(id: number, name: string, type: string, overTcp = false): Buffer {
  const code = NUMBERED[type]
  const additionals = overTcp ? [] : [{ type: 'OPT', name: '.', udpPayloadSize: 1232, flags: 0, options: [] }]
  return dnsPacket.encode({
    type: 'query',
    id,
    flags: 0,
    questions: [{ type: code === undefined ? type : `UNKNOWN_${code}`, class: 'IN', name }],
    additionals,
  })
}

/** A reply, or null for bytes that are none. */
export function decodeReply(bytes: Uint8Array): DnsReply | null {
  try {
    const packet = dnsPacket.decode(bytes)
    if (packet.type !== 'response') return null
    const [question] = packet.questions
    return {
      id: packet.id,
      rcode: packet.rcode,
      authoritative: packet.flag_aa,
      truncated: packet.flag_tc,
      question: question ? { name: question.name.toLowerCase(), type: typeName(question.type) } : null,
      answers: records(packet.answers),
      authorities: records(packet.authorities),
      additionals: records(packet.additionals),
    }
  } catch {
    return null
  }
}

const typeName = (type: string): string => NAMED.get(type) ?? type.replace(/^UNKNOWN_/, 'TYPE')

function records(answers: Answer[]): AnsweredRecord[] {
  return answers.flatMap((answer) => {
    if (answer.type === 'OPT' || (answer.class !== undefined && answer.class !== 'IN')) return []
    const type = typeName(answer.type)
    return [
      {
        name: answer.name.toLowerCase().replace(/^\.$/, ''),
        type,
        ttlSeconds: answer.ttl ?? 0,
        rdata: rdataText(type, answer.data),
      },
    ]
  })
}
