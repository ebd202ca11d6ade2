import assert from 'node:assert/strict'
import net from 'node:net'
import { after, before, test } from 'node:test'
import { type EdgeUnderTest, siteOf, startEdgeUnderTest, startOrigin } from '../testing/edge-under-test.ts'
import { originsSeen } from './tell-origins.ts'

let edge: EdgeUnderTest
before(async () => void (edge = await startEdgeUnderTest(undefined, { clientHeader: 5, clientBody: 5, origin: 1 })))
after(() => edge?.[Symbol.asyncDispose]())

const [ONE, OTHER] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']

test('requests that find no origin are counted one by one, silence once for each network, errors that it says as answers', async () => {
  const mute = net.createServer(() => {})
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
  const { port } = mute.address() as net.AddressInfo
  const broken = (status: number) => startOrigin((_request, response) => response.writeHead(status).end('broken'))
  await using bad = await broken(502)
  const origin = (more: object) => ({
    addresses: ['127.0.0.1'],
    port: 1,
    protocol: 'http' as const,
    hostHeader: 'o.test',
    ...more,
  })
  const domains = {
    refused: origin({}),
    'refused-tls': origin({ protocol: 'https' }),
    silent: origin({ port }),
    'silent-tls': origin({ port, protocol: 'https' }),
    bad: bad.origin(),
  }
  await edge.publish(
    siteOf(
      'site',
      1,
      Object.entries(domains).map(([name, one]) => ({ host: `${name}.test`, domainId: name, origin: one })),
    ),
  )
  for (const name of Object.keys(domains))
    await Promise.all(
      ['198.51.100.7', '198.51.100.8', '198.51.100.9', '203.0.113.7', '2001:db8:1::7', '2001:db8:1::8'].map(
        (visitor, i) => edge.get(`${name}.test`, `/${i}`, { headers: { 'x-forwarded-for': visitor } }),
      ),
    )
  mute.close()
  const counts = await edge.agent.origins()
  const of = (name: string) => ['answered', 'unconnected', 'silent'].map((word) => counts[`${name} ${word}`] ?? 0)
  // A connection without a handshake is none; the cache in front may give up before, and ask once more.
  const [answered, unconnected = 0, silent] = of('silent-tls')
  assert.deepEqual([answered, unconnected >= 6, silent], [0, true, 0])
  assert.deepEqual(['refused', 'refused-tls', 'silent', 'bad'].map(of), [
    [0, 6, 0],
    [0, 6, 0],
    [0, 0, 3],
    [6, 0, 0],
  ])
})

test('what is told is of the last two minutes: of origins that fail, and of those that are asked for', () => {
  const seen = originsSeen()
  const none = new Set<string>()
  seen.see({ [`${ONE} unconnected`]: 900 }, 0)
  assert.deepEqual(seen.told(none), [], 'nobody knows when that was')
  seen.see(
    {
      [`${ONE} unconnected`]: 905,
      [`${ONE} answered`]: 2,
      [`${OTHER} answered`]: 7,
      'stream silent': 4,
      [`${ONE} 198.51.100`]: 1,
    },
    15_000,
  )
  const one = { domainId: ONE, answered: 2, unconnected: 5, silent: 0 }
  const other = { domainId: OTHER, answered: 7, unconnected: 0, silent: 0 }
  assert.deepEqual(seen.told(none), [one])
  assert.deepEqual(seen.told(new Set([OTHER])), [one, other])
  // nginx began anew.
  seen.see({ [`${ONE} silent`]: 3 }, 30_000)
  assert.deepEqual(seen.told(none), [{ ...one, silent: 3 }])
  seen.see({ [`${ONE} silent`]: 3 }, 135_000)
  assert.deepEqual(seen.told(none), [{ domainId: ONE, answered: 0, unconnected: 0, silent: 3 }])
  seen.see({ [`${ONE} silent`]: 3 }, 150_000)
  assert.deepEqual(seen.told(none), [])
})
