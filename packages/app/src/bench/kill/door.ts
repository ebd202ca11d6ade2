import { once } from 'node:events'
import net from 'node:net'

/** Where a door leads: a port of this machine, or a socket. */
export type Behind = { host: string; port: number } | { path: string }
export type Door = AsyncDisposable & { port: number }

/** How often whoever is behind is asked whether he is well, and how long he may take. */
const LOOK_MS = 500
const ANSWER_MS = 1_500

/**
 * A balancer as simple as can be, at a port of this machine: each connection goes to the first of those behind that is
 * well. A dead role is no closed port, for its supervisor holds the socket and connections wait: so each is asked by
 * `healthPath`, where one is named, as balancers do, and loses its connections when it does not answer.
 */
export async function openDoor(
  port: number,
  behind: readonly Behind[],
  healthPath: string | null = null,
): Promise<Door> {
  const open = new Map<Behind, Set<net.Socket>>(behind.map((one) => [one, new Set()]))
  const ill = new Set<Behind>()
  const look = async (one: Behind) => {
    if (healthPath === null || 'path' in one) return
    const isWell = await fetch(`http://${one.host}:${one.port}${healthPath}`, {
      signal: AbortSignal.timeout(ANSWER_MS),
    }).then(
      async (response) => (await response.arrayBuffer(), response.ok),
      () => false,
    )
    if (isWell) return void ill.delete(one)
    ill.add(one)
    for (const socket of open.get(one) ?? []) socket.destroy()
  }
  const timer = setInterval(() => void behind.map((one) => look(one)), LOOK_MS)
  const server = net.createServer((here) => {
    const one = behind.find((other) => !ill.has(other)) ?? behind[0]
    here.on('error', () => here.destroy())
    if (!one) return void here.destroy()
    const there = net.connect(one)
    there.on('error', () => there.destroy())
    open.get(one)?.add(here)
    here.once('close', () => {
      open.get(one)?.delete(here)
      there.destroy()
    })
    there.once('close', () => here.destroy())
    here.pipe(there).pipe(here)
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as net.AddressInfo).port,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      for (const sockets of open.values()) for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
