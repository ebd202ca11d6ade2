import assert from 'node:assert/strict'
import dgram from 'node:dgram'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { freePort, loadConfig, makeLog, OutgoingGate } from '@fairway/platform'
import dnsPacket, { type Answer } from 'dns-packet'
import { seeDelegation } from './check-nameservers.ts'

const HOST = '127.0.0.26'
/** What the one server of this small world, which is its resolver too, says to a question; SERVFAIL to all else. */
const says = new Map<string, { rcode?: number; flags?: number; answers?: Answer[]; authorities?: Answer[] }>()
const [NXDOMAIN, SERVFAIL, AA] = [3, 2, 1 << 10]
const ns = (name: string, data: string): Answer => ({ type: 'NS', name, ttl: 60, data })
const socket = dgram.createSocket('udp4')
let port: number

before(async () => {
  port = await freePort(HOST)
  socket.on('message', (bytes, from) => {
    const { id, questions = [] } = dnsPacket.decode(bytes)
    const [asked] = questions
    const { rcode = 0, flags = 0, ...said } = says.get(`${asked?.name} ${asked?.type}`) ?? { rcode: SERVFAIL }
    socket.send(
      dnsPacket.encode({ type: 'response', id, flags: flags | rcode, questions, ...said }),
      from.port,
      from.address,
    )
  })
  await once(socket.bind(port, HOST), 'listening')
})
after(() => socket.close())

async function look(zone: string) {
  const config = loadConfig({
    FAIRWAY_RESOLVER: `${HOST}:${port}`,
    FAIRWAY_NAMESERVER_PORT: String(port),
    FAIRWAY_PRIVATE_NETWORKS: '127.0.0.0/8',
  })
  const gate = new OutgoingGate({ config, log: makeLog('test', { ...config, logLevel: 'error' }) })
  const { parent, delegation, ds, answered, byParent } = await seeDelegation(
    { config, gate, organizationId: 'o1' },
    zone,
  )
  return { parent, names: delegation.map(({ name }) => name), ds: ds?.ds ?? null, answered, byParent }
}

/** `uk` refers to `co.uk`; both are at this server. */
function tellWorld(): void {
  says.clear()
  for (const zone of ['uk', 'co.uk']) says.set(`${zone} NS`, { answers: [ns(zone, 'ns.nic.uk')] })
  says.set('ns.nic.uk A', { answers: [{ type: 'A', name: 'ns.nic.uk', ttl: 60, data: HOST }] })
}

test('a resolver that does not know the zone above makes nobody say that a name is not delegated', async () => {
  tellWorld()
  says.delete('co.uk NS')
  // What the servers of `uk` would say.
  for (const type of ['NS', 'DS']) says.set(`shop.co.uk ${type}`, { authorities: [ns('co.uk', 'ns.nic.uk')] })
  says.set('shop.co.uk NS', { rcode: SERVFAIL })
  const unknown = { parent: null, names: [], ds: null, answered: false, byParent: false }
  assert.deepEqual(await look('shop.co.uk'), unknown)
})

test('a referral that is not to the zone says nothing of it; one that is does, and authority does', async () => {
  tellWorld()
  const other = { authorities: [ns('co.uk', 'ns.nic.uk')] }
  says.set('shop.co.uk NS', other).set('shop.co.uk DS', other)
  const { byParent, ds } = await look('shop.co.uk')
  assert.deepEqual([byParent, ds], [false, null])
  says.set('shop.co.uk NS', { authorities: [ns('shop.co.uk', 'ns1.fairway.test')] })
  assert.deepEqual(await look('shop.co.uk'), {
    parent: 'co.uk',
    names: ['ns1.fairway.test'],
    ds: null,
    answered: true,
    byParent: true,
  })
  says.set('shop.co.uk DS', { flags: AA })
  assert.deepEqual((await look('shop.co.uk')).ds, [])
  says.set('shop.co.uk NS', { rcode: NXDOMAIN, flags: AA })
  assert.deepEqual(await look('shop.co.uk'), { parent: 'co.uk', names: [], ds: [], answered: true, byParent: true })
})
