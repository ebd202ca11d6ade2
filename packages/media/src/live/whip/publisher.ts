import {
  GenericNack,
  type MediaStreamTrack,
  RTCPeerConnection,
  type RTCRtpReceiver,
  RTCRtpCodecParameters,
  ReceiverEstimatedMaxBitrate,
  RtcpPayloadSpecificFeedback,
  RtcpSrPacket,
  RtcpTransportLayerFeedback,
  type RtpPacket,
  useSdesMid,
} from 'werift'
import { writeAmf } from '../rtmp/amf0.ts'
import { AUDIO, DATA, type Sink, VIDEO } from '../rtmp/publisher.ts'
import type { Door } from './door.ts'
import { type Frame, Frames } from './frames.ts'
import { Jitter } from './jitter.ts'
import { SdpError, givenAnswer, takenOffer } from './sdp.ts'

const VIDEO_HZ = 90_000
const AUDIO_HZ = 48_000
const TICK_MS = 200
const ASK_KEY_MS = 1_000
const CONNECTED_MS = 10_000
/** One who sends nothing for so long is gone. */
const SILENT_MS = 10_000
/** One whose picture does not come, or stays away while sound goes on, begins again. */
const NO_PICTURE_MS = 15_000
/** What a browser may send at most, told as REMB: 6 Mbit/s, of 18 bits and an exponent. */
const REMB = { brMantissa: 187_500, brExp: 5 }
/** Picture and sound that are farther apart than this by their reports are left as they came. */
const MOST_SHIFT_MS = 2_000
/** RFC 7845, 5.1: two channels of 48 kHz. */
const OPUS_HEAD = Buffer.from('4f707573486561640102000080bb0000000000', 'hex')
const OPUS = Buffer.from('Opus')

const feedback = [{ type: 'nack', parameter: 'pli' }, { type: 'goog-remb' }]
const codecs = () => ({
  video: [
    new RTCRtpCodecParameters({
      mimeType: 'video/H264',
      clockRate: VIDEO_HZ,
      rtcpFeedback: feedback,
      parameters: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
    }),
    new RTCRtpCodecParameters({ mimeType: 'video/VP8', clockRate: VIDEO_HZ, rtcpFeedback: feedback }),
  ],
  audio: [new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: AUDIO_HZ, channels: 2 })],
})

type Needs = {
  door: Door
  addresses: readonly string[]
  port: number
  keyFrameSeconds: number
  /** Where what it sends goes to, once it is connected. */
  begin: (publisher: WhipPublisher) => Promise<Sink>
  closed: (publisher: WhipPublisher) => void
}

/**
 * One browser or encoder that sends by WebRTC. Its packets become messages as those of enhanced RTMP (version 2) are,
 * so that all behind them is the same.
 */
export class WhipPublisher {
  /** Its sound is not AAC: what it sends goes to ffmpeg as Matroska. */
  readonly isOpus = true
  readonly #needs: Needs
  readonly #pc: RTCPeerConnection
  readonly #audio = { jitter: new Jitter(), clock: new Clock(AUDIO_HZ), hasBegun: false }
  #video: Picture | null = null
  #entry: Disposable | null = null
  #sink: Sink | null = null
  #isFull = false
  #isClosed = false
  #heardAt = performance.now()
  #picturedAt = 0
  #began: number | null = null
  #shift: number | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(needs: Needs) {
    this.#needs = needs
    this.#pc = new RTCPeerConnection({
      iceLite: true,
      iceServers: [],
      iceUseIpv6: false,
      iceUseTcp: false,
      // The door leads here.
      iceInterfaceAddresses: { udp4: '127.0.0.1' },
      iceAdditionalHostAddresses: ['127.0.0.1'],
      bundlePolicy: 'max-bundle',
      codecs: codecs(),
      headerExtensions: { video: [useSdesMid()], audio: [useSdesMid()] },
    })
    this.#pc.connectionStateChange.subscribe((state) => {
      if (state === 'connected') void this.#begin()
      else if (state === 'failed' || state === 'closed' || state === 'disconnected') this.close()
    })
    this.#pc.onRemoteTransceiverAdded.subscribe((transceiver) => {
      // It takes `nack pli` for its own order to ask again, and counts through all numbers between two packets.
      Object.defineProperty(transceiver.receiver, 'nackEnabled', { value: undefined })
      transceiver.onTrack.subscribe((track) => this.#hear(track, transceiver.receiver))
    })
  }

  get isConnected(): boolean {
    return this.#sink !== null
  }

  /** The answer to an offer. @throws SdpError for one that is not taken */
  async answer(offer: string): Promise<{ sdp: string; name: string }> {
    const { door, addresses, port } = this.#needs
    const taken = takenOffer(offer)
    try {
      await this.#pc.setRemoteDescription({ type: 'offer', sdp: taken })
      await this.#pc.setLocalDescription(await this.#pc.createAnswer())
    } catch (error) {
      throw new SdpError('the library does not read it', { cause: error })
    }
    const { sdp, name, password, innerPort } = givenAnswer(this.#pc.localDescription?.sdp ?? '', addresses, { port })
    if (this.#isClosed || innerPort === 0 || name === '') throw new Error('no answer was made')
    this.#entry = door.admit(name, { port: innerPort, password })
    this.#heardAt = performance.now()
    this.#timer = setInterval(() => {
      try {
        this.#tick()
      } catch {
        this.close()
      }
    }, TICK_MS)
    return { sdp, name }
  }

  /** More may come: what was left out needs a key frame. */
  resume(): void {
    this.#isFull = false
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#timer)
    this.#sink?.gone()
    this.#sink = null
    // The other end is not told, for the library sends no alert: it misses our answers.
    this.#entry?.[Symbol.dispose]()
    void this.#pc.close().catch(() => {})
    this.#needs.closed(this)
  }

  async #begin(): Promise<void> {
    if (this.#sink !== null || this.#isClosed) return
    try {
      const sink = await this.#needs.begin(this)
      if (this.#isClosed) return sink.gone()
      this.#sink = sink
      this.#picturedAt = performance.now()
    } catch {
      this.close()
    }
  }

  #tick(): void {
    const now = performance.now()
    if (now - this.#heardAt > (this.#sink === null ? CONNECTED_MS : SILENT_MS)) return this.close()
    if (this.#sink === null) return
    if (now - this.#picturedAt > NO_PICTURE_MS) return this.close()
    this.#video?.tick(now)
  }

  #hear(track: MediaStreamTrack, receiver: RTCRtpReceiver): void {
    const codec = track.codec?.mimeType.toLowerCase() ?? ''
    if (track.kind === 'video')
      this.#video ??= new Picture(codec.endsWith('h264') ? 'h264' : 'vp8', receiver, this.#needs.keyFrameSeconds)
    const take = track.kind === 'video' ? this.#seen.bind(this) : this.#heard.bind(this)
    track.onReceiveRtp.subscribe((packet) => this.#guarded(() => take(packet)))
    track.onReceiveRtcp.subscribe((report) => {
      if (!(report instanceof RtcpSrPacket)) return
      const clock = track.kind === 'video' ? this.#video?.clock : this.#audio.clock
      clock?.report(report.senderInfo.ntpTimestamp, report.senderInfo.rtpTimestamp)
      this.#align()
    })
  }

  /** Whatever is sent wrongly ends this one alone. */
  #guarded(work: () => void): void {
    if (this.#isClosed) return
    try {
      this.#heardAt = performance.now()
      if (this.#sink !== null) work()
    } catch {
      this.close()
    }
  }

  /** Picture and sound have clocks of their own, which reports of the sender bring together: once, when both are known. */
  #align(): void {
    const [sound, picture] = [this.#audio.clock.behind, this.#video?.clock.behind ?? null]
    if (this.#shift !== null || sound === null || picture === null) return
    const shift = Math.round(picture - sound)
    this.#shift = Math.abs(shift) > MOST_SHIFT_MS ? 0 : shift
  }

  #tag(type: number, time: number, body: Buffer): boolean {
    this.#began ??= time
    // From the first on, with room for what comes before it, of 32 bits as RTMP has them.
    const at = Math.max(0, Math.round(time - this.#began) + MOST_SHIFT_MS) % 2 ** 32
    if (this.#sink?.tag(type, at, body) === false) this.#isFull = true
    return !this.#isFull
  }

  #heard(packet: RtpPacket): void {
    for (const { packet: one } of this.#audio.jitter.push(packetOf(packet), performance.now())) {
      const time = this.#audio.clock.at(one.time, performance.now())
      // Without a picture nothing is shown: what waits for it would be too much, and end the session.
      if (one.payload.length === 0 || this.#isFull || this.#video?.hasBegun !== true) continue
      if (!this.#audio.hasBegun) this.#tag(AUDIO, time, Buffer.concat([Buffer.from([0x90]), OPUS, OPUS_HEAD]))
      this.#audio.hasBegun = true
      this.#tag(AUDIO, time, Buffer.concat([Buffer.from([0x91]), OPUS, one.payload]))
    }
  }

  #seen(packet: RtpPacket): void {
    const picture = this.#video
    if (picture === null) return
    for (const frame of picture.push(packet)) {
      this.#picturedAt = performance.now()
      if (this.#isFull) {
        picture.frames.breakOff()
        continue
      }
      const time = picture.clock.at(frame.time, performance.now()) + (this.#shift ?? 0)
      for (const { type, body } of messagesOf(frame, picture)) this.#tag(type, time, body)
    }
  }
}

class Picture {
  readonly jitter = new Jitter()
  readonly clock = new Clock(VIDEO_HZ)
  readonly frames: Frames
  readonly codec: 'vp8' | 'h264'
  readonly #receiver: RTCRtpReceiver
  readonly #keyMs: number
  #ssrc: number | null = null
  #keyAskedAt = 0
  #keyAt = 0
  #rembAt = 0
  hasBegun = false

  constructor(codec: 'vp8' | 'h264', receiver: RTCRtpReceiver, keyFrameSeconds: number) {
    this.codec = codec
    this.frames = new Frames(codec)
    this.#receiver = receiver
    this.#keyMs = keyFrameSeconds * 1000
  }

  push(packet: RtpPacket): Frame[] {
    if (this.#ssrc === null) {
      this.#ssrc = packet.header.ssrc
      // The one it began with came before anybody took it.
      this.#askKey()
    }
    const now = performance.now()
    const frames: Frame[] = []
    for (const { packet: one, hasGap } of this.jitter.push(packetOf(packet), now)) {
      const frame = this.frames.take(one, hasGap)
      if (frame?.isKey === true) this.#keyAt = now
      if (frame) frames.push(frame)
    }
    const lost = this.jitter.missing(now)
    if (lost.length > 0)
      this.#send(
        (senderSsrc, mediaSourceSsrc) =>
          new RtcpTransportLayerFeedback({ feedback: new GenericNack({ senderSsrc, mediaSourceSsrc, lost }) }),
      )
    return frames
  }

  /** Key frames come as far apart as the stream has them, and at once where nothing can be shown without. */
  tick(now: number): void {
    const isDue = this.frames.needsKey || now - this.#keyAt >= this.#keyMs - TICK_MS
    if (isDue && now - this.#keyAskedAt >= Math.min(ASK_KEY_MS, this.#keyMs)) this.#askKey()
    if (now - this.#rembAt < ASK_KEY_MS) return
    this.#rembAt = now
    this.#send(
      (senderSsrc, mediaSsrc) =>
        new RtcpPayloadSpecificFeedback({
          feedback: new ReceiverEstimatedMaxBitrate({
            senderSsrc,
            mediaSsrc: 0,
            ssrcNum: 1,
            ssrcFeedbacks: [mediaSsrc],
            ...REMB,
          }),
        }),
    )
  }

  #askKey(): void {
    this.#keyAskedAt = performance.now()
    if (this.#ssrc !== null) void this.#receiver.sendRtcpPLI(this.#ssrc).catch(() => {})
  }

  #send(message: (sender: number, media: number) => RtcpTransportLayerFeedback | RtcpPayloadSpecificFeedback): void {
    if (this.#ssrc === null) return
    void this.#receiver.dtlsTransport.sendRtcp([message(this.#receiver.rtcpSsrc, this.#ssrc)]).catch(() => {})
  }
}

const packetOf = ({ header, payload }: RtpPacket) => ({
  sequence: header.sequenceNumber,
  time: header.timestamp,
  isLast: header.marker,
  payload: Buffer.from(payload),
})

/** How messages of a picture begin: VP8 as enhanced RTMP has it, H.264 as FLV did before. Nothing comes out of order. */
const beginOf = (codec: 'vp8' | 'h264', isKey: boolean, isHeader: boolean): Buffer =>
  codec === 'vp8'
    ? Buffer.concat([Buffer.from([(isKey ? 0x90 : 0xa0) | (isHeader ? 0 : 3)]), Buffer.from('vp08')])
    : Buffer.from([isKey ? 0x17 : 0x27, isHeader ? 0 : 1, 0, 0, 0])

/** What a picture is in messages: before the first its size and what its codec begins with. */
function* messagesOf(frame: Frame, picture: Picture): Generator<{ type: number; body: Buffer }> {
  if (!picture.hasBegun) {
    if (frame.size) yield { type: DATA, body: writeAmf('onMetaData', 0, { ...frame.size }) }
    const begin = beginOf(picture.codec, true, true)
    yield { type: VIDEO, body: Buffer.concat([begin, frame.config ?? Buffer.alloc(0)]) }
    picture.hasBegun = true
  }
  yield { type: VIDEO, body: Buffer.concat([beginOf(picture.codec, frame.isKey, false), frame.data]) }
}

/** Times of one track in ms: by when its first packet came, and how far that is from what its sender says. */
class Clock {
  readonly #hz: number
  #first: { rtp: number; at: number } | null = null
  #last = 0
  #passed = 0
  #behind: number | null = null

  constructor(hz: number) {
    this.#hz = hz
  }

  at(rtp: number, now: number): number {
    if (this.#first === null) {
      this.#first = { rtp, at: now }
      this.#last = rtp
    }
    this.#passed += (rtp - this.#last) | 0
    this.#last = rtp
    return this.#first.at + (this.#passed * 1000) / this.#hz
  }

  /** Of a sender report (RFC 3550, 6.4.1): its wall clock, of 32 bits of seconds and as many of parts. */
  report(ntp: bigint, rtp: number): void {
    if (this.#first === null || this.#behind !== null) return
    const said = Number(ntp >> 32n) * 1000 + (Number(ntp & 0xffffffffn) * 1000) / 2 ** 32
    const shown = this.#first.at + ((this.#passed + ((rtp - this.#last) | 0)) * 1000) / this.#hz
    this.#behind = said - shown
  }

  get behind(): number | null {
    return this.#behind
  }
}
