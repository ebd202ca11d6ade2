import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addSite, auditLog, dnsRecords, notifications, sites, type Site } from '@fairway/contract'
import { freePort } from '@fairway/platform'
import { prepareInstallation } from '../../installation.ts'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { nsdMissing, startNsd, type NsdUnderTest } from '../../testing/nsd-under-test.ts'
import { until } from '../../testing/until.ts'
import { noteClock } from '../operator/holds-store.ts'
import { settleClaim } from './settle-claim.ts'
import { CLAIMS_AROUND, claimsAround } from './store.ts'

const { create, get, remove } = sites.routes
const { checkNameservers, nsStatus } = addSite.routes
const [PARENT, OURS] = ['127.0.0.34', '127.0.0.35']
const ELSEWHERE = ['ns.other.com']

let api: ApiUnderTest
let nsd: NsdUnderTest | null = null
const running = new AsyncDisposableStack()
const delegations = new Map<string, readonly string[]>()
const records = new Map<string, string>()

/** `com`, which is the resolver of this small world too, and what stands at the present DNS of its names. */
const comZone = (): string =>
  [
    `$TTL 60\n@ IN SOA ns.com. h.com. SERIAL 7200 1800 1209600 60\n@ IN NS ns.com.\nns IN A ${PARENT}\nns.other IN A ${PARENT}`,
    ...[...delegations].flatMap(([name, servers]) => servers.map((server) => `${name} IN NS ${server}.`)),
  ].join('\n') + '\n'
const childZone = (name: string): string =>
  `$TTL 60\n@ IN SOA ns.other.com. h.com. SERIAL 7200 1800 1209600 60\n@ IN NS ns.other.com.\n${records.get(name) ?? ''}\n`
const HOSTED = ['token.com']

before(async () => {
  const port = await freePort(PARENT, OURS)
  if (!nsdMissing) {
    for (const name of ['bank', 'token', 'twice', 'race']) delegations.set(name, ELSEWHERE)
    nsd = running.use(
      await startNsd({
        host: PARENT,
        port,
        zones: Object.fromEntries([
          ['com', comZone().replace('SERIAL', '1')],
          ...HOSTED.map((name) => [name, childZone(name).replace('SERIAL', '1')]),
        ]),
      }),
    )
  }
  api = await startApiUnderTest({
    FAIRWAY_RESOLVER: `${PARENT}:${port}`,
    FAIRWAY_NAMESERVER_PORT: String(port),
    FAIRWAY_PRIVATE_NETWORKS: '127.0.0.0/8',
    FAIRWAY_DNS_LISTEN: `${OURS}:${port}`,
  })
  running.use(api)
})
after(() => running.disposeAsync())

async function delegate(name: string, servers: readonly string[]): Promise<void> {
  delegations.set(name.slice(0, -4), servers)
  await nsd?.replace('com', comZone())
}
async function setRecords(name: string, lines: string): Promise<void> {
  records.set(name, lines)
  await nsd?.replace(name, childZone(name))
}
const add = async (client: Client, domainName: string, contest = false): Promise<Site> =>
  (await client.call(create, { domainName, contest })).data
const short = ({ claim }: Pick<Site, 'claim'>): string =>
  claim.state === 'parked' ? claim.reason : claim.state === 'proven' ? `proven by ${claim.by}` : claim.state
/** Looked at again until the claim is as it should be. */
async function becomes(client: Client, { id }: Site, wanted: string): Promise<Site> {
  await client.call(checkNameservers, { site: id })
  return until(async () => {
    const site = await client.call(get, { site: id })
    return short(site) === wanted && site
  })
}
const served = async ({ id }: Site): Promise<boolean> =>
  (
    await api.database.system((tx) =>
      tx.query(`SELECT FROM publication WHERE kind = 'dns-zone' AND key = $1 AND body IS NOT NULL`, [id]),
    )
  ).length > 0
const isServed = (site: Site) => until(() => served(site))
const isGone = (site: Site) => until(async () => !(await served(site)))

test('organisations get pairs of their own, the same for all their names', { skip: nsdMissing }, async () => {
  const clients = await Promise.all(Array.from({ length: 12 }, () => api.newClient()))
  const pairs = await Promise.all(clients.map(async (client, at) => (await add(client, `own${at}.com`)).nameservers))
  assert.equal(new Set(pairs.map(({ global }) => String(global))).size, clients.length)
  for (const { global } of pairs)
    assert.ok(global.length === 2 && global.every((name) => /^ns\d+\.fairway\.test$/.test(name)))
  const [first] = clients
  assert.ok(first)
  assert.deepEqual((await add(first, 'second.com')).nameservers, pairs[0])
})

test(
  "a stranger's claim is served until the owner proves the name, and then no longer",
  { skip: nsdMissing },
  async () => {
    const [stranger, owner] = [await api.newClient(), await api.newClient()]
    const squat = await becomes(stranger, await add(stranger, 'bank.com'), 'served')
    await isServed(squat)
    const own = await add(owner, 'bank.com')
    assert.equal(short(own), 'claimed-first')
    assert.notDeepEqual(own.nameservers.global, squat.nameservers.global)
    await delegate('bank.com', own.nameservers.global)
    await becomes(owner, own, 'proven by delegation')
    await Promise.all([isServed(own), isGone(squat)])
    assert.equal(short(await stranger.call(get, { site: squat.id })), 'proven-elsewhere')
    const bell = (await stranger.call(notifications.routes.list, {})).data.map(
      ({ event, fields }) => `${event} ${String(fields['site'])} ${String(fields['reason'])}`,
    )
    assert.ok(bell.includes('name-parked bank.com proven-elsewhere'), JSON.stringify(bell))
    const entry = (await stranger.call(auditLog.routes.list, {})).data.find(({ action }) => action === 'site.claim')
    assert.equal(entry?.source, 'system')
    // Nothing of the owner reaches the stranger.
    const all = JSON.stringify([
      await stranger.call(nsStatus, { site: squat.id }),
      await stranger.call(auditLog.routes.list, {}),
    ])
    for (const secret of [own.id, owner.organizationId]) assert.ok(!all.includes(secret))
  },
)

test('a proven name is refused to others, who win it by proving it anew', { skip: nsdMissing }, async () => {
  const [holder, buyer] = [await api.newClient(), await api.newClient()]
  const sold = await add(holder, 'token.com')
  const { proof } = await holder.call(nsStatus, { site: sold.id })
  await setRecords('token.com', `_site-proof IN TXT "${proof?.value}"`)
  await becomes(holder, sold, 'proven by txt')
  assert.equal((await buyer.refusal(create, { domainName: 'token.com' })).code, 900103)
  assert.equal((await buyer.refusal(addSite.routes.create, { domainName: 'token.com' })).code, 900103)
  const bought = await add(buyer, 'token.com', true)
  assert.equal(short(bought), 'proven-elsewhere')
  const own = await buyer.call(nsStatus, { site: bought.id })
  assert.notEqual(own.proof?.value, proof?.value)
  await setRecords('token.com', `_site-proof IN TXT "${proof?.value}"\n_site-proof IN TXT "${own.proof?.value}"`)
  await becomes(buyer, bought, 'proven by txt')
  // The former owner's record still stands there, but its token is no longer asked for.
  assert.equal(short(await becomes(holder, sold, 'proven-elsewhere')), 'proven-elsewhere')
  assert.notEqual((await holder.call(nsStatus, { site: sold.id })).proof?.value, proof?.value)
  await Promise.all([isServed(bought), isGone(sold)])
  // A look that began before the name was lost ends after it: what it has found is the token of then.
  await api.database.system((tx) =>
    settleClaim(
      tx,
      api.config,
      sold.id,
      { parent: 'asked', leads: 'elsewhere', tokenSeen: proof?.value ?? null, isFirst: false },
      new Date(),
    ),
  )
  assert.equal(short(await holder.call(get, { site: sold.id })), 'proven-elsewhere')
})

test('that a name is proven stands in its zone, under the version that was there already', async () => {
  const client = await api.newClient()
  const site = await add(client, 'shown.test')
  await isServed(site)
  const published = async () =>
    (
      await api.database.system((tx) =>
        tx.query<{ version: number; proven: unknown }>(
          `SELECT version, body->'proven' AS proven FROM publication WHERE kind = 'dns-zone' AND key = $1`,
          [site.id],
        ),
      )
    )[0]
  const before = await published()
  assert.equal(before?.proven, null)
  const look = { parent: 'asked', leads: 'to-pair', tokenSeen: null, isFirst: false } as const
  await api.database.system((tx) => settleClaim(tx, api.config, site.id, look, new Date()))
  await until(async () => (await published())?.proven === true)
  assert.equal((await published())?.version, before.version)
  // What a former version published is put right by the start of this one.
  await api.database.system(async (tx) => {
    await tx.query(`UPDATE publication SET body = body - 'proven' WHERE kind = 'dns-zone' AND key = $1`, [site.id])
    await prepareInstallation(tx, api.config)
  })
  await until(async () => (await published())?.proven === true)
})

test('a deleted name whose delegation still leads here is nobody else’s', { skip: nsdMissing }, async () => {
  const [owner, duck] = [await api.newClient(), await api.newClient()]
  const dangling = await add(owner, 'dangling.com')
  await delegate('dangling.com', dangling.nameservers.global)
  await becomes(owner, dangling, 'proven by delegation')
  await owner.call(remove, { site: dangling.id, confirmName: 'dangling.com' })
  await isGone(dangling)
  const taken = await add(duck, 'dangling.com')
  assert.equal(short(taken), 'reserved')
  await becomes(duck, taken, 'delegated-elsewhere')
  assert.equal(await served(taken), false)
  // Long after the reservation the delegation is still no proof: the pair was another one's.
  await api.database.system((tx) =>
    tx.query(
      `UPDATE claimed_name SET ended_at = now() - interval '90 days', reserved_until = now() - interval '60 days' WHERE organization_id = $1`,
      [owner.organizationId],
    ),
  )
  await api.database.system((tx) =>
    tx.query(
      'UPDATE site SET nameserver_pair = (SELECT nameserver_pair FROM claimed_name WHERE organization_id = $2) WHERE id = $1',
      [taken.id, owner.organizationId],
    ),
  )
  await duck.call(checkNameservers, { site: taken.id })
  await until(async () => (await duck.call(nsStatus, { site: taken.id })).dnsState === 'verified')
  assert.equal(short(await duck.call(get, { site: taken.id })), 'delegated-elsewhere')
  assert.equal(await served(taken), false)
  // The owner comes back to what it had.
  const back = await add(owner, 'dangling.com')
  await becomes(owner, back, 'proven by delegation')
  assert.deepEqual(back.nameservers, dangling.nameservers)
  await isServed(back)
})

test('within 30 days a deleted name comes back as it was, and waits for nobody', { skip: nsdMissing }, async () => {
  const [owner, other] = [await api.newClient(), await api.newClient()]
  const site = await add(owner, 'twice.com')
  await becomes(owner, site, 'served')
  await owner.call(remove, { site: site.id, confirmName: 'twice.com' })
  const waiting = await add(other, 'twice.com')
  assert.equal(short(await becomes(other, waiting, 'reserved')), 'reserved')
  await api.database.system((tx) =>
    tx.query(`UPDATE claimed_name SET reserved_until = now() WHERE organization_id = $1`, [owner.organizationId]),
  )
  await becomes(other, waiting, 'served')
  await isServed(waiting)
})

test(
  'a name that leads here at a pair that several organisations have proves nothing by that',
  { skip: nsdMissing },
  async () => {
    const [early, twin] = [await api.newClient(), await api.newClient()]
    const { nameservers } = await add(early, 'first-of-early.com')
    await api.database.system((tx) =>
      tx.query(
        'UPDATE organization SET nameserver_pair = (SELECT nameserver_pair FROM organization WHERE id = $1) WHERE id = $2',
        [early.organizationId, twin.organizationId],
      ),
    )
    // The owner sets the nameservers that it knows, before it adds the name; somebody with the same pair is faster.
    await delegate('planned.com', nameservers.global)
    const fished = await add(twin, 'planned.com')
    const parked = await becomes(twin, fished, 'delegated-elsewhere')
    assert.notDeepEqual(parked.nameservers.global, nameservers.global)
    assert.equal(await served(fished), false)
    const own = await becomes(early, await add(early, 'planned.com'), 'delegated-elsewhere')
    await delegate('planned.com', own.nameservers.global)
    await becomes(early, own, 'proven by delegation')
  },
)

test(
  'our own answers prove nothing: neither a TXT record in our zone nor a delegation that only we tell',
  { skip: nsdMissing },
  async () => {
    const [owner, thief] = [await api.newClient(), await api.newClient()]
    const own = await add(owner, 'lured.com')
    await delegate('lured.com', own.nameservers.global)
    await becomes(owner, own, 'proven by delegation')
    const stolen = await add(thief, 'lured.com', true)
    const { proof } = await thief.call(nsStatus, { site: stolen.id })
    await thief.call(dnsRecords.routes.create, {
      site: stolen.id,
      type: 'TXT',
      name: '_site-proof',
      value: proof?.value ?? '',
    })
    await thief.call(checkNameservers, { site: stolen.id })
    await until(async () => (await thief.call(nsStatus, { site: stolen.id })).reason === 'otherPair')
    assert.equal(short(await thief.call(get, { site: stolen.id })), 'proven-elsewhere')
    assert.equal(await served(stolen), false)
  },
)

test(
  'a name whose parent cannot be asked waits; one without a proof is parked and then removed',
  { skip: nsdMissing },
  async () => {
    const client = await api.newClient()
    const away = await add(client, 'nowhere.net')
    await client.call(checkNameservers, { site: away.id })
    await until(async () => (await client.call(nsStatus, { site: away.id })).reason === 'parentAway')
    assert.equal(short(await client.call(get, { site: away.id })), 'looking')
    assert.equal(await served(away), false)
    const late = await becomes(client, await add(client, 'late.com'), 'served')
    const age = (column: string, days: number) =>
      api.database.system((tx) =>
        tx.query(`UPDATE site SET ${column} = now() - make_interval(days => $2) WHERE id = $1`, [late.id, days]),
      )
    // A clock that was ahead has put the next look there, and nobody says yet that it is right now.
    const before = (await client.call(nsStatus, { site: late.id })).checkedAt
    await api.database.system((tx) => noteClock(tx, 86_400))
    await age('claimed_at', 28)
    await api.database.system((tx) =>
      tx.query(`UPDATE site_task SET due_at = now() + interval '30 days' WHERE site_id = $1`, [late.id]),
    )
    await api.database.system((tx) => tx.query(`SELECT pg_notify('site-task', '')`))
    await until(async () => (await client.call(nsStatus, { site: late.id })).checkedAt !== before)
    assert.equal(short(await client.call(get, { site: late.id })), 'served')
    await api.database.system((tx) => tx.query('DELETE FROM operator_hold'))
    await becomes(client, late, 'no-proof')
    await isGone(late)
    await age('claim_since', 30)
    // A look that is under way may have removed it already.
    await client.call(checkNameservers, { site: late.id }).catch(() => null)
    await until(async () => (await client.refusal(get, { site: late.id }).catch(() => null))?.status === 404)
    // Deleting and adding does not start the 28 days anew.
    const again = await add(client, 'late.com')
    assert.equal(again.claim.state, 'looking')
  },
)

test('of several at the same time one is served', { skip: nsdMissing }, async () => {
  const clients = await Promise.all([api.newClient(), api.newClient(), api.newClient()])
  const made = await Promise.all(clients.map((client) => add(client, 'race.com')))
  assert.deepEqual(made.map(short).sort(), ['claimed-first', 'claimed-first', 'looking'])
  assert.equal(new Set(made.map(({ nameservers }) => String(nameservers.global))).size, 3)
})

test('claims at, above and below a name are found by indexes, and those of other names do not wait for each other', async () => {
  const client = await api.newClient()
  const rolledBack = new Error('as it was')
  await api.database
    .system(async (tx) => {
      const names = ['two.co', 'a.two.co', 'b.a.two.co', 'ba.two.co', 'x_a.two.co', 'two.co.b']
      await tx.query('INSERT INTO site (organization_id, domain_name) SELECT $1, unnest($2::text[])', [
        client.organizationId,
        names,
      ])
      const around = async (name: string) => (await claimsAround(tx, name)).map(({ domain_name }) => domain_name).sort()
      assert.deepEqual(await around('a.two.co'), ['a.two.co', 'b.a.two.co', 'two.co'])
      assert.deepEqual(await around('two.co'), ['a.two.co', 'b.a.two.co', 'ba.two.co', 'two.co', 'x_a.two.co'])
      await tx.query('SET LOCAL enable_seqscan = off')
      const plan = await tx.query(`EXPLAIN ${CLAIMS_AROUND}`, [['two.co'], 'oc.owt'])
      assert.match(JSON.stringify(plan), /site_reverse_idx/)
      // While this transaction has the names below two.co, others are looked at and the same ones are not.
      await api.database.aside((other) => claimsAround(other, 'another.co'))
      const same = api.database.aside(async (other) => {
        await other.query(`SET LOCAL lock_timeout = '100ms'`)
        return claimsAround(other, 'c.two.co')
      })
      await assert.rejects(same, /lock timeout/)
      throw rolledBack
    })
    .catch((error: unknown) => {
      if (error !== rolledBack) throw error
    })
})
