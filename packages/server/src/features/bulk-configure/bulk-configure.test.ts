import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  apiKeys,
  auditLog,
  botManagement,
  bulkConfigure,
  cacheRules,
  cdnManagement,
  certificates,
  crsRules,
  dnsRecords,
  domains,
  versions,
  type BulkChange,
} from '@fairway/contract'
import { OutgoingGate } from '@fairway/platform'
import { clientOf, startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { Failure } from '../../http/failure.ts'
import { makeCertificate } from '../../testing/made-certificates.ts'
import { newSteeredDomain, type SteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'
import { startBulkConfigure } from './run-bulk.ts'
import { forgetJobs, takeItems } from './store.ts'
import { tried } from './tried.ts'

const { create, get, list, preview, retry } = bulkConfigure.routes
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

/** A site with two names and a wildcard, all steered. */
async function threeDomains(): Promise<SteeredDomain & { ids: { www: string; shop: string; wild: string } }> {
  const own = await newSteeredDomain(api)
  const add = async (name: string) =>
    (
      await own.client.call(dnsRecords.routes.create, {
        site: own.site,
        type: 'A',
        name,
        value: '8.8.8.8',
        multiCdn: true,
      })
    ).data.domainId ?? ''
  const shop = await add('shop')
  const wild = await add('wild')
  // Wildcards come from plans that have them; the rules go by the name.
  await api.database.system((tx) => tx.query(`UPDATE domain SET name = '*.' || name WHERE id = $1`, [wild]))
  return { ...own, ids: { www: own.domain, shop, wild } }
}

const finished = (client: Client, id: string) =>
  until(async () => {
    const job = await client.call(get, { id })
    return job.finishedAt !== null && job
  })
async function run(client: Client, domainIds: string[], change: BulkChange) {
  const job = await finished(client, (await client.call(create, { domainIds, change })).data.id)
  return job.items.map(({ name, state, code }) => [name.split('.')[0], state, code])
}

test('every domain is brought to what is wanted as one version of its own, and only what differs changes', async () => {
  const { client, site, ids } = await threeDomains()
  await client.call(domains.routes.update, {
    site,
    domain: ids.shop,
    settings: { http2: false, compression: 'brotli', tags: ['old', 'kept'] },
  })
  const change: BulkChange = {
    tab: 'general',
    origin: { port: 8443, appendAddresses: ['9.9.9.9'] },
    settings: { http2: false, compression: 'brotli' },
    addTags: ['new'],
    removeTags: ['old'],
  }
  const seen = (await client.call(preview, { domainIds: [ids.www, ids.shop], change })).data
  assert.deepEqual(
    seen.map(({ code, changes }) => [
      code,
      changes.length,
      changes[0]?.before?.['origin_port'],
      changes[0]?.after?.['origin_port'],
    ]),
    [
      [null, 1, 80, 8443],
      [null, 1, 80, 8443],
    ],
  )
  const wild = (await client.call(domains.routes.get, { site, domain: ids.www })).origin.port
  assert.equal(wild, 80)
  const job = await finished(client, (await client.call(create, { domainIds: [ids.www, ids.shop], change })).data.id)
  assert.deepEqual(
    job.items.map(({ state }) => state),
    ['done', 'done'],
  )
  const shop = await client.call(domains.routes.get, { site, domain: ids.shop })
  assert.deepEqual(
    [shop.origin.port, shop.origin.spareAddresses, shop.settings.tags],
    [8443, ['9.9.9.9'], ['kept', 'new']],
  )
  const version = await client.call(versions.routes.get, { site, number: String(job.items[0]?.version) })
  assert.deepEqual([version.changes.length, version.author], [1, client.email])
  assert.notEqual(job.items[0]?.version, job.items[1]?.version)
  assert.deepEqual(await run(client, [ids.www, ids.shop], change), [
    ['shop', 'unchanged', null],
    ['www', 'unchanged', null],
  ])
  const actions = (await client.call(auditLog.routes.list, {})).data.map(({ action }) => action)
  assert.deepEqual(
    [
      actions.filter((action) => action === 'bulk.start').length,
      actions.filter((action) => action === 'bulk.apply').length,
    ],
    [2, 2],
  )
})

test('what one domain refuses is told with its code and keeps nothing of that domain back, while the others change; it can be tried again', async () => {
  const { client, site, ids } = await threeDomains()
  await client.call(cdnManagement.routes.install, { site, domain: ids.shop, cdnId: 'swiftlane' })
  const change: BulkChange = {
    tab: 'cache',
    defaultExpiry: { value: 3, unit: 'hour' },
    rules: [{ type: 'directory', path: '/images/', expiry: { value: 1, unit: 'day' }, honorOrigin: false }],
    noCache: [{ type: 'extension', path: '.php' }],
    purge: { kind: 'all', targets: [], soft: true },
  }
  const previews = (await client.call(preview, { domainIds: Object.values(ids), change })).data
  assert.deepEqual(
    previews.map(({ name, code }) => [name.split('.')[0], code]),
    [
      ['*', 27_029],
      ['shop', null],
      ['www', 27_031],
    ],
  )
  const { id } = (await client.call(create, { domainIds: Object.values(ids), change })).data
  const job = await finished(client, id)
  assert.deepEqual(
    job.items.map(({ name, state, code }) => [name.split('.')[0], state, code]),
    [
      ['*', 'failed', 27_029],
      ['shop', 'done', null],
      ['www', 'failed', 27_031],
    ],
  )
  const rules = async (domain: string) => [
    ...(await client.call(cacheRules.routes.list, { site, domain })).data.map(
      ({ path, ttlSeconds }) => `${path} ${ttlSeconds}`,
    ),
    ...(await client.call(cacheRules.routes.noCache, { site, domain })).data.map(({ path }) => path),
  ]
  assert.deepEqual(await rules(ids.shop), ['/images/ 86400', '/ 10800', '.php'])
  assert.equal((await rules(ids.www)).length, 1)
  await client.call(cdnManagement.routes.install, { site, domain: ids.www, cdnId: 'swiftlane' })
  await client.call(retry, { id })
  assert.deepEqual((await finished(client, id)).counts, { waiting: 0, done: 2, unchanged: 0, failed: 1 })
  assert.deepEqual(
    (await client.call(list, {})).data.map((one) => [one.id, one.counts.failed]),
    [[id, 1]],
  )
  assert.equal(
    (
      await client.refusal(create, {
        domainIds: [ids.www],
        change: { tab: 'general', origin: { address: 'no address' } },
      })
    ).code,
    400,
  )
  assert.deepEqual(await run(client, [ids.www], { tab: 'general', origin: { address: '169.254.169.254' } }), [
    ['www', 'failed', 400],
  ])
})

test('bots and rule sets change where the shield is in use, only what was asked, and say what they would change first', async () => {
  const { client, site, ids } = await threeDomains()
  await client.call(domains.routes.update, { site, domain: ids.www, settings: { originShield: 'use' } })
  await client.call(domains.routes.update, { site, domain: ids.shop, settings: { originShield: 'bypass' } })
  await client.call(botManagement.routes.update, { site, domain: ids.www, challengeMode: 'human' })
  const change: BulkChange = {
    tab: 'security',
    bots: { securityLevel: 'high', verifiedCrawlers: false },
    crs: { enabled: true, mode: 'simulate', paranoiaLevel: 2 },
  }
  const seen = (await client.call(preview, { domainIds: [ids.www, ids.shop], change })).data
  assert.deepEqual(
    seen.map(({ code, fields, changes }) => [code, fields[0]?.path, changes.map(({ entity }) => entity)]),
    [
      [400, 'originShield', []],
      [null, undefined, ['bot-management', 'crs-rules']],
    ],
  )
  const before = await client.call(botManagement.routes.get, { site, domain: ids.www })
  assert.equal(before.securityLevel, 'off')
  assert.deepEqual(await run(client, [ids.www, ids.shop], change), [
    ['shop', 'failed', 400],
    ['www', 'done', null],
  ])
  const bots = await client.call(botManagement.routes.get, { site, domain: ids.www })
  assert.deepEqual([bots.securityLevel, bots.verifiedCrawlers, bots.challengeMode], ['high', false, 'human'])
  const crs = await client.call(crsRules.routes.get, { site, domain: ids.www })
  assert.deepEqual([crs.enabled, crs.mode, crs.paranoiaLevel], [true, 'simulate', 2])
  assert.deepEqual(await run(client, [ids.www], change), [['www', 'unchanged', null]])
  // The shield and what needs it may come with one job.
  assert.deepEqual(await run(client, [ids.shop], { ...change, originShield: 'use' }), [['shop', 'done', null]])
  const without = await newSteeredDomain(api, { planId: 'business' })
  assert.equal((await without.client.refusal(create, { domainIds: [without.domain], change })).code, 27_005)
  assert.equal(
    (await client.refusal(create, { domainIds: [ids.www], change: { ...change, crs: { paranoiaLevel: 5 } } })).code,
    400,
  )
})

test('CDNs are installed, switched and taken away where that can be; the last one stays', async () => {
  const { client, site, ids } = await threeDomains()
  const here = async (domain: string) =>
    (await client.call(cdnManagement.routes.list, { site, domain })).data
      .filter(({ state }) => state !== 'deleting')
      .map(({ cdnId, enabled }) => `${cdnId} ${enabled ? 'on' : 'off'}`)
      .sort()
  assert.deepEqual(await run(client, [ids.www, ids.shop], { tab: 'multi-cdn', install: ['swiftlane', 'polaris'] }), [
    ['shop', 'done', null],
    ['www', 'done', null],
  ])
  assert.deepEqual(await run(client, [ids.www, ids.shop], { tab: 'multi-cdn', disable: ['polaris', 'tidewater'] }), [
    ['shop', 'done', null],
    ['www', 'done', null],
  ])
  assert.deepEqual(
    [await here(ids.www), await here(ids.shop)],
    [
      ['polaris off', 'swiftlane on'],
      ['polaris off', 'swiftlane on'],
    ],
  )
  assert.deepEqual(await run(client, [ids.www], { tab: 'multi-cdn', uninstall: ['swiftlane'] }), [
    ['www', 'failed', 27_906],
  ])
  assert.deepEqual(await run(client, [ids.www], { tab: 'multi-cdn', enable: ['polaris'], uninstall: ['swiftlane'] }), [
    ['www', 'done', null],
  ])
  assert.deepEqual(await here(ids.www), ['polaris on'])
})

test('HTTPS, the shield and certificates are asked of each domain, and a certificate that is there is not ordered again', async () => {
  const { client, site, ids, host } = await threeDomains()
  const https = { tab: 'security', alwaysHttps: true, originShield: 'use' } as const
  assert.deepEqual(await run(client, [ids.www], https), [['www', 'failed', 27_040]])
  const made = makeCertificate({ subject: `/CN=${host}`, names: [host] })
  const { id } = (await client.call(certificates.routes.upload, { site, ...made })).data
  assert.deepEqual(await run(client, [ids.www], https), [['www', 'done', null]])
  await client.call(certificates.routes.remove, { id, confirm: true })
  const { settings } = await client.call(domains.routes.get, { site, domain: ids.www })
  assert.deepEqual([settings.alwaysHttps, settings.originShield], [true, 'use'])
  // No authority is set up here.
  assert.deepEqual(await run(client, [ids.www], { tab: 'security', certificate: 'lets-encrypt' }), [
    ['www', 'failed', 28_018],
  ])
  const { name } = await client.call(domains.routes.get, { site, domain: ids.www })
  await api.database.system((tx) =>
    tx.query(`INSERT INTO certificate (organization_id, site_id, type, names) VALUES ($1, $2, 'lets-encrypt', $3)`, [
      client.organizationId,
      site,
      [name],
    ]),
  )
  assert.deepEqual(await run(client, [ids.www], { tab: 'security', certificate: 'lets-encrypt' }), [
    ['www', 'unchanged', null],
  ])
})

test('a job goes on where a worker died, changes nothing twice, and ends with the rights of who asked', async () => {
  const { client, site, ids } = await threeDomains()
  const {
    meta: { total },
  } = await client.call(versions.routes.list, { site })
  // Taken by a worker that is gone: its lease has just ended. Two workers then want the same.
  const { id } = (
    await client.call(create, {
      domainIds: [ids.www, ids.shop],
      change: { tab: 'general', settings: { ignoreQuery: true } },
    })
  ).data
  await api.database.system((tx) =>
    tx.query(
      `UPDATE bulk_item SET leased_until = now() - interval '1 second' WHERE job_id = $1 AND state = 'waiting'`,
      [id],
    ),
  )
  await using _second = startBulkConfigure(
    api.config,
    new OutgoingGate({ config: api.config, log: api.log }),
    api.database,
    api.log,
  )
  assert.deepEqual((await finished(client, id)).counts, { waiting: 0, done: 2, unchanged: 0, failed: 0 })
  assert.equal((await client.call(versions.routes.list, { site })).meta.total, total + 2)
  await api.database.system((tx) => tx.query('UPDATE app_user SET suspended = true WHERE email = $1', [client.email]))
  const [job] = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `WITH job AS (INSERT INTO bulk_job (organization_id, user_id, requested_by, source, ip, permissions, change) SELECT organization_id, user_id, requested_by, source, ip, permissions, '{"tab":"general","settings":{"http2":false}}' FROM bulk_job WHERE id = $1 RETURNING id)
     INSERT INTO bulk_item (organization_id, job_id, domain_id, site_id, name, site_name) SELECT organization_id, job.id, domain_id, site_id, name, site_name FROM bulk_item, job WHERE job_id = $1 RETURNING bulk_item.job_id AS id`,
      [id],
    ),
  )
  const codes = () =>
    api.database.system((tx) =>
      tx.query<{ code: number | null }>('SELECT code FROM bulk_item WHERE job_id = $1', [job?.id]),
    )
  await until(async () => (await codes()).every(({ code }) => code === 1461))
})

test('a job that a key asked for does what the tier of the key may, and nothing once the key is deleted', async () => {
  const { client, site, ids } = await threeDomains()
  await client.call(cdnManagement.routes.install, { site, domain: ids.www, cdnId: 'swiftlane' })
  await api.database.system((tx) => tx.query('UPDATE app_user SET api_tier = 4 WHERE email = $1', [client.email]))
  const made = await client.call(apiKeys.routes.create, { name: 'deploys', tier: 2 })
  const key = clientOf(api.url, made.key)
  const purge: BulkChange = { tab: 'cache', purge: { kind: 'all', targets: [], soft: false } }
  assert.deepEqual(
    (await key.call(preview, { domainIds: [ids.www], change: purge })).data.map(({ code }) => code),
    [403],
  )
  const outcome = async (change: BulkChange) => {
    const { id } = (await key.call(create, { domainIds: [ids.www], change })).data
    return (await finished(client, id)).items.map(({ state, code }) => [state, code])
  }
  assert.deepEqual(await outcome(purge), [['failed', 403]])
  assert.deepEqual(await outcome({ tab: 'multi-cdn', uninstall: ['swiftlane'] }), [['failed', 403]])
  assert.deepEqual(await outcome({ tab: 'general', settings: { http2: false } }), [['done', null]])
  await api.database.system((tx) =>
    tx.query(`UPDATE bulk_item SET state = 'failed' WHERE organization_id = $1`, [client.organizationId]),
  )
  const [job] = (await client.call(list, {})).data
  await key.call(retry, { id: job?.id ?? '' })
  await finished(client, job?.id ?? '')
  const own = (await client.call(create, { domainIds: [ids.www], change: purge })).data.id
  await finished(client, own)
  await api.database.system((tx) =>
    tx.query(`UPDATE bulk_item SET state = 'failed' WHERE organization_id = $1`, [client.organizationId]),
  )
  assert.equal((await key.refusal(retry, { id: own })).status, 403, "a person's job, which may do more than the key")
  await client.call(apiKeys.routes.remove, { id: made.data.id })
  await client.call(retry, { id: job?.id ?? '' })
  assert.deepEqual(
    (await finished(client, job?.id ?? '')).items.map(({ code }) => code),
    [401],
  )
})

test("one organisation's thousand domains keep nobody waiting, and it has five unfinished jobs at most", async () => {
  const [greedy, modest, late] = [await newSteeredDomain(api), await newSteeredDomain(api), await newSteeredDomain(api)]
  const taken = await api.database.system(async (tx) => {
    // What others wait for is nobody's business here, and nothing of it is kept.
    await tx.query(`UPDATE bulk_item SET state = 'done', finished_at = now() WHERE state = 'waiting'`)
    for (const [client, domains] of [
      [greedy.client, 1000],
      [modest.client, 3],
      [late.client, 3],
    ] as const)
      await tx.query(
        `WITH job AS (INSERT INTO bulk_job (organization_id, user_id, requested_by, source, ip, permissions, change, created_at) SELECT organization_id, id, email, 'console', '127.0.0.1', permissions, '{}', now() - make_interval(secs => $3) FROM app_user WHERE email = $1 RETURNING *)
         INSERT INTO bulk_item (organization_id, job_id, domain_id, site_id, name, site_name) SELECT organization_id, id, gen_random_uuid(), gen_random_uuid(), 'd' || n, 's' FROM job, generate_series(1, $2::int) n`,
        [client.email, domains, domains],
      )
    const turns: string[] = []
    for (let n = 0; n < 6; n++) {
      const items = await takeItems(tx, 2)
      for (const { organization_id, job_id, domain_id } of items) {
        turns.push(organization_id)
        await tx.query(
          `UPDATE bulk_item SET state = 'done', leased_until = NULL, finished_at = clock_timestamp() WHERE job_id = $1 AND domain_id = $2`,
          [job_id, domain_id],
        )
      }
    }
    await tx.query('DELETE FROM bulk_job WHERE user_id IN (SELECT id FROM app_user WHERE email = ANY ($1))', [
      [greedy.client.email, modest.client.email, late.client.email],
    ])
    return turns
  })
  const of = (id: string) => taken.filter((one) => one === id).length
  assert.equal(taken.length, 12)
  assert.deepEqual([of(modest.client.organizationId), of(late.client.organizationId)], [3, 3])
  const change: BulkChange = { tab: 'general', settings: { http2: false } }
  await api.database.system((tx) =>
    tx.query(
      `WITH job AS (INSERT INTO bulk_job (organization_id, user_id, requested_by, source, ip, permissions, change) SELECT organization_id, id, email, 'console', '127.0.0.1', permissions, '{}' FROM app_user, generate_series(1, 5) WHERE email = $1 RETURNING *)
       INSERT INTO bulk_item (organization_id, job_id, domain_id, site_id, name, site_name, leased_until) SELECT organization_id, id, gen_random_uuid(), gen_random_uuid(), 'd', 's', now() + interval '1 hour' FROM job`,
      [modest.client.email],
    ),
  )
  assert.equal((await modest.client.refusal(create, { domainIds: [modest.domain], change })).code, 429)
  assert.deepEqual(await run(late.client, [late.domain], change), [['www', 'done', null]])
})

test('jobs are forgotten a month after their end, and beyond the newest hundred; those that wait stay', async () => {
  const { client, ...own } = await newSteeredDomain(api)
  const change: BulkChange = { tab: 'general', settings: { http2: false } }
  await run(client, [own.domain], change)
  const made = async (count: number, days: number, state: string, doneDays = days) =>
    api.database.system((tx) =>
      tx.query(
        `WITH job AS (INSERT INTO bulk_job (organization_id, user_id, requested_by, source, ip, permissions, change, created_at) SELECT organization_id, id, email, 'console', '127.0.0.1', permissions, $6, now() - make_interval(days => $3, secs => n) FROM app_user, generate_series(1, $2::int) n WHERE email = $1 RETURNING *)
         INSERT INTO bulk_item (organization_id, job_id, domain_id, site_id, name, site_name, state, finished_at, leased_until) SELECT organization_id, id, gen_random_uuid(), gen_random_uuid(), 'd', 's', $4, now() - make_interval(days => $5), now() + interval '1 hour' FROM job`,
        [client.email, count, days, state, doneDays, JSON.stringify(change)],
      ),
    )
  const kept = async () => {
    while (await api.database.system(forgetJobs));
    const [row] = await api.database.system((tx) =>
      tx.query<{ count: number }>('SELECT count(*)::int AS count FROM bulk_job WHERE organization_id = $1', [
        client.organizationId,
      ]),
    )
    return row?.count
  }
  await made(3, 31, 'done')
  await made(1, 31, 'waiting')
  await made(1, 31, 'failed', 1)
  assert.equal(await kept(), 3)
  await made(250, 2, 'done')
  assert.equal(await kept(), 101)
  const recent = (await client.call(list, {})).data
  assert.deepEqual([recent.length, recent[0]?.counts.done, recent[9]?.counts.done], [10, 1, 1])
  assert.ok(recent.every(({ finishedAt }) => finishedAt !== null))
})

test('what was tried leaves no savepoint open for the next to lie in', async () => {
  for (const work of [() => Promise.resolve(1), () => Promise.reject(new Failure(404))])
    for (const keep of [true, false])
      await assert.rejects(
        api.database.system(async (tx) => {
          await tried(tx, work, keep)
          await tx.query('RELEASE SAVEPOINT tried')
        }),
        /savepoint "tried" does not exist/,
      )
})

test('only editors of plans that have it, and only their own domains', async () => {
  const own = await newSteeredDomain(api)
  const other = await newSteeredDomain(api)
  const change: BulkChange = { tab: 'general', settings: { http2: false } }
  assert.equal((await own.client.refusal(create, { domainIds: [own.domain, other.domain], change })).code, 404)
  assert.equal((await own.client.refusal(preview, { domainIds: [other.domain], change })).code, 404)
  const viewer = await api.colleague(own.client, ['ViewSite'])
  assert.equal((await viewer.refusal(create, { domainIds: [own.domain], change })).code, 403)
  assert.deepEqual((await viewer.call(list, {})).data, [])
  const small = await newSteeredDomain(api, { planId: 'business' })
  assert.equal((await small.client.refusal(preview, { domainIds: [small.domain], change })).code, 27_005)
})
