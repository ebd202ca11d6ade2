import assert from 'node:assert/strict'
import https from 'node:https'
import { after, before, test } from 'node:test'
import { FEATURES } from '@fairway/contract'
import { freePorts } from '@fairway/platform'
import { dig } from './dig.ts'
import { pace } from './pace.ts'
import { type Pebble, pebbleMissing, startPebble } from './pebble.ts'
import { until } from './until.ts'
import { type World, startWorld } from './world.ts'

const { auth, liveStreams, signedUrls } = FEATURES
const skip = pebbleMissing
const stack = new AsyncDisposableStack()
let world: World
let authority: Pebble

before(async () => {
  if (skip) return
  // The authority asks our own name server, whose address has to be known before it is there.
  const [dnsPort = 0, httpPort = 0] = await freePorts(2, ['127.0.0.1', '127.0.0.11', '127.0.0.12', '127.0.0.13'])
  authority = stack.use(await startPebble({ dns: { host: '127.0.0.1', port: dnsPort }, httpPort }))
  world = stack.use(
    await startWorld({
      settings: {
        FAIRWAY_DNS_LISTEN: `127.0.0.1:${dnsPort}`,
        FAIRWAY_EDGE_HTTP: `127.0.0.1:${httpPort}`,
        FAIRWAY_ACME_LETS_ENCRYPT_URL: authority.directory,
        FAIRWAY_ACME_ROOTS_FILE: authority.rootsFile,
        FAIRWAY_STREAM_ACME: 'lets-encrypt',
      },
    }),
  )
  await world.api(auth.routes.register, {
    email: 'owner@example.com',
    password: 'Owner-1234',
    firstName: 'Olive',
    lastName: 'Owner',
    organizationName: 'Example',
  })
})
after(() => stack.disposeAsync())

/** The status of what a client that trusts the authority gets. */
function statusOf(url: string, ca: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { port, hostname: servername, pathname: path } = new URL(url)
    https
      .get({ host, port, servername, path, headers: { host: servername }, ca, agent: false }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
      .once('error', reject)
  })
}

test(
  'the house orders a certificate for the hosts of videos by its own zone, and hands out https from then on',
  { skip },
  async (t) => {
    const began = performance.now()
    await world.api(liveStreams.routes.create, {
      name: 'Harbour',
      latency: 'normal',
      keyFrameSeconds: 2,
      rewindSeconds: 60,
      protocol: 'rtmp',
    })
    const origin = await until(
      'addresses are https',
      async () => {
        const { origin: now } = await world.api(signedUrls.routes.get, {})
        return now.startsWith('https:') && now
      },
      60_000 * pace(),
      100,
    )
    t.diagnostic(`from the first account to https: ${Math.round(performance.now() - began)} ms`)
    assert.equal(new URL(origin).port, String(world.config.edgeHttps.port))
    const { hostname } = new URL(origin)
    assert.match(hostname, /^[0-9a-f]{16}\.stream\.edge\./)
    const ca = await authority.issuerRoot()
    // There is no such video: that it is said by the origin, by TLS, is what counts.
    assert.equal(await statusOf(`${origin}/none/master.m3u8`, ca, world.config.edgeHttps.host), 404)
    // The same certificate holds at the simulated CDNs.
    const [address = ''] = world.config.simulatedAddresses
    const at = `https://${hostname.split('.')[0]}.polaris.cdn.${world.config.serviceDomain}:${world.config.edgeHttps.port}/`
    assert.ok((await statusOf(at, ca, address)) > 0)
    assert.deepEqual(await dig(world.dns, hostname, 'A'), [world.config.edgeHttp.host])
    const proof = `_acme-challenge.stream.edge.${world.config.serviceDomain}`
    await until('the proof is taken back', async () => (await dig(world.dns, proof, 'TXT')).length === 0, 10_000, 200)
  },
)
