import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LEAST_VIEWS, type PeerCounts, judgePeers, waitedPercent } from './guard.ts'
import { SDP_MOST, isDataSession } from './is-data-session.ts'

/** So many views of ten minutes each, of which some stalled for some seconds. */
const counts = (views: number, stalledViews: number, seconds = 10): PeerCounts => ({
  views,
  stalledViews,
  watchedMs: views * 600_000,
  stalledMs: stalledViews * seconds * 1000,
})

for (const [peers, control, verdict, why] of [
  [counts(0, 0), counts(0, 0), 'unknown', 'nobody watched'],
  [counts(1_000, 900), counts(LEAST_VIEWS - 1, 0), 'unknown', 'too few to compare with'],
  [counts(LEAST_VIEWS - 1, 19), counts(1_000, 0), 'unknown', 'too few with peers'],
  [counts(180, 9), counts(20, 1), 'harmless', 'as many stall'],
  [counts(900, 20), counts(100, 30), 'harmless', 'fewer stall'],
  [counts(900, 450), counts(100, 5), 'harmful', 'many more stall'],
  [counts(180, 90), counts(20, 1), 'harmful', 'many more stall, of few'],
  [counts(900, 450, 0.1), counts(100, 5, 0.1), 'harmless', 'more stall, for no time that anybody notices'],
  [counts(900, 1, 100_000), counts(100, 0), 'harmless', 'one view that stands for a day'],
  [counts(200, 200), counts(200, 200), 'harmless', 'all stall, with and without'],
] as const)
  test(`the guard says ${verdict} when ${why}`, () => assert.equal(judgePeers(peers, control), verdict))

test('where peers make no difference, the guard stays quiet in at least 99 of 100 looks', () => {
  let seed = 7
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const draw = (views: number) => counts(views, Array.from({ length: views }).filter(() => random() < 0.2).length)
  const alarms = Array.from({ length: 1_000 }).filter(() => judgePeers(draw(900), draw(100)) === 'harmful').length
  assert.ok(alarms <= 10, `${alarms} of 1,000`)
})

test('more harm never makes the guard quieter', () => {
  const views = fc.integer({ min: LEAST_VIEWS, max: 5_000 })
  fc.assert(
    fc.property(views, views, fc.nat(100), fc.nat(100), (many, few, stalled, base) => {
      const [worse, control] = [Math.ceil((many * stalled) / 100), counts(few, Math.floor((few * base) / 100))]
      if (judgePeers(counts(many, worse), control) === 'harmful' && worse < many)
        assert.equal(judgePeers(counts(many, Math.min(many, worse + 1)), control), 'harmful')
    }),
  )
})

test('waiting is unknown while nobody watches, and never nought then', () => {
  assert.equal(waitedPercent(counts(0, 0)), null)
  assert.equal(waitedPercent({ views: 1, stalledViews: 1, watchedMs: 900, stalledMs: 100 }), 10)
})

/** As Chromium writes it. */
const OFFER = `v=0\r
o=- 4611731400430051336 2 IN IP4 127.0.0.1\r
s=-\r
t=0 0\r
a=group:BUNDLE 0\r
a=extmap-allow-mixed\r
a=msid-semantic: WMS\r
m=application 40001 UDP/DTLS/SCTP webrtc-datachannel\r
c=IN IP4 192.0.2.7\r
a=candidate:1467250027 1 udp 2122260223 192.0.2.7 40001 typ host generation 0 network-id 1 network-cost 10\r
a=candidate:842163049 1 udp 1677729535 0a1b2c3d-0000-4000-8000-00000000abcd.local 40001 typ srflx raddr 0.0.0.0 rport 0 generation 0\r
a=ice-ufrag:Ab+/\r
a=ice-pwd:abcdefghijklmnopqrstuv+/\r
a=ice-options:trickle\r
a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}\r
a=setup:actpass\r
a=mid:0\r
a=sctp-port:5000\r
a=max-message-size:262144\r
`
/** As Firefox does. */
const FIREFOX = OFFER.replace('o=- ', 'o=mozilla...THIS_IS_SDPARTA-99.0 ')
  .replace('a=setup', 'a=sendrecv\r\na=end-of-candidates\r\na=setup')
  .replace('msid-semantic: WMS', 'msid-semantic:WMS *')

for (const [sdp, isOne, what] of [
  [OFFER, true, 'Chromium'],
  [FIREFOX, true, 'Firefox'],
  ['', false, 'nothing'],
  ['v=0', false, 'a head alone'],
  [OFFER.replace('m=application', 'm=audio'), false, 'sound'],
  [`${OFFER}m=video 9 UDP/TLS/RTP/SAVPF 96\r\n`, false, 'a picture beside it'],
  [`${OFFER}${OFFER.slice(OFFER.indexOf('m='))}`, false, 'two channels'],
  [`${OFFER}a=tool:meet me at the pier\r\n`, false, 'words'],
  [`${OFFER}a=mid:${'x'.repeat(40)}\r\n`, false, 'words in a name'],
  [OFFER.replace('s=-', `s=${'x'.repeat(40)}`), false, 'words in its title'],
  [OFFER.replace(/a=fingerprint.*\r\n/, ''), false, 'no key'],
  [`${OFFER}\u0000`, false, 'a nought'],
  [OFFER + 'a=sendrecv\r\n'.repeat(200), false, 'many lines'],
  [`${OFFER}${'a'.repeat(SDP_MOST)}`, false, 'more than there is to say'],
] as const)
  test(`${isOne ? 'passes on' : 'keeps back'} a description: ${what}`, () => assert.equal(isDataSession(sdp), isOne))

test('noise is no description, and takes no time', () => {
  fc.assert(fc.property(fc.string({ maxLength: 2_000 }), (text) => assert.equal(isDataSession(text), false)))
  fc.assert(
    fc.property(fc.nat(OFFER.length - 1), fc.string({ minLength: 1, maxLength: 40 }), (at, text) => {
      isDataSession(OFFER.slice(0, at) + text + OFFER.slice(at))
    }),
  )
})
