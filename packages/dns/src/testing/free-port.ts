import net from 'node:net'

/** A port of 127.0.0.1 that nobody listens on now, for programs that cannot take port 0. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const at = server.address()
      server.close(() => resolve(typeof at === 'object' && at ? at.port : 0))
    })
  })
}
