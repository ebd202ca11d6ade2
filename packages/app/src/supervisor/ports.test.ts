import assert from 'node:assert/strict'
import dgram from 'node:dgram'
import net from 'node:net'
import { test } from 'node:test'
import { loadConfig, freePorts } from '@fairway/platform'
import { openAddresses } from './ports.ts'

async function takenTcp(t: { after(fn: () => void): void }): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  t.after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const at = server.address()
  return typeof at === 'object' && at ? at.port : 0
}

test('a taken port is named with the setting that changes it', async (t) => {
  const port = await takenTcp(t)
  const config = loadConfig({ FAIRWAY_LISTEN: `127.0.0.1:${port}` })
  await assert.rejects(
    openAddresses(config, ['api']),
    new RegExp(`127.0.0.1:${port} is already in use.*FAIRWAY_LISTEN=127.0.0.1:${port + 1}`),
  )
  await openAddresses(config, ['worker'])
})

test('a DNS port that is taken for UDP only is found as well', async (t) => {
  const socket = dgram.createSocket('udp4')
  t.after(() => socket.close())
  await new Promise<void>((resolve) => socket.bind({ address: '127.0.0.1', port: 0 }, resolve))
  const config = loadConfig({ FAIRWAY_DNS_LISTEN: `127.0.0.1:${socket.address().port}` })
  await assert.rejects(openAddresses(config, ['dns']), /already in use.*FAIRWAY_DNS_LISTEN/)
})

test('WebRTC needs its port for UDP alone, and none where it is not offered', async (t) => {
  const port = await takenTcp(t)
  const others = { FAIRWAY_MEDIA_LISTEN: '127.0.0.1:0', FAIRWAY_RTMP_LISTEN: '127.0.0.1:0' }
  const of = (settings: Record<string, string>) => openAddresses(loadConfig({ ...others, ...settings }), ['media'])
  await of({ FAIRWAY_WEBRTC_LISTEN: `127.0.0.1:${port}` })
  const socket = dgram.createSocket('udp4')
  t.after(() => socket.close())
  await new Promise<void>((resolve) => socket.bind({ address: '127.0.0.1', port: 0 }, resolve))
  const taken = { FAIRWAY_WEBRTC_LISTEN: `127.0.0.1:${socket.address().port}` }
  await assert.rejects(of(taken), /already in use.*FAIRWAY_WEBRTC_LISTEN/)
  await of({ ...taken, FAIRWAY_PUBLIC_URL: 'https://cdn.example.com' })
  await of({})
})

test('an address of another machine is refused by name', async () => {
  const config = loadConfig({ FAIRWAY_LISTEN: '192.0.2.1:0' })
  await assert.rejects(openAddresses(config, ['api']), /192\.0\.2\.1 is not an address of this machine.*FAIRWAY_LISTEN/)
})

test('HTTP/3 has an address of its own, apart from that of TLS and from other programs', async (t) => {
  const port = await takenTcp(t)
  const taken = loadConfig({ FAIRWAY_EDGE_HTTP3: `127.0.0.1:${port}` })
  await openAddresses(taken, ['api'])
  const edge = { FAIRWAY_EDGE_HTTP: '127.0.0.1:0', FAIRWAY_SIMULATED_ADDRESSES: '' }
  const refused = async (settings: Record<string, string>) =>
    assert.rejects(openAddresses(loadConfig({ ...edge, ...settings }), ['edge']), /already in use.*FAIRWAY_EDGE_HTTP3=/)
  await refused({ FAIRWAY_EDGE_HTTPS: '127.0.0.1:0', FAIRWAY_EDGE_HTTP3: `127.0.0.1:${port}` })
  const [free = 0] = await freePorts(1, ['127.0.0.1'])
  await refused({ FAIRWAY_EDGE_HTTPS: `127.0.0.1:${free}`, FAIRWAY_EDGE_HTTP3: `127.0.0.1:${free}` })
})
