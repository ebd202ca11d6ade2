/** A description with some twenty candidates stays well below. */
export const SDP_MOST = 6_000
const LINES_MOST = 100
const LINE = /^[a-z]=[\x20-\x7e]{0,400}$/
/** What a session of one data channel is described with (RFC 8841 5, RFC 8829 5.2.1), and nothing that carries words. */
const ATTRIBUTES =
  /^a=(?:group:BUNDLE [\w-]{1,16}|extmap-allow-mixed|msid-semantic: ?[\w* ]{0,16}|candidate:[\w/+]{1,32} [\w .:-]{1,200}|end-of-candidates|ice-ufrag:[\w/+]{4,256}|ice-pwd:[\w/+]{22,256}|ice-options:[\w -]{1,32}|fingerprint:sha-(?:256|384|512) [0-9A-F:]{64,200}|setup:(?:actpass|active|passive)|mid:[\w-]{1,16}|sctp-port:\d{1,5}|max-message-size:\d{1,12}|sendrecv|identity:none)$/

/**
 * Whether text describes a WebRTC session of one data channel. What browsers hand each other goes through us, so it is
 * read: neither sound nor picture, no text of somebody's own.
 */
export function isDataSession(sdp: string): boolean {
  if (sdp.length > SDP_MOST) return false
  const lines = sdp.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  if (lines.length > LINES_MOST || lines[0] !== 'v=0') return false
  let media = 0
  for (const line of lines) {
    if (!LINE.test(line)) return false
    if (line.startsWith('m=')) {
      if (++media > 1 || !/^m=application \d{1,5} (?:UDP|TCP)\/DTLS\/SCTP webrtc-datachannel$/.test(line)) return false
    } else if (line.startsWith('a=')) {
      if (!ATTRIBUTES.test(line)) return false
    } else if (
      !/^(?:v=0|o=[\w.-]{1,64} \d{1,20} \d{1,20} IN IP[46] [\w.:]{1,45}|s=[-\w ]{1,32}|t=\d{1,20} \d{1,20}|c=IN IP[46] [\w.:]{1,45}|b=(?:AS|TIAS):\d{1,9})$/.test(
        line,
      )
    )
      return false
  }
  return media === 1 && lines.some((line) => line.startsWith('a=fingerprint:'))
}
