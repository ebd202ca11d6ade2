import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { HostPort } from '@fairway/platform'

/** How TCP waits before it sends again what was lost (RFC 6298): doubled each time. */
const RETRY_MS = [200, 400, 800, 1600]

export type LineState = 'well' | 'cut' | 'lossy'

export type BadLine = Disposable & {
  /** Chunks that were lost at least once. */
  lost(): number
  /** `cut`: what goes along it ends, and nobody gets through. `lossy`: every second packet is lost and sent again. */
  become(state: LineState): void
}

/** The line between nodes and API: passes TCP on to `target`, as well as its state lets it. */
export async function openLine(at: HostPort, target: HostPort): Promise<BadLine> {
  let state: LineState = 'well'
  let lost = 0
  const open = new Set<net.Socket>()
  const server = net.createServer({ allowHalfOpen: true }, (near) => {
    if (state === 'cut') return void near.resetAndDestroy()
    const far = net.connect({ host: target.host, port: target.port, allowHalfOpen: true })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      void pass(from, to)
      from.on('error', () => to.destroy()).on('close', () => (open.delete(from), to.destroy()))
    }
  })
  const pass = async (from: net.Socket, to: net.Socket) => {
    try {
      for await (const chunk of from) {
        for (const ms of state === 'lossy' ? RETRY_MS : []) {
          if (Math.random() < 0.5) break
          lost++
          await delay(ms)
        }
        if (!to.write(chunk as Buffer)) await new Promise((resolve) => to.once('drain', resolve).once('close', resolve))
      }
      to.end()
    } catch {
      // It was cut.
    }
  }
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at.port, at.host, () => resolve()))
  return {
    lost: () => lost,
    become(next) {
      state = next
      if (state === 'cut') for (const socket of open) socket.resetAndDestroy()
    },
    [Symbol.dispose]() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
