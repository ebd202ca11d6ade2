import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  addSite,
  auditLog,
  LIMITS,
  dnsRecords,
  domains,
  sites,
  versions,
  type DnsZone,
  type FoundRecord,
} from '@fairway/contract'
import { freePort, type Tx } from '@fairway/platform'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { nsdMissing, startNsd, type NsdUnderTest } from '../../testing/nsd-under-test.ts'
import { oldZone } from '../../testing/old-zone.ts'
import { until } from '../../testing/until.ts'
import { addFound } from './found-store.ts'
import { requestTask, takeTasks } from './task-store.ts'

const route = addSite.routes
const [OLD, PARENT, OURS, OPEN] = ['127.0.0.21', '127.0.0.22', '127.0.0.23', '127.0.0.24']

let api: ApiUnderTest
let parent: NsdUnderTest | null = null
let ours: NsdUnderTest | null = null
const running = new AsyncDisposableStack()

/** `example` at its own server, which the old server knows as well: it is the resolver of this small world. */
const parentZone = (nameservers: string, more = '') => `$TTL 60
@ IN SOA ns.example. hostmaster.example. SERIAL 7200 1800 1209600 60
@ IN NS ns
ns IN A ${PARENT}
harbour IN NS ${nameservers}
ns1.harbour IN A ${OLD}
open IN NS ns1.open
ns1.open IN A ${OPEN}
${more}`
const soaOnly = (zone: string) =>
  `$TTL 60\n@ IN SOA ns1.${zone}. h.${zone}. 1 7200 1800 1209600 60\n@ IN NS ns1.fairway.test.\n`
const numbered = (text: string) => text.replace('SERIAL', '1')

before(async () => {
  const port = await freePort(OLD, PARENT, OURS, OPEN)
  if (!nsdMissing) {
    const harbour = oldZone('harbour.example', 'ns1.harbour.example').replace('$TTL 3600', `$TTL 3600\nns1 IN A ${OLD}`)
    const openPointer = `$TTL 60\n@ IN SOA ns1.open.example. h.open.example. 1 7200 1800 1209600 60\n@ IN NS ns1.open.example.\nns1 IN A ${OPEN}\n`
    running.use(
      await startNsd({
        host: OLD,
        port,
        zones: {
          'harbour.example': numbered(harbour),
          'open.example': openPointer,
          example: numbered(parentZone('ns1.harbour')),
        },
      }),
    )
    parent = running.use(
      await startNsd({ host: PARENT, port, zones: { example: numbered(parentZone('ns1.harbour')) } }),
    )
    const open = oldZone('open.example', 'ns1.open.example').replace(
      '$TTL 3600',
      `$TTL 3600\nns1 IN A ${OPEN}\nnobody-guesses-this IN A 198.51.100.77`,
    )
    running.use(await startNsd({ host: OPEN, port, transfers: true, zones: { 'open.example': numbered(open) } }))
    ours = running.use(await startNsd({ host: OURS, port, zones: { 'harbour.example': soaOnly('harbour.example') } }))
  }
  api = await startApiUnderTest({
    FAIRWAY_RESOLVER: `${OLD}:${port}`,
    FAIRWAY_NAMESERVER_PORT: String(port),
    FAIRWAY_PRIVATE_NETWORKS: '127.0.0.0/8',
    FAIRWAY_NAMESERVER_NAMES: '2',
    FAIRWAY_DNS_LISTEN: `${OURS}:${port}`,
  })
  running.use(api)
})
after(() => running.disposeAsync())

const scanned = (client: Client, site: string) =>
  until(async () => {
    const scan = await client.call(route.scan, { site })
    return (scan.state === 'done' || scan.state === 'failed') && scan
  })
const label = ({ name, type, value }: Pick<FoundRecord, 'name' | 'type' | 'value'>) => `${name} ${type} ${value}`

test('a name that cannot be a site is refused with its code', async () => {
  const client = await api.newClient()
  const code = async (domainName: string) => (await client.refusal(route.eligibility, { domainName })).code
  assert.deepEqual(
    [await code('*.example.com'), await code('google.com'), await code('fairway.test')],
    [900020, 900027, 2021],
  )
  const reason = async (domainName: string) =>
    (await client.refusal(route.eligibility, { domainName })).fields.map(({ message }) => message)
  for (const [domainName, message] of [
    ['1.2.3.4', 'siteAddress'],
    ['localhost', 'siteLocal'],
    ['a_b.com', 'siteUnderscore'],
    ['www.shop.example', 'rootDomain'],
    ['0.192.in-addr.arpa', 'reverseZone'],
  ] as const)
    assert.deepEqual(await reason(domainName), [`validation.${message}`], domainName)
  const reverse = await client.call(route.create, { domainName: '2.0.192.in-addr.arpa' })
  const pointer = { site: reverse.data.id, type: 'PTR', name: '10', value: 'mail.example.net.' } as const
  assert.equal((await client.call(dnsRecords.routes.create, pointer)).data.value, 'mail.example.net')
  for (const domainName of ['www.shop.example', 'co.uk', 'a..b', 'exämple.com', '-a.com'])
    assert.deepEqual(
      (await client.refusal(route.create, { domainName })).fields.map(({ path }) => path),
      ['domainName'],
      domainName,
    )
  assert.deepEqual(await client.call(route.eligibility, { domainName: 'Shop.Example.' }), {
    domainName: 'shop.example',
    sitesUsed: 1,
    sitesTotal: 10_000,
  })
  await client.call(route.create, { domainName: 'shop.example' })
  assert.equal(await code('shop.example'), 2020)
  await (await api.newClient()).call(route.create, { domainName: 'shop.example' })
})

test('a draft is a site that is not served, and its audit entry says who added it', async () => {
  const client = await api.newClient()
  const { data } = await client.call(route.create, { domainName: 'draft.example' })
  assert.deepEqual([data.zoneStatus, data.dnsState, data.version], [0, 'draft', 0])
  assert.deepEqual(
    (await client.call(sites.routes.list, {})).data.map(({ id }) => id),
    [data.id],
  )
  assert.equal((await client.call(auditLog.routes.list, {})).data[0]?.action, 'site.createDraft')
  assert.equal((await client.refusal(route.startParity, { site: data.id })).status, 409)
  assert.deepEqual((await client.call(route.nsStatus, { site: data.id })).state, 'unchecked')
  const published = await api.database.system((tx) =>
    tx.query('SELECT FROM publication WHERE key = $1 AND body IS NOT NULL', [data.id]),
  )
  assert.equal(published.length, 0)
})

test(
  'a scan of guesses finds what names, mail, SPF, DMARC and aliases point to, and the wildcard once',
  { skip: nsdMissing },
  async () => {
    const client = await api.newClient()
    const site = (await client.call(route.create, { domainName: 'harbour.example' })).data.id
    const scan = await scanned(client, site)
    assert.deepEqual([scan.state, scan.method, scan.problem, scan.hasWildcard], ['done', 'names', null, true])
    assert.deepEqual(scan.nameservers, [{ name: 'ns1.harbour.example', addresses: [OLD] }])
    const { data } = await client.call(route.found, { site })
    const found = new Set(data.map(label))
    for (const wanted of [
      '@ A 198.51.100.1',
      '@ MX mx1.harbour.example',
      'relay-7 A 198.51.100.7',
      'reports-9 MX mx1.harbour.example',
      'odd-target A 198.51.100.8',
      'autodiscover CNAME odd-target.harbour.example',
      '* A 198.51.100.200',
      '* TXT nobody is here',
      'eu NS ns1.eu.harbour.example',
      'ns1.eu A 198.51.100.9',
      'selector1._domainkey CNAME selector1.mailer.example.net',
      'mx1 AAAA 2001:db8::5',
      'www A 198.51.100.10',
      'home CNAME www.harbour.example',
    ])
      assert.ok(found.has(wanted), `${wanted} is not among ${[...found].join(', ')}`)
    // `go` answers just as the wildcard does; `beta` has no text, so it is a name of its own.
    assert.deepEqual(
      [
        data.some(({ name }) => name === 'go'),
        found.has('beta A 198.51.100.200'),
        data.some(({ name }) => name.startsWith('fairway-')),
      ],
      [false, true, false],
    )
    assert.equal(data.filter(({ name }) => name === '*').length, 2)
    assert.equal(scan.foundNames, new Set(data.map(({ name }) => name)).size)
    assert.equal(data.find(({ type }) => type === 'MX')?.ttlSeconds, 600)

    await client.call(route.choose, {
      site,
      ids: data.filter(({ type }) => type === 'CNAME').map(({ id }) => id),
      chosen: false,
    })
    assert.equal((await client.call(dnsRecords.routes.list, { site })).meta.total, 0)
    await compareAndPublish(client, site, data)
  },
)

/** The same old server and its parent go on through review, publication, comparison and delegation. */
async function compareAndPublish(client: Client, site: string, found: FoundRecord[]): Promise<void> {
  const candidates = (await client.call(route.domains, { site })).data
  assert.deepEqual(
    candidates.filter(({ name }) => ['www', '*', 'mx1'].includes(name)).map(({ name, problem }) => [name, problem]),
    [
      ['*', 'code:900020'],
      ['mx1', 'severalAddresses'],
      ['www', 'code:900023'],
    ],
  )
  const aliases = found.filter(({ type }) => type === 'CNAME').map(({ id }) => id)
  await client.call(route.choose, { site, ids: aliases, chosen: true })
  const { data, meta } = await client.call(route.publish, { site })
  assert.deepEqual([data.zoneStatus, data.dnsState, data.recordCount, meta.version], [1, 'pending', found.length, 1])
  assert.match(
    (await client.call(versions.routes.list, { site })).data[0]?.title ?? '',
    /^Publish harbour\.example with \d+ records$/,
  )
  assert.equal((await client.refusal(route.publish, { site })).status, 409)

  const zone = await until(
    async () =>
      (
        await api.database.system((tx) =>
          tx.query<{ body: DnsZone | null }>(`SELECT body FROM publication WHERE kind = 'dns-zone' AND key = $1`, [
            site,
          ]),
        )
      )[0]?.body,
  )
  const asFile = ({ rrsets }: DnsZone) =>
    rrsets
      .flatMap((set) =>
        set.rdata.map(
          (rdata) =>
            `${set.name}. ${set.ttlSeconds} IN ${set.type} ${set.type === 'SOA' ? rdata.replace(/ 1 /, ' SERIAL ') : rdata}`,
        ),
      )
      .join('\n')
  const compared = async () => {
    const asked = (await client.call(route.startParity, { site })).startedAt
    return until(async () => {
      const parity = await client.call(route.parity, { site })
      return parity.state === 'done' && parity.startedAt !== asked && parity
    })
  }
  await ours?.replace('harbour.example', `${asFile(zone)}\n`)
  const same = await compared()
  assert.deepEqual(
    [same.state, same.differences, same.rows.filter(({ kind }) => kind !== 'same' && kind !== 'ttl')],
    ['done', 0, []],
  )
  assert.ok(same.names >= 60, `${same.names} names`)

  // One address is another, one record is left out where the wildcard does not reach, one alias is an address.
  const planted = asFile(zone)
    .split('\n')
    .filter((line) => !line.startsWith('mx1.') || !line.includes(' AAAA '))
    .map((line) => line.replace(/^ftp\..* A .*/, 'ftp.harbour.example. 3600 IN A 198.51.100.115'))
  await ours?.replace('harbour.example', `${planted.join('\n')}\n`)
  const other = await compared()
  assert.deepEqual(
    other.rows.slice(0, other.differences).map(({ name, type, kind, old, ours }) => [name, type, kind, old, ours]),
    [
      ['ftp.harbour.example', 'A', 'different', ['198.51.100.15'], ['198.51.100.115']],
      ['mx1.harbour.example', 'AAAA', 'missing', ['2001:db8::5'], []],
    ],
  )
  await verified(client, site)
}

async function verified(client: Client, site: string): Promise<void> {
  const pending = await until(async () => {
    const status = await client.call(route.nsStatus, { site })
    return status.checkedAt !== null && status
  })
  assert.deepEqual(
    [pending.dnsState, pending.state, pending.reason, pending.parent, pending.delegation, pending.hasDs],
    [
      'pending',
      'checking',
      'otherNameservers',
      'example',
      [{ name: 'ns1.harbour.example', glue: [OLD], ours: false }],
      false,
    ],
  )
  await parent?.replace(
    'example',
    parentZone(
      'ns1.fairway.test.',
      'harbour IN NS ns1.harbour\nharbour IN DS 1 13 2 0000000000000000000000000000000000000000000000000000000000000000',
    ),
  )
  await client.call(route.checkNameservers, { site })
  const mixed = await until(async () => {
    const status = await client.call(route.nsStatus, { site })
    return status.reason === 'mixedNameservers' && status
  })
  assert.deepEqual([mixed.dnsState, mixed.hasDs], ['pending', true])
  await parent?.replace('example', parentZone('ns1.fairway.test.'))
  await until(async () => (await client.call(route.nsStatus, { site })).state === 'checked')
  assert.equal((await client.call(sites.routes.get, { site })).dnsState, 'verified')
  await parent?.replace('example', parentZone('ns1.harbour'))
  await client.call(route.checkNameservers, { site })
  await until(async () => (await client.call(sites.routes.get, { site })).dnsState === 'pending')
}

test('a server that hands over its zone is believed whole', { skip: nsdMissing }, async () => {
  const client = await api.newClient()
  const site = (await client.call(route.create, { domainName: 'open.example' })).data.id
  const scan = await scanned(client, site)
  assert.deepEqual([scan.problem, scan.method, scan.hasWildcard], [null, 'transfer', true])
  const { data } = await client.call(route.found, { site })
  assert.ok(data.map(label).includes('nobody-guesses-this A 198.51.100.77'))
  assert.deepEqual(
    data.filter(({ type, name }) => type === 'SOA' || (type === 'NS' && name === '@')),
    [],
  )
})

test('a scan says why it found nothing', { skip: nsdMissing }, async () => {
  const client = await api.newClient()
  const problem = async (domainName: string) =>
    (await scanned(client, (await client.call(route.create, { domainName })).data.id)).problem
  assert.equal(await problem('nowhere.example'), 'notDelegated')
})

test('a zone file goes into the review, twice is once, and a broken one adds nothing', async () => {
  const client = await api.newClient()
  const site = (await client.call(route.create, { domainName: 'files.example' })).data.id
  const text =
    '$ORIGIN files.example.\n$TTL 20\n@ SOA a. b. 1 2 3 4 5\n@ NS ns.old.example.\nwww A 8.8.8.8\n@ MX 10 mail.files.example.\nhttp HTTPS 1 . alpn=h2\nx.other.example. A 1.2.3.4\n'
  const broken = await client.call(route.readFile, { site, text: `${text}www A 300.1.1.1\n` })
  assert.deepEqual([broken.added, broken.errors.map(({ line, fault }) => [line, fault])], [0, [[9, 'badIpv4']]])
  assert.deepEqual(await client.call(route.readFile, { site, text }), { added: 3, known: 0, errors: [] })
  assert.deepEqual(await client.call(route.readFile, { site, text }), { added: 0, known: 3, errors: [] })
  const { data } = await client.call(route.found, { site })
  assert.deepEqual(
    data
      .filter(({ type }) => type !== 'HTTPS')
      .map((row) => [label(row), row.ttlSeconds, row.oldTtlSeconds, row.chosen]),
    [
      ['@ MX mail.files.example', 30, 20, true],
      ['www A 8.8.8.8', 30, 20, true],
    ],
  )
})

test('addresses of the proxies that are left are not chosen and say why, and may be served all the same', async () => {
  const client = await api.newClient()
  const site = (await client.call(route.create, { domainName: 'proxied.example' })).data.id
  const text =
    '$ORIGIN proxied.example.\n$TTL 300\nwww A 104.21.7.9\nwww AAAA 2606:4700:3030::6815:709\nwww HTTPS 1 . alpn=h3 ipv4hint=104.21.7.9\nmail A 203.0.114.7\n'
  assert.equal((await client.call(route.readFile, { site, text })).added, 4)
  const review = async () =>
    (await client.call(route.found, { site })).data.map(({ name, type, chosen, problem }) => [
      `${name} ${type}`,
      chosen,
      problem,
    ])
  assert.deepEqual(await review(), [
    ['mail A', true, null],
    ['www A', false, 'proxied'],
    ['www AAAA', false, 'proxied'],
    ['www HTTPS', false, 'proxied'],
  ])
  const ids = (await client.call(route.found, { site })).data.filter(({ type }) => type === 'AAAA').map(({ id }) => id)
  await client.call(route.choose, { site, ids, chosen: true })
  assert.equal((await client.call(route.publish, { site })).data.recordCount, 2)
})

test('what is reviewed can be edited, added, left out; multi-CDN only where it works', async () => {
  const client = await api.newClient()
  const site = (await client.call(route.create, { domainName: 'review.example' })).data.id
  const www = await client.call(route.addFound, { site, type: 'A', name: 'www', value: '8.8.8.8' })
  assert.equal((await client.refusal(route.addFound, { site, type: 'A', name: 'www', value: '8.8.8.8' })).code, 900101)
  const local = await client.call(route.addFound, { site, type: 'A', name: 'local', value: '127.0.0.1' })
  const wrong = await client.call(route.addFound, { site, type: 'A', name: 'bad', value: 'not an address' })
  assert.equal(wrong.problem, 'validation.ipAddress')
  assert.equal((await client.refusal(route.publish, { site })).status, 400)
  await client.call(route.removeFound, { site, id: wrong.id })
  assert.equal((await client.refusal(route.editFound, { site, id: local.id, multiCdn: true })).code, 900023)
  assert.equal((await client.call(route.editFound, { site, id: www.id, multiCdn: true })).multiCdn, true)
  const clash = await client.call(route.addFound, { site, type: 'CNAME', name: 'www', value: 'elsewhere.example.net' })
  assert.match((await client.call(route.found, { site })).problem ?? '', /^code:9001/)
  await client.call(route.choose, { site, ids: [clash.id], chosen: false })
  const { data } = await client.call(route.publish, { site })
  assert.deepEqual([data.recordCount, data.domainCount], [2, 1])
  assert.deepEqual(
    (await client.call(domains.routes.list, { site })).data.map(({ name, origin }) => [name, origin.address]),
    [['www.review.example', '8.8.8.8']],
  )
  assert.equal((await client.refusal(route.choose, { site, ids: [www.id], chosen: false })).status, 409)
})

test('a domain is added to a site: a new record, or the one that is there', async () => {
  const client = await api.newClient()
  const site = (await client.call(sites.routes.create, { domainName: 'grow.example' })).data.id
  await client.call(dnsRecords.routes.create, { site, type: 'A', name: 'www', value: '8.8.8.8' })
  const www = await client.call(route.addDomain, { site, name: 'www', origin: '8.8.8.8' })
  const shop = await client.call(route.addDomain, { site, name: 'shop', origin: 'origin.example.net' })
  assert.deepEqual([www.data.name, shop.data.name], ['www.grow.example', 'shop.grow.example'])
  assert.deepEqual(
    (await client.call(dnsRecords.routes.list, { site, ordering: 'name' })).data.map(({ name, type, multiCdn }) => [
      name,
      type,
      multiCdn,
    ]),
    [
      ['shop', 'CNAME', true],
      ['www', 'A', true],
    ],
  )
  const code = async (name: string, origin = '8.8.4.4') =>
    (await client.refusal(route.addDomain, { site, name, origin })).code
  assert.deepEqual(
    [
      await code('www'),
      await code('*'),
      await code('_a'),
      await code('x', '127.0.0.1'),
      await code('y', 'y.grow.example'),
    ],
    [2019, 900020, 900028, 900023, 900106],
  )
})

test('a site that is published without records is served at once, with SOA and NS, and its version is there', async () => {
  const client = await api.newClient()
  const { data } = await client.call(route.create, { domainName: 'bare.example' })
  const published = await client.call(route.publish, { site: data.id })
  assert.equal(published.meta.version, 1)
  const versionsOfSite = await client.call(versions.routes.list, { site: data.id })
  assert.deepEqual(
    versionsOfSite.data.map(({ number }) => number),
    [1],
  )
  const body = await until(
    async () =>
      (
        await api.database.system((tx) =>
          tx.query<{ body: DnsZone }>(`SELECT body FROM publication WHERE kind = 'dns-zone' AND key = $1`, [data.id]),
        )
      )[0]?.body,
  )
  assert.deepEqual(
    body.rrsets.map(({ name, type }) => `${name} ${type}`),
    ['bare.example SOA', 'bare.example NS'],
  )
})

test('a scan whose worker has died is done by the next one', async () => {
  const client = await api.newClient()
  const site = (await client.call(route.create, { domainName: 'nobody-has-this.example' })).data.id
  const { finishedAt } = await scanned(client, site)
  await api.database.system((tx) =>
    tx.query(`UPDATE site_task SET state = 'running', leased_until = now() - interval '1 second' WHERE site_id = $1`, [
      site,
    ]),
  )
  const again = await until(async () => {
    const scan = await client.call(route.scan, { site })
    return scan.state === 'failed' && scan.finishedAt !== finishedAt && scan
  })
  assert.ok(again.startedAt)
})

/** What comes of it is undone: nobody else sees it. */
async function inVain(work: (tx: Tx) => Promise<void>): Promise<void> {
  const rolledBack = new Error('as it was')
  await api.database
    .system(async (tx) => {
      await work(tx)
      throw rolledBack
    })
    .catch((error: unknown) => assert.equal(error, rolledBack))
}

test('a look that somebody waits for comes before a thousand that are repeated', async () => {
  const client = await api.newClient()
  const taken: string[] = []
  await inVain(async (tx) => {
    await tx.query(
      `WITH made AS (INSERT INTO site (organization_id, domain_name) SELECT $1, 'n' || n || '.repeats.example' FROM generate_series(1, 1001) n RETURNING id, organization_id, domain_name)
         INSERT INTO site_task (organization_id, site_id, kind, due_at, finished_at, is_repeat) SELECT organization_id, id, 'nameservers', now() - interval '1 hour', now() - interval '2 hours', true FROM made WHERE domain_name <> 'n1001.repeats.example'`,
      [client.organizationId],
    )
    const [newcomer] = await tx.query<{ id: string }>(`SELECT id FROM site WHERE domain_name = 'n1001.repeats.example'`)
    await requestTask(tx, client.organizationId, newcomer?.id ?? '', 'nameservers')
    for (const { domain_name } of await takeTasks(tx, 'looks', 4)) taken.push(domain_name)
  })
  const ofTheirs = taken.filter((name) => name.endsWith('.repeats.example'))
  assert.deepEqual([ofTheirs.length, ofTheirs.includes('n1001.repeats.example')], [2, true], taken.join(' '))
})

test('an organisation whose scans take for ever has one at a time, and holds up neither others nor any look', async () => {
  const [many, one] = [await api.newClient(), await api.newClient()]
  await inVain(async (tx) => {
    await tx.query(
      `WITH made AS (INSERT INTO site (organization_id, domain_name) SELECT CASE WHEN n <= 50 THEN $1::uuid ELSE $2::uuid END, 'n' || n || '.tarpits.example' FROM generate_series(1, 51) n RETURNING id, organization_id)
       INSERT INTO site_task (organization_id, site_id, kind, due_at) SELECT organization_id, id, kind, now() - CASE WHEN organization_id = $1 THEN interval '1 day' ELSE interval '1 hour' END FROM made, unnest(ARRAY['scan', 'parity', 'nameservers']) kind`,
      [many.organizationId, one.organizationId],
    )
    const taken = async (of: 'scans' | 'looks') =>
      (await takeTasks(tx, of, 8)).filter(({ domain_name }) => domain_name.endsWith('.tarpits.example'))
    const owners = (tasks: { organization_id: string }[]) =>
      [many, one].map(({ organizationId }) => tasks.filter((task) => task.organization_id === organizationId).length)
    assert.deepEqual(owners(await taken('scans')), [1, 1])
    assert.deepEqual(owners(await taken('scans')), [0, 0])
    const looks = await taken('looks')
    assert.deepEqual(owners(looks), [2, 1])
    assert.ok(looks.every(({ kind }) => kind === 'nameservers'))
  })
})

test('a scan that ends every worker that takes it is given up', async () => {
  const client = await api.newClient()
  const site = (await client.call(route.create, { domainName: 'ends-workers.example' })).data.id
  await scanned(client, site)
  await api.database.system((tx) =>
    tx.query(
      `UPDATE site_task SET state = 'running', starts = 3, problem = NULL, leased_until = now() - interval '1 second' WHERE site_id = $1`,
      [site],
    ),
  )
  assert.equal((await scanned(client, site)).problem, 'fault')
  await client.call(route.startScan, { site })
  const again = await until(async () => {
    const scan = await client.call(route.scan, { site })
    return scan.state === 'failed' && scan.problem !== 'fault' && scan
  })
  assert.ok(again)
})

test('a review has room for so many records; what is there already takes none of it', async () => {
  const client = await api.newClient()
  const site = (await client.call(route.create, { domainName: 'full-review.example' })).data.id
  await inVain(async (tx) => {
    await tx.query(
      `INSERT INTO found_record (organization_id, site_id, type, name, value, found_by) SELECT $1, $2, 'A', 'n' || n, '192.0.2.1', 'transfer' FROM generate_series(1, $3) n`,
      [client.organizationId, site, LIMITS.zoneFile.records - 1],
    )
    const owner = { organizationId: client.organizationId, siteId: site }
    const records = ['n1', 'new1', 'new2', 'new3'].map((name) => ({
      type: 'A',
      name,
      value: '192.0.2.1',
      preference: null,
      ttlSeconds: 60,
      oldTtlSeconds: 60,
      chosen: true,
    }))
    assert.equal(await addFound(tx, owner, records, 'transfer'), 1)
    assert.equal(await addFound(tx, owner, records, 'transfer'), 0)
  })
})
