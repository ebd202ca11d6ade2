import { once } from 'node:events'
import net from 'node:net'

/** Where a door leads: a port of this machine, or a socket. */
export type Behind = { host: string; port: number } | { path: string }
export type Door = AsyncDisposable & { port: number }

/**
 * A balancer as simple as can be, at a port of this machine: each connection goes to the first of those behind that
 * takes it.
 */
export async function openDoor(port: number, behind: () => readonly Behind[]): Promise<Door> {
  const open = new Set<net.Socket>()
  const server = net.createServer((here) => {
    here.on('error', () => here.destroy())
    void lead(here, behind())
  })
  const lead = async (here: net.Socket, others: readonly Behind[]) => {
    open.add(here)
    here.once('close', () => open.delete(here))
    for (const other of others) {
      const there = net.connect(other)
      there.on('error', () => there.destroy())
      const [which] = (await Promise.race([
        once(there, 'connect').then(
          () => ['connect'],
          () => ['error'],
        ),
        once(there, 'close').then(() => ['close']),
      ])) as string[]
      if (which !== 'connect') continue
      here.once('close', () => there.destroy())
      there.once('close', () => here.destroy())
      here.pipe(there).pipe(here)
      return
    }
    here.destroy()
  }
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as net.AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
