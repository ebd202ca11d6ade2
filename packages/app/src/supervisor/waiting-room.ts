import {
  type Config,
  type HeldSockets,
  type ProcessIdentity,
  bindSocket,
  closeSocket,
  livesStill,
  membersOf,
  newSocket,
  wordsOf,
} from '@fairway/platform'
import type { RoleStatus } from './role-status.ts'

const LOOK_MS = 10
const SERVER = /\/serving\/main\.ts$/

/**
 * Where questions wait while no process answers DNS at all. Processes that answer have sockets of their own, and share
 * what comes as long as one of them lives; when the last is gone, its address is taken by a pair of sockets that the
 * next role was given as it began, still without an address. Its processes answer what has come meanwhile.
 */
export class WaitingRoom {
  readonly #config: Config
  #pair: { udp: number; tcp: number } | null = null
  #watching: NodeJS.Timeout | null = null
  #lastPid: number | null = null

  constructor(config: Config) {
    this.#config = config
  }

  /** A new pair, for a role that is about to begin. */
  sockets(): HeldSockets {
    this.#close()
    const at = this.#config.dnsListen
    const [udp, tcp] = [newSocket('datagram', at), newSocket('stream', at)]
    if (udp === null || tcp === null) return {}
    this.#pair = { udp, tcp }
    return { 'room udp': udp, 'room tcp': tcp }
  }

  /** To be told of every change of the role's state. */
  changed({ state, pid }: RoleStatus): void {
    if (state === 'running' || state === 'stopped') this.#stopWatching()
    if (state === 'running' || state === 'stopped') this.#close()
    if (state === 'starting' && this.#lastPid !== null) this.#watch(serversOf(this.#lastPid))
    if (pid !== null && state === 'running') this.#lastPid = pid
  }

  #watch(servers: ProcessIdentity[]): void {
    this.#stopWatching()
    const look = () => {
      if (servers.some(livesStill)) return
      this.#stopWatching()
      this.#open()
    }
    this.#watching = setInterval(look, LOOK_MS)
    look()
  }

  #open(): void {
    if (!this.#pair) return
    bindSocket(this.#pair.udp, 'datagram', this.#config.dnsListen, true)
    bindSocket(this.#pair.tcp, 'stream', this.#config.dnsListen, true)
  }

  #stopWatching(): void {
    if (this.#watching) clearInterval(this.#watching)
    this.#watching = null
  }

  /** The role has its own copies. */
  #close(): void {
    for (const fd of this.#pair ? [this.#pair.udp, this.#pair.tcp] : []) closeSocket(fd)
    this.#pair = null
  }
}

function serversOf(group: number): ProcessIdentity[] {
  return membersOf(group).filter(({ pid }) => wordsOf(pid).some((word) => SERVER.test(word)))
}
