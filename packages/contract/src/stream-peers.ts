import { z } from 'zod'
import { feature, get, put } from './route.ts'

/** Views of one group, as their players told. */
export const PeerGroup = z.object({
  views: z.int(),
  stalledViews: z.int(),
  watchedMs: z.number(),
  stalledMs: z.number(),
  /** Share of time that viewers waited, of waiting and watching together; null when nothing is known. */
  rebufferPercent: z.number().nullable(),
})
export type PeerGroup = z.infer<typeof PeerGroup>

/** Why it was switched off by itself: how it played for who had peers, and for who had none. */
export const PeerStop = z.object({ at: z.iso.datetime(), peers: PeerGroup, control: PeerGroup })
export type PeerStop = z.infer<typeof PeerStop>

/** Peers of one video or live stream. */
export const StreamPeers = z.object({
  isOn: z.boolean(),
  /** Also while signing is on: who gets segments from a peer shows no token to anybody. */
  withSigned: z.boolean(),
  /** `resting`: on, and signing is on without it; `stopped`: viewers waited more with peers than without. */
  state: z.enum(['off', 'on', 'resting', 'stopped']),
  stop: PeerStop.nullable(),
  /** Of a hundred sessions so many run without peers, to compare with. */
  controlPercent: z.int(),
  /** Views of each group below which nothing is concluded. */
  leastViews: z.int(),
  /** For the page: where the player asks for its peers, and the script that does. */
  address: z.string(),
  script: z.string(),
  integrity: z.string(),
})
export type StreamPeers = z.infer<typeof StreamPeers>

/** What players told since it was switched on, a day back at most. */
export const PeerFigures = z.object({
  since: z.iso.datetime(),
  /** Who shares now: of whom was heard within the last seconds. */
  sharing: z.int(),
  peerBytes: z.number(),
  cdnBytes: z.number(),
  /** Of all bytes of segments, in sessions with peers; null when there were none. */
  peerPercent: z.number().nullable(),
  /** Pieces that were not what we said they are, and were thrown away. */
  refusedPieces: z.int(),
  peers: PeerGroup,
  control: PeerGroup,
  /** `unknown`: too few views to tell. */
  verdict: z.enum(['unknown', 'harmless', 'harmful']),
})
export type PeerFigures = z.infer<typeof PeerFigures>

const AT = '/vsp/v2/peers/{source}/'
const READ = { permission: 'ViewSite', planFeature: 'vsp.enable' } as const

/** Viewers of a video or live stream (`{source}`) that pass segments to each other. */
export const streamPeers = feature('stream-peers', {
  get: get(AT, { out: StreamPeers, ...READ, errors: [] }),
  set: put(AT, {
    in: z.object({ isOn: z.boolean(), withSigned: z.boolean().default(false) }),
    out: StreamPeers,
    permission: 'EditSite',
    planFeature: 'vsp.enable',
    errors: [],
    audit: 'stream-peers.set',
    changes: ['stream-peers'],
    summary: 'Lets viewers pass segments to each other. They learn each other’s addresses.',
  }),
  figures: get(`${AT}figures/`, { fromReplica: true, out: PeerFigures, ...READ, errors: [503] }),
})
