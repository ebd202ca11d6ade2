import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { account, auth, dnsRecords, organizations, partners, sites, whiteLabel } from '@fairway/contract'
import { freePort } from '@fairway/platform'
import { dig } from './dig.ts'
import { OldNameserver, nsdMissing } from './old-nameserver.ts'
import { pace } from './pace.ts'
import { RESOLVERS, startResolver } from './recursive-resolvers.ts'
import { until } from './until.ts'
import { type World, startWorld } from './world.ts'

const unbound = RESOLVERS.find(({ id, program }) => id === 'unbound' && fs.existsSync(program))
const skip = nsdMissing || (unbound ? false : 'unbound is not installed: apt-get install unbound')
const [PARENT, RESOLVER, OURS] = ['127.0.0.71', '127.0.0.72', '127.0.0.73']
const ZONE = 'nimbus-dns.com'
const SHOP = 'shop-of-nimbus.com'

const stack = new AsyncDisposableStack()
const parent: { server: OldNameserver | null } = { server: null }
let world: World
let partner = ''

const comZone = (...lines: string[]): string =>
  [
    `$TTL 60\n@ IN SOA ns.com. hostmaster.com. SERIAL 7200 1800 1209600 60\n@ IN NS ns.com.\nns IN A ${PARENT}`,
    ...lines,
    '',
  ].join('\n')
const delegation = ['ns1', 'ns2'].flatMap((name) => [
  `nimbus-dns IN NS ${name}.${ZONE}.`,
  `${name}.nimbus-dns IN A ${OURS}`,
])

before(async () => {
  if (skip || !unbound) return
  const port = await freePort(PARENT, RESOLVER, OURS)
  parent.server = stack.use(new OldNameserver({ host: PARENT, port }))
  await parent.server.start({ com: comZone() })
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-resolver-'))
  stack.defer(() => fs.rmSync(folder, { recursive: true, force: true }))
  // It knows who is asked for what, since nobody here is at port 53.
  const zones = { com: { host: PARENT, port }, [ZONE]: { host: OURS, port } }
  stack.use(
    startResolver(unbound, {
      folder,
      at: { host: RESOLVER, port },
      zones,
      anchor: { zone: 'signed.test', ds: `1 13 2 ${'0'.repeat(64)}` },
    }),
  )
  world = stack.use(
    await startWorld({
      settings: {
        FAIRWAY_DNS_LISTEN: `${OURS}:${port}`,
        FAIRWAY_RESOLVER: `${RESOLVER}:${port}`,
        FAIRWAY_NAMESERVER_PORT: String(port),
        FAIRWAY_PRIVATE_NETWORKS: '127.0.0.71/32,127.0.0.73/32',
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
  partner = (
    await world.api(partners.routes.create, {
      companyName: 'Nimbus',
      hostName: 'console.nimbus.example',
      brandColor: '#0b6e4f',
    })
  ).id
  const { organizationId } = await world.api(account.routes.info, {})
  await world.api(organizations.routes.manage, { organization: organizationId, partnerId: partner })
})
after(() => stack.disposeAsync())

test(
  'names of a partner are answered to dig once its parent delegates them, and so are zones that use them',
  { skip },
  async () => {
    await world.api(whiteLabel.routes.update, {
      partner,
      serviceDomain: ZONE,
      cnameHost: `cdn.${ZONE}`,
      senderAddress: null,
      senderName: null,
    })
    assert.deepEqual(await dig(world.dns, `ns1.${ZONE}`, 'A').catch(() => []), [])
    await parent.server?.replace('com', comZone(...delegation))
    await until(
      'the names are given out',
      async () => {
        const { since } = await world.api(whiteLabel.routes.check, { partner })
        return since.nameservers !== null && since.cname !== null
      },
      60_000 * pace(),
      1000,
    )
    for (const name of [`ns1.${ZONE}`, `ns16.${ZONE}`, `cn2.${ZONE}`])
      assert.deepEqual(await dig(world.dns, name, 'A'), [OURS])
    assert.deepEqual((await dig(world.dns, ZONE, 'NS')).toSorted(), [`ns1.${ZONE}`, `ns2.${ZONE}`])
    assert.deepEqual(await dig(world.dns, `abc.edge.cdn.${ZONE}`, 'A'), [world.edge.host])

    const { data: site } = await world.api(sites.routes.create, { domainName: SHOP })
    const [first = '', second = ''] = site.nameservers.global
    assert.match(`${first} ${second}`, /^ns\d+\.nimbus-dns\.com ns\d+\.nimbus-dns\.com$/)
    // The customer delegates to the names it was given: they are found, asked and proven by them.
    await parent.server?.replace(
      'com',
      comZone(...delegation, `shop-of-nimbus IN NS ${first}.`, `shop-of-nimbus IN NS ${second}.`),
    )
    await world.api(dnsRecords.routes.create, { site: site.id, type: 'A', name: 'www', value: '198.51.100.7' })
    await until(
      'the site is proven by its delegation',
      async () => (await world.api(sites.routes.get, { site: site.id })).claim.state === 'proven',
      60_000 * pace(),
      500,
    )
    // The record's own publication may be a moment behind the proof.
    await until(
      'its record is answered',
      async () => (await dig(world.dns, `www.${SHOP}`, 'A')).length > 0,
      20_000 * pace(),
      200,
    )
    assert.deepEqual(await dig(world.dns, `www.${SHOP}`, 'A'), ['198.51.100.7'])
    assert.match(
      (await dig(world.dns, SHOP, 'SOA'))[0] ?? '',
      /^ns\d+\.nimbus-dns\.com\. hostmaster\.nimbus-dns\.com\. /,
    )
    assert.deepEqual((await dig(world.dns, SHOP, 'NS')).toSorted(), [first, second].toSorted())
  },
)
