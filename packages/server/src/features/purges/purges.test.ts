import assert from 'node:assert/strict'
import http from 'node:http'
import { after, before, test } from 'node:test'
import {
  type CachedObjects,
  cdnManagement,
  dnsRecords,
  type EdgePurges,
  notifications,
  purges,
  type Purge,
} from '@fairway/contract'
import { startControl, type Tx } from '@fairway/platform'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { attach, newSteeredDomain, type SteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'
import { buildEdgePurges, IN_FORCE, marksOf } from '../../publish/edge-purges.ts'
import { forgetOld } from '../notifications/forget-old.ts'
import { overallStatus } from './overall-status.ts'
import { tellFailedPurge, watchPurges } from './purge-failed.ts'
import { leasePending, type Pending } from './purger-store.ts'

const { list, get, create, undo, preview } = purges.routes
let api: ApiUnderTest
let dns: NodeUnderTest
let edge: NodeUnderTest
let own: SteeredDomain
let control: Awaited<ReturnType<typeof startControl>>
/** What the edge node says that it holds. */
const NOTHING: CachedObjects = { objects: 0, bytes: 0, cdns: {}, samples: [], complete: true, top: [] }
let held: CachedObjects = NOTHING
/** What stands at the edge's address: a copy that stays, whatever it is told, one that is new each time, or nobody. */
let isThere = false
let freshSeconds: number | null = null
const website = http.createServer((_, response) => {
  if (!isThere) return void response.destroy()
  const date = new Date(Date.UTC(2030, 0, 1) + 1_000 * (freshSeconds === null ? 0 : freshSeconds++))
  response.writeHead(200, { date: date.toUTCString() }).end('old')
})
before(async () => {
  await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve))
  const bound = website.address()
  assert.ok(bound && typeof bound === 'object')
  api = await startApiUnderTest({ FAIRWAY_EDGE_HTTP: `127.0.0.1:${bound.port}` })
  dns = startNodeUnderTest(api, 'dns')
  control = await startControl({
    config: api.config,
    role: 'edge',
    log: api.log,
    ready: () => ({ ready: true, reasons: [] }),
    routes: { 'POST /cached-objects': () => held },
  })
  edge = startNodeUnderTest(api, 'edge', 'node', control.url)
  own = await newSteeredDomain(api)
  await attach(own, ['edge', 'tidewater'])
})
after(async () => {
  await Promise.all([dns, edge].map((node) => node[Symbol.asyncDispose]()))
  await control[Symbol.asyncDispose]()
  website.close()
  await api[Symbol.asyncDispose]()
})

type Wanted = { kind: Purge['kind']; targets?: string[]; domainIds?: string[]; soft?: boolean }
const input = (wanted: Wanted) => ({ site: own.site, domainIds: [own.domain], ...wanted })
const refused = async (wanted: Wanted) => {
  const { code, fields } = await own.client.refusal(create, input(wanted))
  return [code, fields[0]?.path, fields[0]?.message]
}
const purged = async (wanted: Wanted): Promise<Purge> => {
  const [made] = (await own.client.call(create, input(wanted))).data
  assert.ok(made)
  return made
}

test('a purge reaches the edge as a mark, and its receipts come when the edge has confirmed it', async () => {
  const made = await purged({ kind: 'url', targets: ['/a//b/../%7Ec?x=1', `https://${own.host}/whole`] })
  assert.deepEqual(
    [made.status, made.targets, made.receipts.map(({ cdnId, status }) => [cdnId, status])],
    [
      'deploying',
      ['/a/~c?x=1', '/whole'],
      [
        ['tidewater', 'deploying'],
        ['edge', 'deploying'],
      ],
    ],
  )
  const document = await until(async () => edge.document('edge-purges', own.domain))
  assert.deepEqual(
    document.marks.map(({ kind, value, soft }) => [kind, value, soft]),
    [
      ['url', '/a/~c?x=1', false],
      ['url', '/whole', false],
    ],
  )
  const over = await until(async () => {
    const now = await own.client.call(get, { site: own.site, id: made.id })
    return now.status === 'completed' && now
  })
  assert.deepEqual(
    over.receipts.map(({ detail }) => detail?.code),
    ['nothing-stored', 'nothing-stored'],
  )
  assert.ok(
    (await own.client.call(list, { site: own.site, domain_id: own.domain })).data.some(({ id }) => id === made.id),
  )
})

/** The part of the CDN that is our own edge, when it is over. */
const edgePart = async (wanted: Wanted) => {
  const { id } = await purged(wanted)
  return until(async () => {
    const { receipts } = await own.client.call(get, { site: own.site, id })
    const part = receipts.find(({ cdnId }) => cdnId === 'edge')
    return part && part.status !== 'deploying' && part
  })
}

/** A purge of another name of the site that has failed there. */
async function otherFailed(name: string): Promise<string> {
  const { site, client } = own
  const { data } = await client.call(dnsRecords.routes.create, {
    site,
    type: 'A',
    name,
    value: '8.8.8.8',
    multiCdn: true,
  })
  await client.call(cdnManagement.routes.install, { site, domain: data.domainId ?? '', cdnId: 'edge' })
  const [made] = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `WITH made AS (INSERT INTO purge (organization_id, site_id, domain_id, kind, targets, soft, requested_by, marked_at, version)
         SELECT organization_id, site_id, id, 'all', '{}', false, 'x', now(), 1 FROM domain WHERE id = $1 RETURNING id, organization_id)
       INSERT INTO purge_receipt (organization_id, purge_id, cdn_id, status, finished_at) SELECT organization_id, id, 'edge', 'failed', now() FROM made RETURNING purge_id AS id`,
      [data.domainId],
    ),
  )
  return made?.id ?? assert.fail()
}

/** As if so long had gone by since all that was purged and told. */
const wait = (minutes: number) =>
  api.database.system(async (tx) => {
    const ago = [own.site, minutes]
    await tx.query(
      'UPDATE purge_receipt r SET finished_at = finished_at - make_interval(mins => $2) FROM purge p WHERE p.id = r.purge_id AND p.site_id = $1',
      ago,
    )
    await tx.query(
      'UPDATE purge SET created_at = created_at - make_interval(mins => $2), marked_at = marked_at - make_interval(mins => $2) WHERE site_id = $1',
      ago,
    )
    await tx.query(
      'UPDATE notification SET created_at = created_at - make_interval(mins => $2) WHERE site_id = $1',
      ago,
    )
  })
const told = async () =>
  (await own.client.call(notifications.routes.list, {})).data.filter(({ event }) => event === 'purge-failed')
const lookedAt = async () => {
  await watchPurges(api.database)
  return (await told()).map(({ endedAt }) => (endedAt === null ? 'open' : 'over'))
}
/** Letters of the end. */
const endsTold = async () =>
  (
    await api.database.system((tx) =>
      tx.query(`SELECT FROM mail_message WHERE fields->>'title' LIKE 'Purges of ' || $1 || ' work on %'`, [siteName()]),
    )
  ).length
const siteName = () => own.host.replace(/^[^.]+\./, '')

test('where a node could not say in time what it holds, nobody says that nothing was stored', async () => {
  held = { ...NOTHING, complete: false }
  isThere = true
  assert.equal((await own.client.call(preview, input({ kind: 'url', targets: ['/kept'] }))).complete, false)
  const kept = await edgePart({ kind: 'url', targets: ['/kept?x=1'] })
  assert.deepEqual(
    [kept.status, kept.detail?.code, kept.detail?.path, kept.looked],
    ['failed', 'still-old', '/kept?x=1', false],
  )
  // People are told, once until purges work there again, with where it was seen.
  assert.deepEqual(
    (await until(async () => (await told()).length > 0 && told())).map(({ fields }) => fields),
    [{ site: siteName(), cdn: 'Fairway Edge', code: 'still-old', reason: '/kept?x=1' }],
  )
  assert.equal((await edgePart({ kind: 'url', targets: ['/kept?x=2'] })).status, 'failed')
  assert.deepEqual(
    (await told()).map(({ endedAt }) => endedAt),
    [null],
  )
  isThere = false
  const others: Wanted[] = [
    { kind: 'url', targets: ['/silent'] },
    { kind: 'directory', targets: ['/folder/'] },
  ]
  for (const wanted of others) {
    const part = await edgePart(wanted)
    assert.deepEqual([part.status, part.detail?.code], ['unknown', 'not-looked'])
  }
  await wait(11)
  assert.deepEqual(await lookedAt(), ['open'], 'where nothing was compared, nothing is proven')
  held = NOTHING
  assert.equal((await edgePart({ kind: 'directory', targets: ['/folder/'] })).detail?.code, 'nothing-stored')
  assert.deepEqual(await lookedAt(), ['open'], 'nor where nothing was stored')
  ;[held, isThere, freshSeconds] = [{ ...NOTHING, complete: false }, true, 0]
  assert.equal((await edgePart({ kind: 'url', targets: ['/kept?x=3'] })).detail?.code, 'seen-gone')
  ;[held, isThere, freshSeconds] = [NOTHING, false, null]
  // As long as one of another name has failed, that they work would not be true of the site; nor while others fail.
  const failing = await otherFailed('one')
  // One that was asked for later, and done before it failed.
  const [before] = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `WITH made AS (INSERT INTO purge (organization_id, site_id, domain_id, kind, targets, soft, requested_by, marked_at, version)
         SELECT organization_id, site_id, domain_id, 'all', '{}', false, 'x', marked_at + interval '5 seconds', 2 FROM purge WHERE id = $1 RETURNING id, organization_id)
       INSERT INTO purge_receipt (organization_id, purge_id, cdn_id, status, detail, finished_at) SELECT organization_id, id, 'edge', 'completed', '{"code": "seen-gone"}', now() - interval '1 minute' FROM made RETURNING purge_id AS id`,
      [failing],
    ),
  )
  assert.deepEqual(await lookedAt(), ['open'], 'one has just failed')
  await wait(11)
  assert.deepEqual(await lookedAt(), ['open'], 'and none of that name was done after it')
  await api.database.system((tx) =>
    tx.query('UPDATE purge_receipt SET finished_at = now() WHERE purge_id = $1', [before?.id]),
  )
  assert.deepEqual([await lookedAt(), await endsTold()], [['over'], 1])
})

test('a failure while its incident ends is told; and what fails at names that are gone is over without a word', async () => {
  const pending = { organizationId: own.client.organizationId, order: { siteId: own.site, cdnId: 'edge' } } as Pending
  const failing = await otherFailed('other')
  await api.database.system((tx) => tellFailedPurge(tx, pending, { code: 'silent' }))
  await wait(11)
  await api.database.system((tx) =>
    tx.query(`UPDATE purge_receipt SET status = 'completed' WHERE purge_id = $1`, [failing]),
  )
  await api.database.system(async (tx) => {
    await tellFailedPurge(tx, pending, { code: 'silent' })
    assert.deepEqual(await lookedAt(), ['open', 'over'], 'one that is told of at this moment')
  })
  assert.deepEqual([await lookedAt(), await endsTold()], [['over', 'over'], 1])
  await api.database.system((tx) => tellFailedPurge(tx, pending, { code: 'silent' }))
  assert.equal((await told()).filter(({ endedAt }) => endedAt === null).length, 1)
  await otherFailed('third')
  await wait(11)
  assert.deepEqual(await lookedAt(), ['open', 'over', 'over'])
  const heard: string[] = []
  await using _ = api.database.listen('console', (payload) => void heard.push(payload))
  await until(async () => heard.length > 0)
  await api.database.system((tx) =>
    tx.query(
      `UPDATE domain d SET removed_at = now() FROM purge p JOIN purge_receipt r ON r.purge_id = p.id AND r.status = 'failed' WHERE d.id = p.domain_id AND p.site_id = $1 AND d.id <> $2`,
      [own.site, own.domain],
    ),
  )
  assert.deepEqual([await lookedAt(), await endsTold()], [['over', 'over', 'over'], 1])
  await until(async () => heard.some((payload) => payload.includes('"notification"')))
})

test('of a CDN without tags a purge by tag takes everything, and the receipt says so before it is seen', async () => {
  await purged({ kind: 'tag', targets: ['news'] })
  const document = await until(async () => {
    const now = edge.document('edge-purges', own.domain)
    return now?.marks.some(({ kind }) => kind === 'tag') && now
  })
  assert.ok(document.marks.some(({ kind, value }) => kind === 'all' && value === 'tidewater'))
})

test('a soft purge can be taken back once (27030); a hard one never', async () => {
  const soft = await purged({ kind: 'directory', targets: ['/soft/'], soft: true })
  await until(async () => edge.document('edge-purges', own.domain)?.marks.some(({ value }) => value === '/soft/'))
  const undone = (await own.client.call(undo, { site: own.site, id: soft.id })).data
  assert.ok(undone.undoneAt)
  // Nothing of it is under way any more, and nothing has failed.
  assert.ok(
    undone.receipts.every(({ status }) => status === 'undone' || status === 'completed' || status === 'unknown'),
    JSON.stringify(undone.receipts),
  )
  await until(async () => edge.document('edge-purges', own.domain)?.marks.every(({ value }) => value !== '/soft/'))
  assert.equal((await own.client.refusal(undo, { site: own.site, id: soft.id })).code, 27_030)
  const hard = await purged({ kind: 'directory', targets: ['/hard/'] })
  assert.equal((await own.client.refusal(undo, { site: own.site, id: hard.id })).code, 27_030)
})

test('targets have the form of their kind, at most ten, none twice', async () => {
  for (const [wanted, path, message] of [
    [{ kind: 'url' }, 'targets', 'required'],
    [{ kind: 'url', targets: ['a'] }, 'targets.0', 'uriPath'],
    [{ kind: 'url', targets: ['/a', '/a b'] }, 'targets.1', 'uriPath'],
    [{ kind: 'url', targets: ['/%zz'] }, 'targets.0', 'uriPath'],
    [{ kind: 'directory', targets: ['/a'] }, 'targets.0', 'cachePathDirectory'],
    [{ kind: 'directory', targets: ['/a/*/'] }, 'targets.0', 'cachePathDirectory'],
    [{ kind: 'directory', targets: ['/a/?b/'] }, 'targets.0', 'cachePathQuery'],
    [{ kind: 'tag', targets: ['a b'] }, 'targets.0', 'cacheTag'],
    [{ kind: 'tag', targets: ['a,b'] }, 'targets.0', 'cacheTag'],
    [{ kind: 'all', targets: ['/a'] }, 'targets.0', 'purgeAllAlone'],
    [{ kind: 'url', targets: ['/a', '/a'] }, 'targets.1', 'duplicateValue'],
    [{ kind: 'url', targets: Array.from({ length: 11 }, (_, i) => `/${i}`) }, 'targets', 'purgeTargets'],
    [{ kind: 'all', domainIds: [] }, 'domainIds', 'required'],
  ] as const)
    assert.deepEqual(
      await refused(structuredClone(wanted) as Wanted),
      [400, path, `validation.${message}`],
      JSON.stringify(wanted),
    )
  await own.client.call(create, input({ kind: 'url', targets: Array.from({ length: 10 }, (_, i) => `/${i}`) }))
})

test('27026: an address of none of the domains', async () =>
  assert.deepEqual((await refused({ kind: 'url', targets: ['https://other.example/a'] })).slice(0, 2), [
    27_026,
    'targets.0',
  ]))

test('27031: a domain without a CDN', async () => {
  await own.client.call(dnsRecords.routes.create, {
    site: own.site,
    type: 'A',
    name: 'bare',
    value: '8.8.8.8',
    multiCdn: true,
  })
  const bare =
    (
      await api.database.system((tx) =>
        tx.query<{ id: string }>(`SELECT id FROM domain WHERE site_id = $1 AND name LIKE 'bare.%'`, [own.site]),
      )
    )[0]?.id ?? ''
  assert.equal((await refused({ kind: 'all', domainIds: [bare] }))[0], 27_031)
  // A path goes for all domains that are selected, an address for its own.
  const both = await own.client.call(
    preview,
    input({ kind: 'url', targets: [`https://${own.host}/x`], domainIds: [own.domain, bare] }),
  )
  assert.deepEqual([both.objects, both.complete], [0, true])
})

test('27028 and 27029: a wildcard takes full addresses, and no other domain beside it', async () => {
  const [row] = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO domain (organization_id, site_id, name, origin_address, origin_port, origin_protocol, host_header) SELECT organization_id, site_id, '*.' || name, origin_address, origin_port, origin_protocol, host_header FROM domain WHERE id = $1 RETURNING id`,
      [own.domain],
    ),
  )
  const wild = row?.id ?? ''
  await own.client.call(cdnManagement.routes.install, { site: own.site, domain: wild, cdnId: 'edge' }).catch(() => {})
  assert.deepEqual((await refused({ kind: 'url', targets: ['/a'], domainIds: [wild] })).slice(0, 2), [
    27_028,
    'targets.0',
  ])
  assert.equal((await refused({ kind: 'url', targets: ['/a'], domainIds: [wild, own.domain] }))[0], 27_029)
  assert.deepEqual(
    (await refused({ kind: 'url', targets: ['https://other.example/a'], domainIds: [wild] })).slice(0, 2),
    [27_026, 'targets.0'],
  )
})

test("another site's domain is not found", async () => {
  const other = await newSteeredDomain(api)
  assert.equal((await refused({ kind: 'all', domainIds: [other.domain] }))[0], 404)
  assert.equal((await refused({ kind: 'all', domainIds: ['nonsense'] }))[0], 404)
})

test('a purge is as far as the least of its CDNs', () => {
  assert.equal(overallStatus(['completed', 'deploying']), 'deploying')
  assert.equal(overallStatus(['completed', 'rate-limited', 'deploying']), 'rate-limited')
  assert.equal(overallStatus(['completed', 'failed', 'deploying']), 'failed')
  assert.equal(overallStatus(['completed', 'unknown']), 'unknown')
  assert.equal(overallStatus(['completed', 'completed']), 'completed')
})

test('marks end at a hard purge of everything, and older ones than a node can hold become one', () => {
  const row = (kind: Purge['kind'], at: number, soft = false, targets = ['/a']) => ({
    kind,
    targets: kind === 'all' ? [] : targets,
    soft,
    at,
  })
  assert.deepEqual(
    marksOf([row('url', 3), row('all', 2), row('url', 1)]).map(({ at }) => at),
    [3, 2],
  )
  assert.deepEqual(
    marksOf([row('all', 2, true), row('url', 1)]).map(({ at }) => at),
    [2, 1],
  )
  const many = marksOf(
    Array.from({ length: 400 }, (_, i) => row('url', 1000 - i, false, ['/a', '/b', '/c', '/d', '/e'])),
  )
  assert.ok(many.length <= 1501)
  assert.deepEqual([many.at(-1)?.kind, many.at(-1)?.at], ['all', 700])
})

test('purges of long ago are forgotten, read no more, and nothing from before them is served', async () => {
  const { client, site, domain } = await newSteeredDomain(api)
  const sql = <Row>(text: string, values: unknown[]) => api.database.system((tx) => tx.query<Row>(text, values))
  await sql(
    `INSERT INTO purge (organization_id, site_id, domain_id, kind, targets, soft, requested_by, marked_at, version)
     SELECT $1::uuid, $2::uuid, $3::uuid, 'url', ARRAY['/' || n], true, 'Ann', now() - interval '31 days' - make_interval(secs => n), 1 FROM generate_series(0, 19999) n
     UNION ALL SELECT $1::uuid, $2::uuid, $3::uuid, 'url', ARRAY['/new'], false, 'Ann', now() - interval '1 day', 2`,
    [client.organizationId, site, domain],
  )
  const marks = async () => {
    const built = await api.database.system((tx) => buildEdgePurges(tx, domain, api.config))
    return built && 'marks' in built.body ? (built.body as EdgePurges).marks : []
  }
  const before = await marks()
  assert.deepEqual(
    before.map(({ kind, value, soft }) => [kind, value, soft]),
    [
      ['url', '/new', false],
      ['all', '', false],
    ],
  )
  const [plan] = await sql<{ 'QUERY PLAN': [{ Plan: { 'Actual Rows': number } }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${IN_FORCE.replace('$1', `'${domain}'`)}`,
    [],
  )
  assert.ok((plan?.['QUERY PLAN'][0].Plan['Actual Rows'] ?? Infinity) < 1_600)
  await forgetOld(api.database)
  const { data, meta } = await client.call(list, { site, ordering: '-created_at' })
  assert.equal(meta.total, 2)
  assert.deepEqual(await marks(), before)
  const old = data.find(({ soft }) => soft)
  assert.equal((await client.refusal(undo, { site, id: old?.id ?? '' })).code, 27030)
})

test("one organisation's thousands of purges leave places for another's", async () => {
  const [busy, other] = [await newSteeredDomain(api), await newSteeredDomain(api)]
  const wanted = async (tx: Tx, of: SteeredDomain, many: number, ago: string) =>
    tx.query(
      `WITH made AS (INSERT INTO purge (organization_id, site_id, domain_id, kind, targets, soft, requested_by, marked_at, version)
         SELECT $1, $2, $3, 'url', ARRAY['/' || n], false, 'Ann', now(), 1 FROM generate_series(1, $4::int) n RETURNING id)
       INSERT INTO purge_receipt (organization_id, purge_id, cdn_id, next_attempt_at) SELECT $1, id, 'tidewater', now() - $5::interval FROM made`,
      [of.client.organizationId, of.site, of.domain, many, ago],
    )
  const rolledBack = new Error('as it was')
  const leased: string[] = []
  await api.database
    .system(async (tx) => {
      await wanted(tx, busy, 2_000, '1 hour')
      await wanted(tx, other, 3, '1 second')
      for (const { organizationId } of await leasePending(tx, 50, 30_000, new Date())) leased.push(organizationId)
      throw rolledBack
    })
    .catch((error: unknown) => assert.equal(error, rolledBack))
  assert.equal(leased.length, 50, 'no place is left empty')
  assert.equal(leased.filter((id) => id === other.client.organizationId).length, 3)
})
