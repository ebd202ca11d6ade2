import assert from 'node:assert/strict'
import net from 'node:net'
import { after, before, test } from 'node:test'
import { type EdgeSecurity, type Publication, SecurityPolicy } from '@fairway/contract'
import { BOT_DEFAULTS } from '@fairway/domain'
import type { z } from 'zod'
import {
  EDGE,
  type EdgeUnderTest,
  type Origin,
  siteOf,
  startEdgeUnderTest,
  startOrigin,
} from '../testing/edge-under-test.ts'

// Two customers of one edge, of whose memory each has a hundredth.

const [MINE, THEIRS] = ['mine.example.test', 'theirs.example.test']
let edge: EdgeUnderTest
let origin: Origin
let version = 1
before(async () => {
  edge = await startEdgeUnderTest(undefined, undefined, {
    FAIRWAY_EDGE_POLICIES_MB: '64',
    FAIRWAY_EDGE_CUSTOMER_SHARE: '1',
  })
  origin = await startOrigin((_, response) => void response.end('well'))
  await edge.publish(siteOf('mine', version, [{ host: MINE, origin: origin.origin() }], 'org-1'))
  await edge.publish(siteOf('theirs', version, [{ host: THEIRS, origin: origin.origin() }], 'org-2'))
})
after(() => Promise.all([edge, origin].map((one) => one?.[Symbol.asyncDispose]())))

type Wanted = Partial<z.input<typeof SecurityPolicy>>
function securityOf(siteId: string, organizationId: string, wanted: Wanted): Publication {
  version += 1
  const bots = { ...BOT_DEFAULTS, securityLevel: 'off' as const }
  const policy = SecurityPolicy.parse({ access: [], bots, firewall: [], headers: [], origins: [], ...wanted })
  const body: EdgeSecurity = {
    siteId,
    organizationId,
    version,
    domains: [{ domainId: `${siteId}-domain-0`, host: `${siteId}.example.test`, policy }],
  }
  return { revision: version, kind: 'edge-security', key: siteId, version, body }
}
const blacklisted = (count: number): Wanted => ({
  access: Array.from({ length: count }, (_, i) => ({
    id: `entry-${i}`.padEnd(36, '-'),
    list: 'blacklist',
    kind: 'address',
    // No two beside each other, which would be one.
    value: `10.${i >> 15}.${(i >> 7) & 255}.${(i * 2) & 255}`,
    network: null,
    exclude: false,
    until: 0,
  })),
})
const oncePerKey: Wanted = {
  firewall: [
    {
      id: 'once',
      name: 'once',
      expression: null,
      action: {
        type: 'rate-limit',
        limit: { requests: 1, seconds: 3600, blockSeconds: 600, keys: [{ by: 'header', name: 'x-key' }] },
      },
    },
  ],
}
const get = (host: string, key: string) =>
  edge.get(host, '/', { headers: { 'x-key': key } }).then(({ status }) => status)

test('one whose lists are larger than its share is told so and keeps what it has; the others’ changes go live', async () => {
  await edge.publish(securityOf('mine', 'org-1', blacklisted(100)))
  await assert.rejects(
    edge.publish(securityOf('mine', 'org-1', blacklisted(10_000))),
    /All that this organisation has set takes \d\.\d MB of an edge's memory; 0\.6 MB is its share/,
  )
  const listed = (address: string) => edge.get(MINE, '/', { headers: { 'x-forwarded-for': address } })
  assert.deepEqual([(await listed('10.0.0.98')).status, (await listed('10.0.1.98')).status], [403, 200])
  const many = Array.from({ length: 100 }, (_, i) => ({ host: `d${i}.example.test`, origin: origin.origin() }))
  let refused = 0
  for (let i = 0; i < 8; i++)
    await edge
      .publish(
        siteOf(
          `many-${i}`,
          1,
          many.map((one) => ({ ...one, host: `s${i}.${one.host}` })),
          'org-1',
        ),
      )
      .catch(() => refused++)
  assert.ok(refused > 0 && refused < 8, `${refused}`)
  await edge.publish(securityOf('theirs', 'org-2', { ...blacklisted(200) }))
  assert.equal((await edge.get(THEIRS, '/', { headers: { 'x-forwarded-for': '10.0.0.150' } })).status, 403)
  await edge.publish(securityOf('mine', 'org-1', {}))
  const { policies } = (await edge.agent.state()) ?? {}
  assert.ok(policies && policies.size >= 60 * 2 ** 20 && policies.free < policies.size && policies.free > 0)
})

/** Asks for a page under so many keys, on few connections. */
async function flood(host: string, keys: number): Promise<void> {
  const AT_ONCE = 900
  for (let from = 0; from < keys; from += AT_ONCE) {
    const socket = net.connect(edge.config.edgeHttp.port, EDGE)
    const asked = Array.from({ length: Math.min(AT_ONCE, keys - from) }, (_, i) => i + from)
    socket.end(
      asked
        .map(
          (i, at) =>
            `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Key: ${i}\r\n${at === asked.length - 1 ? 'Connection: close\r\n' : ''}\r\n`,
        )
        .join(''),
    )
    for await (const _ of socket);
  }
}

test('a flood of keys at one customer fills its own room: its new visitors are counted together, nobody else’s', async () => {
  await edge.publish(securityOf('mine', 'org-1', oncePerKey))
  await edge.publish(securityOf('theirs', 'org-2', oncePerKey))
  assert.deepEqual([await get(THEIRS, 'a'), await get(THEIRS, 'a'), await get(MINE, 'early')], [200, 429, 200])
  const counted = async (what: string) => Number((await edge.agent.state())?.counters[what])
  assert.equal(await counted('limits_shared'), 0)
  await flood(MINE, 5_400)
  assert.ok((await counted('limits_shared')) > 50)
  assert.deepEqual([await get(MINE, 'late'), await get(MINE, 'early')], [429, 429])
  assert.deepEqual([await get(THEIRS, 'a'), await get(THEIRS, 'b'), await get(THEIRS, 'b')], [429, 200, 429])
})
