import type { HostPort } from '@fairway/platform'

/** Feedback that is asked for: key frames, what was lost, and how much may be sent. */
const FEEDBACK = /^a=rtcp-fb:(?:\*|\d+) (?:nack pli|goog-remb)$/

export class SdpError extends Error {}

/**
 * An offer as it is taken: at most one picture and one sound, which are sent. Without addresses of whoever offers
 * (none is ever asked), and without extensions and feedback that the library would keep figures for.
 * @throws SdpError
 */
export function takenOffer(text: string): string {
  const lines = text.split(/\r?\n/).filter((line) => line !== '')
  if (lines[0] !== 'v=0') throw new SdpError('it is no session description')
  const media = lines.filter((line) => line.startsWith('m=')).map((line) => /^m=(\w+) /.exec(line)?.[1] ?? '')
  if (media.filter((kind) => kind === 'video').length !== 1 || media.filter((kind) => kind === 'audio').length > 1)
    throw new SdpError('one picture is sent, and one sound at most')
  if (media.length > 2 || media.some((kind) => kind !== 'audio' && kind !== 'video'))
    throw new SdpError('only picture and sound are taken')
  if (!lines.some((line) => line.startsWith('a=fingerprint:sha-256 '))) throw new SdpError('it has no fingerprint')
  if (!lines.some((line) => line.startsWith('a=ice-ufrag:'))) throw new SdpError('it has no ICE')
  if (lines.some((line) => /^a=(?:simulcast|recvonly|inactive)/.test(line)))
    throw new SdpError('one quality is sent, and nothing is received')
  return `${lines.filter(isTaken).join('\r\n')}\r\n`
}

function isTaken(line: string): boolean {
  if (/^a=(?:candidate|end-of-candidates|remote-candidates)/.test(line)) return false
  if (line.startsWith('a=extmap:')) return line.includes('urn:ietf:params:rtp-hdrext:sdes:mid')
  return !line.startsWith('a=rtcp-fb:') || FEEDBACK.test(line)
}

type Answer = { sdp: string; name: string; password: string; innerPort: number }

/** What the library answers, with the addresses that reach the one port of all in place of its own. */
export function givenAnswer(text: string, addresses: readonly string[], { port }: Pick<HostPort, 'port'>): Answer {
  const lines = text.split(/\r?\n/).filter((line) => line !== '')
  const value = (name: string) => lines.find((line) => line.startsWith(`a=${name}:`))?.slice(name.length + 3) ?? ''
  const inner = lines.find((line) => /^a=candidate:\S+ 1 udp \d+ 127\.0\.0\.1 \d+ typ host/i.test(line))
  const candidates = addresses.map(
    // Of one foundation each, the first before the others (RFC 8445, 5.1).
    (address, at) => `a=candidate:${at + 1} 1 udp ${2_130_706_431 - at * 256} ${address} ${port} typ host`,
  )
  const sdp = lines.flatMap((line) => {
    if (line.startsWith('a=candidate:') || line === 'a=end-of-candidates') return []
    if (line.startsWith('c=')) return [line, ...candidates, 'a=end-of-candidates']
    const pictured = /^a=rtcp-fb:(\d+) nack pli$/.exec(line)?.[1]
    return pictured === undefined ? [line] : [line, `a=rtcp-fb:${pictured} nack`]
  })
  return {
    sdp: `${sdp.join('\r\n')}\r\n`,
    name: value('ice-ufrag'),
    password: value('ice-pwd'),
    innerPort: Number(inner?.split(' ')[5] ?? 0),
  }
}
