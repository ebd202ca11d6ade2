import { z } from 'zod'
import { HostName } from './formats/fqdn.ts'
import { IpAddress } from './formats/cidr.ts'
import { Visitor } from './geography.ts'
import { LIMITS } from './limits.ts'
import { feature, get, post, put } from './route.ts'
import { Decision } from './steering.ts'

/** `weights`: shares by weight among those that are alive. `measured`: the fastest where the viewer is, else weights. */
export const BalancerMode = z.enum(['weights', 'measured'])
export type BalancerMode = z.infer<typeof BalancerMode>

/**
 * A CDN of the organisation, a host name outside, or a CDN with the host name that the customer has there. Our edge and
 * the simulated CDNs get a host name from us, so none may be given.
 */
export const BalancerEntryInput = z.object({
  cdnId: z
    .string()
    .regex(/^[a-z0-9-]{1,63}$/, 'validation.invalid')
    .nullable(),
  host: HostName.nullable(),
  weight: z.int().min(LIMITS.streamWeight.min).max(LIMITS.streamWeight.max),
  enabled: z.boolean(),
})
export type BalancerEntryInput = z.infer<typeof BalancerEntryInput>

/** Above the limit a code of its own is answered; this only bounds what is read. */
const ENTRIES_READ = 5 * LIMITS.streamCdns
const Entries = z.array(BalancerEntryInput).min(1, 'validation.required').max(ENTRIES_READ)

export const BalancerInput = z.object({ isOn: z.boolean(), mode: BalancerMode, entries: Entries })
export type BalancerInput = z.infer<typeof BalancerInput>

export const BalancerEntry = BalancerEntryInput.extend({
  /** What players call it. */
  pathway: z.string(),
  /** Where it is asked. */
  host: z.string(),
  name: z.string(),
  /** Site of the organisation that the host name belongs to. */
  siteName: z.string().nullable(),
  /** `off` while the balancer or the entry is; else whether the nodes have taken it in. */
  state: z.enum(['off', 'in-progress', 'completed', 'failed']),
  /** By probes; `unknown` when none has looked. */
  health: z.enum(['up', 'down', 'returning', 'unknown']),
})
export type BalancerEntry = z.infer<typeof BalancerEntry>

export const Balancer = z.object({
  isOn: z.boolean(),
  mode: BalancerMode,
  entries: z.array(BalancerEntry),
  /** Seconds after which a player asks again. */
  ttlSeconds: z.int(),
  /** Where players ask; null while it is off. */
  serverUrl: z.string().nullable(),
  /** What may be added; `host` is the name that we give it, null where the customer has to tell one. */
  choices: z.array(z.object({ cdnId: z.string(), name: z.string(), host: z.string().nullable() })),
  limit: z.int(),
})
export type Balancer = z.infer<typeof Balancer>

export const BalancerShares = z.object({
  sessions: z.int(),
  /** Where each session would begin. */
  shares: z.array(z.object({ pathway: z.string(), sessions: z.int(), percent: z.number() })),
  /** Null: nothing was taken to be known of the viewers. */
  visitor: Visitor.nullable(),
  /** When measurements were made, epoch ms; null when there are none. */
  measuredAt: z.number().nullable(),
})
export type BalancerShares = z.infer<typeof BalancerShares>

/** Twelve random bytes each; a session also carries its place in the draw. */
export const SessionId = z.string().regex(/^[0-9a-f]{24}$/, 'validation.invalid')
export const DecisionId = z.string().regex(/^[\w-]{16}$/, 'validation.invalid')

/** Asked of a collector's control socket: what was this viewer answered, or what would one at this address be. */
export const PathwayQuestion = z.object({
  balancerId: z.uuid(),
  decision: DecisionId.optional(),
  session: SessionId.optional(),
  client: IpAddress.optional(),
})
export type PathwayQuestion = z.infer<typeof PathwayQuestion>

export const PathwayAnswer = z.object({
  /** Null when nobody was answered: the question was about an address. */
  decisionId: z.string().nullable(),
  session: z.string().nullable(),
  /** Best first, as the player was told. By address: without the session's draw. */
  priority: z.array(z.string()),
  /** Of an answer that was given, the address is cut to /24 or /48. */
  visitor: Visitor,
  decision: Decision,
  decidedAt: z.number(),
  /** What the player said of itself: where it is, and bit/s that it reaches. Nobody else's answer hangs on it. */
  said: z.object({ pathway: z.string().nullable(), throughput: z.int().nullable() }),
  node: z.string(),
})
export type PathwayAnswer = z.infer<typeof PathwayAnswer>

const READ = { permission: 'ViewSite', planFeature: 'vsp.enable' } as const

/** `{source}` is a live stream, or `assets` for all uploaded videos of the organisation. */
export const streamBalancers = feature('stream-balancers', {
  get: get('/vsp/v2/balancers/{source}/', { out: Balancer, ...READ, errors: [] }),
  set: put('/vsp/v2/balancers/{source}/', {
    in: BalancerInput,
    out: Balancer,
    permission: 'EditSite',
    planFeature: 'vsp.enable',
    errors: [30005, 30006, 30015],
    audit: 'stream-balancer.set',
    changes: ['stream-balance', 'edge-site', 'probe-targets'],
    summary: 'Sets the CDNs that players are steered between by HLS content steering.',
  }),
  simulate: post('/vsp/v2/balancers/{source}/simulate/', {
    in: z.object({ mode: BalancerMode, entries: Entries, client: IpAddress.optional() }),
    out: BalancerShares,
    ...READ,
    errors: [30005, 30006],
    audit: null,
    changes: [],
    summary: 'What 1,000 sessions would get from such a balancer, by the measurements of now.',
  }),
  why: get('/vsp/v2/balancers/{source}/why/', {
    in: z.object({
      decision: DecisionId.optional(),
      session: SessionId.optional(),
      client: IpAddress.optional(),
    }),
    out: PathwayAnswer.extend({ by: z.enum(['collector', 'api']) }),
    ...READ,
    errors: [30016],
    summary: 'Which pathway a viewer got, and why: by decision, by session, or by address.',
  }),
})

/**
 * The same playlist through our edge alone, whatever balancer is on: what the console plays, which loads nothing from
 * elsewhere.
 */
export const plainPlaylistUrl = (url: string): string => url.replace(/master\.m3u8$/, 'plain.m3u8')

/** Where players ask a collector for their order of pathways. */
export const steeringPath = (balancerId: string): string => `/steer/${balancerId}`
