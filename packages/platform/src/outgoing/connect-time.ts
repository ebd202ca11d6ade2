import net from 'node:net'
import type { Peer } from './peer.ts'

/** What a connection to a checked address takes, ms; null when there is none in that time. Nothing is sent. */
export async function connectTime(peer: Peer, timeoutMs: number): Promise<number | null> {
  const began = performance.now()
  const isThere = await new Promise<boolean>((resolve) => {
    const socket = net.connect(peer.port, peer.host)
    const end = (said: boolean) => {
      socket.destroy()
      resolve(said)
    }
    socket.setTimeout(timeoutMs, () => end(false))
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
  return isThere ? performance.now() - began : null
}
