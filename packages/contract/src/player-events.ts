import { z } from 'zod'

/** What a player tells of; `beat` says that it plays on. */
export const PLAYER_EVENTS = ['start', 'first', 'stall', 'resume', 'quality', 'error', 'beat', 'steer', 'end'] as const
export type PlayerEventKind = (typeof PLAYER_EVENTS)[number]

/** Names a view by chance: it is made by the player, and says nothing of the viewer. */
export const ViewId = z.string().regex(/^[0-9a-f]{24}$/, 'validation.invalid')

const Milliseconds = z.int().min(0).max(600_000)
const Bytes = z.int().min(0).max(500_000_000)
const Kilobits = z.int().min(0).max(10_000_000)

/** One thing that happened. What is not known is absent. */
export const PlayerEvent = z.strictObject({
  k: z.enum(PLAYER_EVENTS),
  /** How long before it was sent, ms. */
  a: z.int().min(0).max(120_000),
  /** Watched since the event before, ms of the viewer's clock while the picture moved. */
  w: z.int().min(0).max(120_000).optional(),
  /** Start-up time of `first`, length of the stall that `resume` ends. */
  m: Milliseconds.optional(),
  /** Place in the video, ms. */
  p: z.int().min(0).max(31_536_000_000).optional(),
  /** How much of all that was seen, in percent; a live stream has no end, so none is told. */
  r: z.int().min(0).max(100).optional(),
  /** Bit rate of what is played, kbit/s. */
  b: Kilobits.optional(),
  /** Lines of the picture. */
  h: z.int().min(0).max(10_000).optional(),
  /** Pathway that the last segment came by. */
  c: z
    .string()
    .regex(/^[\w.-]{1,128}$/)
    .optional(),
  /** Buffered ahead, ms. */
  l: Milliseconds.optional(),
  /** Throughput as the player measured it, kbit/s. */
  t: Kilobits.optional(),
  /** Seconds since the newest segment of a live stream was made; told with stalls. */
  g: Milliseconds.optional(),
  /** What failed, in the player's words. */
  x: z
    .string()
    .regex(/^[\w.-]{1,48}$/)
    .optional(),
  /** It could not go on. */
  f: z.literal(1).optional(),
  /** Session of content steering. */
  s: z
    .string()
    .regex(/^[0-9a-f]{24}$/)
    .optional(),
  /** Whether the session has peers, or is one of those without that they are compared with. */
  o: z.enum(['peers', 'control']).optional(),
  /** Bytes of segments since the event before, from peers and from the CDN. */
  u: Bytes.optional(),
  d: Bytes.optional(),
  /** Pieces of peers that were not what they should be. */
  z: z.int().min(0).max(1_000).optional(),
})
export type PlayerEvent = z.infer<typeof PlayerEvent>

/** What the player's script posts to the address that it was given for one video. No cookie, no identifier of people. */
export const PlayerPost = z.strictObject({
  v: z.literal(1),
  /** The view. */
  i: ViewId,
  /** Number of the post within the view: one that comes again is not counted again. */
  n: z.int().min(0).max(1_000_000),
  /** Which player, such as `hls.js-1.7.4`. */
  p: z.string().regex(/^[\w.-]{1,32}$/),
  e: z.array(PlayerEvent).min(1).max(64),
})
export type PlayerPost = z.infer<typeof PlayerPost>

/** Common Media Client Data of one request for a segment (CTA-5004), as far as it is kept. */
export const Cmcd = z.object({
  /** Session: of players with our script the view. */
  sid: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .optional(),
  ot: z.enum(['m', 'a', 'v', 'av', 'i', 'c', 'tt', 'k', 'o']).optional(),
  /** kbit/s of the segment, of the best there is, and as measured. */
  br: Kilobits.optional(),
  tb: Kilobits.optional(),
  mtp: Kilobits.optional(),
  /** Length of the segment, buffered ahead, and how soon it is needed; ms. */
  d: Milliseconds.optional(),
  bl: Milliseconds.optional(),
  dl: Milliseconds.optional(),
  /** The buffer has run dry since the last request. */
  bs: z.literal(true).optional(),
  /** Wanted at once: the player begins, seeks or has stalled. */
  su: z.literal(true).optional(),
})
export type Cmcd = z.infer<typeof Cmcd>
