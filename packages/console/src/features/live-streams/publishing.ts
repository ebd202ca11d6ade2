import { WHIP_PATH } from '@fairway/contract'

/** So long a stream waits for who sends: after that it has ended for its viewers. */
const GRACE_MS = 30_000
const CONNECTED_MS = 10_000
/** A line that is away for less is none of our business. */
const AWAY_MS = 3_000
const AGAIN_MS = 1_000
const NOTED_MS = 1_000
/** Our own that broke is gone from the stream by then: what is live longer is somebody else's. */
const OWN_GONE_MS = 14_000
const LOOK_MS = 2_000
/** A token is good for a minute. */
const TOKEN_MS = 45_000
const MOST_BITS = 5_000_000

/** Why nothing is sent: words of the role, or ours. */
const PUBLISH_PROBLEMS = ['away', 'off', 'too-many', 'no-room', 'key', 'offer', 'no-way', 'gone', 'other'] as const
export type PublishProblem = (typeof PUBLISH_PROBLEMS)[number]
/** `again`: it was on air, and is about to be again. */
export type PublishState = 'connecting' | 'live' | 'again' | 'over'

class Refusal extends Error {
  readonly why: PublishProblem
  constructor(why: PublishProblem) {
    super(why)
    this.why = why
  }
}

type Needs = {
  media: MediaStream
  /** Asked for anew when the one before is nearly over. */
  token: () => Promise<string>
  /** Whether the stream is live now, and by no test picture. */
  isLive: () => Promise<boolean>
  told: (state: PublishState, problem: PublishProblem | null) => void
}

/**
 * Sends a picture and sound by WHIP (RFC 9725) until it is stopped. Where the line or the other end goes away it begins
 * again by itself, in the same stream, as an encoder would.
 */
export class Publishing {
  readonly #needs: Needs
  #pc: RTCPeerConnection | null = null
  #token: { text: string; at: number } | null = null
  #session: { url: string; token: string } | null = null
  #isStopped = false
  /** Last noted while it was connected: the viewers' wait counts from there. */
  #liveAt: number | null = null

  constructor(needs: Needs) {
    this.#needs = needs
    window.addEventListener('pagehide', this.#leave)
    // As when somebody ends the sharing of a screen in the browser's own bar.
    for (const track of needs.media.getVideoTracks()) track.addEventListener('ended', () => this.stop())
    void this.#run()
  }

  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    window.removeEventListener('pagehide', this.#leave)
    this.#end()
    this.#needs.told('over', null)
  }

  readonly #leave = () => this.#end()

  #end(): void {
    this.#pc?.close()
    this.#pc = null
    const session = this.#session
    this.#session = null
    if (session)
      void fetch(session.url, {
        method: 'DELETE',
        keepalive: true,
        headers: { authorization: `Bearer ${session.token}` },
      }).catch(() => {})
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#needs.told(this.#liveAt === null ? 'connecting' : 'again', null)
      const problem = (await this.#isOthers()) ? 'other' : await this.#once()
      if (this.#isStopped) return
      this.#end()
      // What was never on air is told at once, and what stayed away too long.
      const isOver = this.#liveAt === null || this.#isTooLate()
      if (isOver || problem === 'off' || problem === 'key' || problem === 'other') return this.#fail(problem)
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }

  #isTooLate(): boolean {
    return this.#liveAt !== null && Date.now() - this.#liveAt > GRACE_MS
  }

  /** Two that begin again by themselves would put each other aside without end. */
  async #isOthers(): Promise<boolean> {
    if (this.#liveAt === null) return false
    for (let waited = 0; waited < OWN_GONE_MS && !this.#isStopped; waited += LOOK_MS) {
      if (!(await this.#needs.isLive().catch(() => false))) return false
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
    return true
  }

  /** Until it is called. What did not run for so long slept, as a laptop that is shut: that was not on air. */
  #noteLive(): () => void {
    this.#liveAt = Date.now()
    const timer = setInterval(() => {
      if (!this.#isTooLate()) this.#liveAt = Date.now()
    }, NOTED_MS)
    return () => clearInterval(timer)
  }

  #fail(problem: PublishProblem): void {
    this.#isStopped = true
    window.removeEventListener('pagehide', this.#leave)
    this.#needs.told('over', problem)
  }

  /** Until it is over, and why. */
  async #once(): Promise<PublishProblem> {
    const pc = new RTCPeerConnection()
    this.#pc = pc
    try {
      for (const track of this.#needs.media.getTracks()) await this.#add(pc, track)
      await this.#begin(pc)
      await connected(pc)
    } catch (error) {
      return error instanceof Refusal ? error.why : 'away'
    }
    if (this.#isStopped) return 'gone'
    this.#needs.told('live', null)
    const end = this.#noteLive()
    await broken(pc)
    end()
    return 'gone'
  }

  async #add(pc: RTCPeerConnection, track: MediaStreamTrack): Promise<void> {
    const { sender } = pc.addTransceiver(track, { direction: 'sendonly', streams: [this.#needs.media] })
    if (track.kind !== 'video') return
    // The stream has the size of its first picture: less of a line means fewer frames.
    const [encoding = {}] = sender.getParameters().encodings
    await sender
      .setParameters({
        ...sender.getParameters(),
        degradationPreference: 'maintain-resolution',
        encodings: [{ ...encoding, maxBitrate: MOST_BITS }],
      })
      .catch(() => {})
  }

  async #begin(pc: RTCPeerConnection): Promise<void> {
    await pc.setLocalDescription()
    if (this.#token === null || Date.now() - this.#token.at > TOKEN_MS)
      this.#token = { text: await this.#needs.token(), at: Date.now() }
    // It may have slept anywhere before.
    if (this.#isTooLate()) throw new Refusal('gone')
    const token = this.#token.text
    const answer = await fetch(WHIP_PATH, {
      method: 'POST',
      body: pc.localDescription?.sdp ?? '',
      headers: { 'content-type': 'application/sdp', authorization: `Bearer ${token}` },
    })
    if (answer.status !== 201) {
      const problem: unknown = await answer.json().catch(() => null)
      const why = typeof problem === 'object' && problem !== null && 'why' in problem ? problem.why : null
      throw new Refusal(PUBLISH_PROBLEMS.find((one) => one === why) ?? 'away')
    }
    this.#session = { url: answer.headers.get('location') ?? '', token }
    if (this.#isStopped) return this.#end()
    await pc.setRemoteDescription({ type: 'answer', sdp: await answer.text() })
  }
}

function connected(pc: RTCPeerConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Refusal('no-way')), CONNECTED_MS)
    const look = () => {
      if (pc.connectionState === 'connected') resolve()
      else if (pc.connectionState === 'failed' || pc.connectionState === 'closed') reject(new Refusal('no-way'))
      else return
      clearTimeout(timer)
    }
    pc.addEventListener('connectionstatechange', look)
    look()
  })
}

/** When nothing arrives at the other end any more, or that has left, which it does not say. */
function broken(pc: RTCPeerConnection): Promise<void> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      clearTimeout(timer)
      if (pc.connectionState === 'failed' || pc.connectionState === 'closed') resolve()
      else if (pc.connectionState === 'disconnected') timer = setTimeout(resolve, AWAY_MS)
    }
    pc.addEventListener('connectionstatechange', look)
    look()
  })
}
