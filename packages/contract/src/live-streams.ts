import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { ListQuery, del, feature, get, page, patch, post, put } from './route.ts'

/**
 * As computed from what the role reports: -1 it did not take the stream in within 30 minutes, 0 taking it in, 1 off, 2
 * on, and waiting for a machine, 3 on: whoever has the key can send, 4 being switched on, 5 being switched off. It can
 * be switched in 1 and 3 only.
 */
export const TranscoderStatus = z.union([
  z.literal(-1),
  z.literal(0),
  z.literal(1),
  z.literal(2),
  z.literal(3),
  z.literal(4),
  z.literal(5),
])
export type TranscoderStatus = z.infer<typeof TranscoderStatus>

/** What an encoder sends, as measured over the last seconds; null is unknown. */
export const LiveInput = z.object({
  /** `lost`: it went away, and goes on in the same stream when it is back soon; `ended`: it stayed away. */
  state: z.enum(['live', 'lost', 'ended']),
  since: z.iso.datetime(),
  /** Bit/s. */
  bitrate: z.int().nullable(),
  fps: z.number().nullable(),
  /** Between the last two key frames, in seconds. */
  keyFrameSeconds: z.number().nullable(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  hasAudio: z.boolean().nullable(),
  /** Percent of the frames of the last seconds that did not come. */
  droppedPercent: z.number().nullable(),
  /** Milliseconds that sound is shorter than its own clock says, over some minutes; below 0 when it is longer. */
  audioDriftMs: z.int().nullable(),
  /** Of the encoding here: 1 is real time. */
  speed: z.number().nullable(),
  /** Why it is not encoded: one of `LIVE_PROBLEMS`, or the words of the program that refused it; empty while it is. */
  problem: z.string(),
  /** It is a test picture of ours, and no encoder. */
  isTest: z.boolean(),
})
export type LiveInput = z.infer<typeof LiveInput>

/**
 * Codecs that are not taken; no place is left on the machine that encodes, or no room on its disk; and why nothing is
 * fetched from an origin: its address is not one of the internet, it does not answer, what it answers is no playlist that
 * is taken, is encrypted, has sound or segments in pieces elsewhere, or is too large.
 */
export const LIVE_PROBLEMS = [
  'video-codec',
  'audio-codec',
  'too-many',
  'no-room',
  'origin-address',
  'origin-silent',
  'origin-playlist',
  'origin-encrypted',
  'origin-split',
  'origin-large',
] as const

/** What to change in the encoder that sends. */
export const InputAdvice = z.enum([
  'no-audio',
  'key-frames-far',
  'bitrate-low',
  'bitrate-high',
  'frame-rate-low',
  'frames-dropped',
  'audio-drift',
  'encoding-slow',
])
export type InputAdvice = z.infer<typeof InputAdvice>

export const LiveLatency = z.enum(['low', 'normal'])
export type LiveLatency = z.infer<typeof LiveLatency>

/**
 * What is kept of a broadcast: `running` while it is on, `sealed` when it is whole and about to be a video, `kept` when
 * it is one; `refused`: none could be begun.
 */
export const LiveRecording = z.object({
  id: z.string(),
  state: z.enum(['running', 'sealed', 'kept', 'refused']),
  /**
   * Why it ended early or was refused: the disk is full, the organisation has as many videos and streams as it may, or
   * it was long enough and went on in another. Empty when it was meant to end.
   */
  reason: z.enum(['', 'disk-full', 'no-source', 'long']),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  seconds: z.number(),
  bytes: z.int(),
  /** The video that it became; null before, and when that was removed. */
  asset: z.object({ id: z.string(), name: z.string() }).nullable(),
})
export type LiveRecording = z.infer<typeof LiveRecording>

/** `rtmp`: an encoder sends; `hls`: it is fetched from an origin. */
export const LiveProtocol = z.enum(['rtmp', 'hls'])
export type LiveProtocol = z.infer<typeof LiveProtocol>

/** A playlist of HLS somewhere else. Names and passwords do not stand in it. */
export const OriginUrl = z
  .string()
  .trim()
  .max(2_000)
  .refine((text) => {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' && !url.username && !url.password
  }, 'validation.url')

export const LiveStream = z.object({
  id: z.string(),
  name: z.string(),
  protocol: LiveProtocol,
  /** Where it is fetched from, without what stands behind a question mark, which may be a secret; null for RTMP. */
  originUrl: z.string().nullable(),
  latency: LiveLatency,
  /** Distance of key frames, and so the length of segments, at normal latency. */
  keyFrameSeconds: z.int(),
  rewindSeconds: z.int(),
  /** Every broadcast becomes a video, from when this was switched on. */
  isRecorded: z.boolean(),
  transcoderStatus: TranscoderStatus,
  /** Since when whoever has the key can send; null while it is off. */
  runningSince: z.iso.datetime().nullable(),
  /** Where the encoder sends to; the key is the stream's name there. */
  inputUrl: z.string(),
  /** Browsers and encoders may send by WebRTC as well, at `/whip` of console and API. */
  hasWhip: z.boolean().default(false),
  keyMadeAt: z.iso.datetime(),
  input: LiveInput.nullable(),
  advice: z.array(InputAdvice),
  renditions: z.array(z.object({ name: z.string(), width: z.int(), height: z.int() })),
  /** HLS under the edge; null until there is something to play. */
  outputUrl: z.string().nullable(),
  /** The same by MPEG-DASH. */
  dashUrl: z.string().nullable(),
  /** That address needs a token: signing is on. */
  isSigned: z.boolean(),
  /** The same for the console's own player, with a token of some hours while signing is on. */
  previewUrl: z.string().nullable(),
  /** When viewers last asked for it, to the minute; null when none has yet. */
  askedAt: z.iso.datetime().nullable(),
  /** A test picture is sent while no encoder does; `until` is null for one that stays. */
  test: z.object({ until: z.iso.datetime().nullable() }).nullable(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
})
export type LiveStream = z.infer<typeof LiveStream>

const Name = z.string().trim().min(1, 'validation.required').max(100)
const KeyFrameSeconds = z.int().min(LIMITS.keyFrameSeconds.min).max(LIMITS.keyFrameSeconds.max)
const RewindSeconds = z.int().min(LIMITS.rewindSeconds.min).max(LIMITS.rewindSeconds.max)

export const LiveStreamInput = z
  .object({
    name: Name,
    protocol: LiveProtocol.default('rtmp'),
    originUrl: OriginUrl.nullable().default(null),
    latency: LiveLatency.default('normal'),
    keyFrameSeconds: KeyFrameSeconds.default(2),
    rewindSeconds: RewindSeconds.default(1_800),
    isRecorded: z.boolean().default(false),
  })
  .refine(({ protocol, originUrl }) => (protocol === 'hls') === (originUrl !== null), {
    path: ['originUrl'],
    message: 'validation.required',
  })
export type LiveStreamInput = z.infer<typeof LiveStreamInput>

/**
 * What is left out stays. Name and window change at any time; latency, key-frame interval and the address of the origin
 * are of a whole broadcast, and change while the transcoder is off.
 */
export const LiveStreamChange = z
  .object({
    name: Name,
    originUrl: OriginUrl,
    latency: LiveLatency,
    keyFrameSeconds: KeyFrameSeconds,
    rewindSeconds: RewindSeconds,
  })
  .partial()
export type LiveStreamChange = z.infer<typeof LiveStreamChange>

const READ = { permission: 'ViewSite', planFeature: 'vsp.enable', errors: [] } as const
const EDIT = { permission: 'EditSite', planFeature: 'vsp.enable', changes: [] } as const

/** Who may spend nothing, or has a plan without video, switches off all the same. */
const isOn = ({ on }: Record<string, unknown>): boolean => on === true

/** Where browsers and encoders begin to send by WebRTC (WHIP, RFC 9725), beside console and API. */
export const WHIP_PATH = '/whip'

/** Streams that an encoder sends by RTMP, or that are fetched from an origin, and viewers get by HLS. */
export const liveStreams = feature('live-streams', {
  list: get('/vsp/v2/live-streams/', {
    fromReplica: true,
    in: ListQuery,
    out: page(LiveStream).extend({ limit: z.int(), canEncode: z.boolean() }),
    ...READ,
  }),
  get: get('/vsp/v2/live-streams/{id}/', { out: LiveStream, ...READ }),
  create: post('/vsp/v2/live-streams/', {
    in: LiveStreamInput,
    out: z.object({ data: LiveStream, key: z.string().nullable() }),
    ...EDIT,
    errors: [30004, 30014, 920901],
    lasting: true,
    audit: 'live-stream.create',
    spends: true,
    summary: 'Makes a stream. Its key is answered once and kept as a hash; one that is fetched (HLS) has none.',
  }),
  update: patch('/vsp/v2/live-streams/{id}/', {
    in: LiveStreamChange,
    out: LiveStream,
    ...EDIT,
    errors: [30014, 30028],
    audit: 'live-stream.update',
    summary: 'Changes what is given. What is of a whole broadcast is refused unless the transcoder is off.',
  }),
  rotateKey: post('/vsp/v2/live-streams/{id}/key/', {
    out: z.object({ data: LiveStream, key: z.string() }),
    ...EDIT,
    errors: [],
    lasting: true,
    audit: 'live-stream.rotate-key',
    summary: 'Makes another key; the old one counts no more, and who sends with it is cut off.',
  }),
  setTranscoder: put('/vsp/v2/live-streams/{id}/transcoder/', {
    in: z.object({ on: z.boolean() }),
    out: LiveStream,
    ...EDIT,
    errors: [30003],
    audit: 'live-stream.transcoder',
    spends: isOn,
    summary: 'Switches the transcoder. Refused unless it is off or running.',
  }),
  setRecording: put('/vsp/v2/live-streams/{id}/recording/', {
    in: z.object({ on: z.boolean() }),
    out: LiveStream,
    ...EDIT,
    errors: [],
    audit: 'live-stream.recording',
    spends: isOn,
    summary: 'Switches recording. What was kept of a broadcast becomes a video when it ends, or this is switched off.',
  }),
  setTest: put('/vsp/v2/live-streams/{id}/test/', {
    in: z.object({ on: z.boolean() }),
    out: LiveStream,
    ...EDIT,
    errors: [30029],
    audit: 'live-stream.test',
    spends: isOn,
    summary: 'Sends a test picture for five minutes in place of an encoder, to one stream of the organisation.',
  }),
  publish: post('/vsp/v2/live-streams/{id}/publish/', {
    out: z.object({ token: z.string(), until: z.iso.datetime() }),
    ...EDIT,
    errors: [30029],
    audit: 'live-stream.publish',
    spends: true,
    summary:
      'A token of a minute, as Bearer of WHIP (RFC 9725) at /whip in place of the key: whoever has it begins to send to this stream.',
  }),
  recordings: get('/vsp/v2/live-streams/{id}/recordings/', {
    fromReplica: true,
    out: z.object({ data: z.array(LiveRecording).max(LIMITS.recordingsShown) }),
    ...READ,
    summary: 'The last recordings, newest first.',
  }),
  remove: del('/vsp/v2/live-streams/{id}/', {
    out: z.object({ id: z.string() }),
    permission: 'EditSite',
    changes: [],
    errors: [],
    makesRoom: true,
    audit: 'live-stream.remove',
    summary: 'Ends and removes the stream, and what the edge holds of it.',
  }),
})
