import assert from 'node:assert/strict'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { after, before, describe, it } from 'node:test'
import { once } from 'node:events'
import { selfSignedCertificate } from '@fairway/platform'
import { preflight } from '../preflight/preflight.ts'
import { type EdgeUnderTest, siteOf, startEdgeUnderTest } from '../testing/edge-under-test.ts'

// An origin that is to be checked is asked nothing before its certificate has proven its name (RFC 9110 4.3.4, RFC
// 9525).

const NAME = 'origin.example.test'
const [known, stranger] = [selfSignedCertificate([NAME], new Date()), selfSignedCertificate([NAME], new Date())]
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-authorities-'))
const originCaFile = path.join(folder, 'own.pem')

let edge: EdgeUnderTest
let version = 0

before(async () => {
  fs.writeFileSync(originCaFile, known.certificatePem)
  edge = await startEdgeUnderTest(
    undefined,
    { clientHeader: 5, clientBody: 5, origin: 3 },
    { FAIRWAY_ORIGIN_CA_FILE: originCaFile },
  )
})
after(async () => {
  await edge?.[Symbol.asyncDispose]()
  fs.rmSync(folder, { recursive: true })
})

type Origin = AsyncDisposable & { port: number; asked: string[] }

async function origin(
  { certificatePem: cert, keyPem: key }: typeof known,
  host = '127.0.0.1',
  port = 0,
): Promise<Origin> {
  const asked: string[] = []
  const sockets = new Set<tls.TLSSocket>()
  const server = tls.createServer({ cert, key }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (data: Buffer) => {
      asked.push(data.toString('latin1'))
      socket.write(
        /^upgrade: /im.test(asked.at(-1) ?? '')
          ? 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello'
          : 'HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: 4\r\n\r\nwell',
      )
    })
  })
  await once(server.listen(port, host), 'listening')
  return {
    port: (server.address() as net.AddressInfo).port,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Website = { host?: string; verifyCertificate?: boolean; hostHeader?: string; addresses?: string[] }
const publish = (port: number, ...websites: Website[]) => {
  version += 1
  return edge.publish(
    siteOf(
      'site',
      version,
      websites.map(
        (
          { host = 'www.example.test', verifyCertificate = true, hostHeader = NAME, addresses = ['127.0.0.1'] },
          index,
        ) => ({
          host,
          domainId: `domain-${version}-${index}`,
          websocket: true,
          origin: { addresses, port, protocol: 'https', hostHeader, verifyCertificate },
        }),
      ),
    ),
  )
}
let pages = 0
const ask = async (host = 'www.example.test') => {
  const { status, text } = await edge.get(host, `/${pages++}`)
  return `${status} ${status === 200 ? text : (/<h1>([^<]*)/.exec(text)?.[1] ?? text)}`
}
const UNTRUSTED = '502 The origin cannot be trusted'

async function upgraded(): Promise<string> {
  const { host, port } = edge.config.edgeHttp
  const socket = net.connect(port, host)
  socket.write(
    `GET /chat HTTP/1.1\r\nHost: www.example.test\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  )
  const [data] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return data.toString('latin1').slice(9, 12)
}

describe('an origin over TLS that is to be checked', () => {
  it('keeps its place for the websites of others when one does not trust it under its own name', async () => {
    await using victim = await origin(known, '127.0.0.2')
    await using other = await origin(known, '127.0.0.1', victim.port)
    const both = ['127.0.0.2', '127.0.0.1']
    await publish(victim.port, { addresses: both })
    version += 1
    await edge.publish(
      siteOf(
        'attack',
        version,
        [
          {
            host: 'attack.example.test',
            origin: {
              addresses: both,
              port: victim.port,
              protocol: 'https',
              hostHeader: 'attack.example.test',
              verifyCertificate: true,
            },
          },
        ],
        'org-2',
      ),
    )
    assert.equal(await ask('attack.example.test'), UNTRUSTED)
    const before = victim.asked.length
    assert.deepEqual([await ask(), victim.asked.length - before, other.asked], ['200 well', 1, []])
  })

  it('is asked when an authority that is known says that the name is its own', async () => {
    await using there = await origin(known)
    await publish(there.port, {})
    for (let i = 0; i < 6; i++) assert.equal(await ask(), '200 well')
    assert.equal(await upgraded(), '101')
  })

  it('is asked nothing when nobody known answers for its certificate, or when it is for another name; the visitor is told why', async () => {
    await using unknown = await origin(stranger)
    await publish(unknown.port, {})
    assert.deepEqual([await ask(), await upgraded(), unknown.asked], [UNTRUSTED, '502', []])
    await using named = await origin(known)
    await publish(named.port, { hostHeader: 'other.example.test' })
    assert.deepEqual([await ask(), await upgraded(), named.asked], [UNTRUSTED, '502', []])
  })

  it('is passed over for the next of its addresses', async () => {
    await using false_ = await origin(stranger, '127.0.0.2')
    await using right = await origin(known, '127.0.0.1', false_.port)
    await publish(right.port, { addresses: ['127.0.0.2', '127.0.0.1'] })
    assert.deepEqual([await ask(), false_.asked], ['200 well', []])
  })

  it('never gets a connection or a session of a website that does not look', async () => {
    await using there = await origin(stranger)
    await publish(there.port, { host: 'a.example.test', verifyCertificate: false }, { host: 'b.example.test' })
    for (let i = 0; i < 6; i++)
      assert.deepEqual([await ask('a.example.test'), await ask('b.example.test')], ['200 well', UNTRUSTED])
  })
})

it('the look at an origin before it is saved trusts whom the edge trusts', async () => {
  await using right = await origin(known)
  await using other = await origin(stranger)
  const seen = async (port: number) =>
    (
      await preflight(edge.config, edge.agent.gate, {
        organizationId: 'org-1',
        addresses: ['127.0.0.1'],
        port,
        protocol: 'https',
        hostHeader: NAME,
        host: 'www.example.test',
        path: '/',
      })
    ).addresses[0]?.tls?.trusted
  assert.deepEqual([await seen(right.port), await seen(other.port)], [true, false])
})
