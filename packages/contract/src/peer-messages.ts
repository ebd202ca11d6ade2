import { z } from 'zod'

/** Names a member of a room by chance, for as long as it is in. */
export const PeerId = z.string().regex(/^[0-9a-f]{16}$/)
const Description = z.string().min(1).max(6_000)

/** What a player says in its room: a session for a peer that it was introduced to, or that it wants more of them. */
export const PeerMessage = z.discriminatedUnion('t', [
  z.strictObject({ t: z.literal('offer'), to: PeerId, s: Description }),
  z.strictObject({ t: z.literal('answer'), to: PeerId, s: Description }),
  z.strictObject({ t: z.literal('more') }),
])
export type PeerMessage = z.infer<typeof PeerMessage>

/** What it is told: whom to offer a session to, and what others offer and answer. */
export type RoomMessage =
  | { t: 'peers'; p: string[] }
  | { t: 'offer'; from: string; s: string }
  | { t: 'answer'; from: string; s: string }

/** What is answered to a player that asks for its peers. */
export type PeerRoom =
  | { on: false }
  | { on: true; group: 'control' }
  | { on: true; group: 'peers'; room: string; stun: string[] }

/** Why a room closes a connection (RFC 6455 7.4.2). */
export const PEER_CLOSE = { off: 4001, rude: 4008 } as const
