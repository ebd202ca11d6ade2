import type { WhyManyQuestion, WhyQuestion } from '@fairway/contract'
import type { Config, HostPort, LogFields, Pem } from '@fairway/platform'
import type { Notice, Request } from '../builder/messages.ts'
import type { Taken } from '../listen/listen.ts'
import type { Room } from '../listen/waiting-room.ts'
import type { Choice } from '../steering/steering.ts'
import type { Figures } from './figures.ts'

/** What a server hears first: its place among the processes that answer, and where they do so. */
export type Start = {
  kind: 'start'
  config: Config
  /** From 0 to one less than all processes that answer. */
  number: number
  takes: Taken
  /** Processes that take the same, this one among them, and all that answer. */
  sharers: number
  processes: number
  at: HostPort
  tls: HostPort | null
  https: HostPort | null
  /** Whether the addresses are shared with other processes. */
  shared: boolean
  transport: Config['dnsTransport']
  /** The certificate that the node made for itself; null where nothing is encrypted. */
  own: Pem | null
  /** Base64. */
  ticketKeys: string
  /** A socket in which questions may be waiting since before anybody answered; null for most. */
  room: Room | null
}

/** What is asked of a server. */
export type Question =
  | { kind: 'request'; request: Request }
  | { kind: 'why'; question: WhyQuestion }
  | { kind: 'explain-many'; question: WhyManyQuestion }
  /** By which measurements the name is decided: epoch ms. */
  | { kind: 'measured-at'; name: string }
  | { kind: 'figures' }

export type ToServer =
  | Start
  | (Question & { id: number })
  /** `now` is when the manager heard it: all servers decide as of the same moment. */
  | { kind: 'notice'; notice: Notice; now: number }
  /** Once a second; the server answers with a beat. */
  | { kind: 'tick'; now: number }
  /** What the server of that number has chosen for visitors. */
  | { kind: 'chosen'; by: number; choices: Choice[] }
  /** To end at once, with the whole node. */
  | { kind: 'stop' }

export type FromServer =
  | { kind: 'listening' }
  /** It cannot start; `sentence` is for the person who started the product, when they can mend it. */
  | { kind: 'failed'; reason: string; sentence: string | null }
  | { kind: 'reply'; id: number; value: unknown }
  /** `status` is that of a control route. */
  | { kind: 'refusal'; id: number; status: number; message: string }
  | { kind: 'beat'; figures: Figures }
  | { kind: 'chosen'; choices: Choice[] }
  /** A zone that is kept elsewhere has changed there. */
  | { kind: 'noticed'; zoneId: string }
  | { kind: 'logged'; fields: LogFields; error: { name: string; message: string; stack: string } | null }

/** How a server speaks with the process that started it. */
export type Tell = (message: FromServer) => void
