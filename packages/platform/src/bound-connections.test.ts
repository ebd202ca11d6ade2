import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { addressList, boundConnections, boundedServer } from './bound-connections.ts'

async function bounded(perPlace: number, trusted: readonly string[] = []) {
  const server = http.createServer(boundedServer, (request, response) => {
    request.resume().on('end', () => response.end('whole'))
  })
  boundConnections(server, { requestMs: 300, headersMs: 300, perPlace, trusted })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    connect: () => net.connect(port, '127.0.0.1').on('error', () => {}),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('a body that never comes, or comes a byte at a time, is cut', async () => {
  await using at = await bounded(10)
  for (const dribbles of [false, true]) {
    const socket = at.connect()
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\na')
    const more = dribbles ? setInterval(() => socket.write('a'), 50) : undefined
    const said: Buffer[] = []
    socket.on('data', (bytes: Buffer) => said.push(bytes))
    await once(socket, 'close')
    clearInterval(more)
    assert.match(Buffer.concat(said).toString(), /^(?:HTTP\/1\.1 408 |$)/)
  }
})

test('one place has so many connections and no more; a trusted proxy has as many as it likes', async () => {
  for (const [trusted, survivors] of [
    [[], 3],
    [['127.0.0.0/8'], 6],
  ] as const) {
    await using at = await bounded(3, trusted)
    const sockets: net.Socket[] = []
    for (let count = 0; count < 6; count++) {
      const socket = at.connect()
      sockets.push(socket)
      await once(socket, 'connect')
    }
    const alive = await Promise.all(
      sockets.map((socket) => {
        const answered = new Promise<boolean>((resolve) =>
          socket.once('data', () => resolve(true)).once('close', () => resolve(false)),
        )
        if (socket.writable) socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
        return socket.destroyed ? false : answered
      }),
    )
    assert.equal(alive.filter(Boolean).length, survivors)
    for (const socket of sockets) socket.destroy()
  }
})

test('addresses of one IPv6 network share its bound, and a place that is left is there again', () => {
  const server = http.createServer(boundedServer)
  boundConnections(server, { requestMs: 300, headersMs: 300, perPlace: 2, trusted: [] })
  const connect = (remoteAddress: string) => {
    const socket = Object.assign(new PassThrough(), { remoteAddress })
    server.emit('connection', socket)
    return socket
  }
  const [first, ...more] = ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:9::3', '2001:db8:0:1::1'].map(connect)
  assert.deepEqual(
    more.map(({ destroyed }) => destroyed),
    [false, true, false],
  )
  first?.emit('close')
  assert.equal(connect('2001:db8::4').destroyed, false)
  assert.equal(connect('2001:db8::5').destroyed, true)
})

test('addresses and networks of both families are found, also when IPv4 comes mapped', () => {
  const isIn = addressList(['192.0.2.10', '198.51.100.0/24', '2001:db8::/32'])
  for (const [address, expected] of [
    ['192.0.2.10', true],
    ['::ffff:192.0.2.10', true],
    ['192.0.2.11', false],
    ['198.51.100.77', true],
    ['2001:db8:1::1', true],
    ['2001:db9::1', false],
    ['', false],
    ['banana', false],
  ] as const)
    assert.equal(isIn(address), expected, address)
})
