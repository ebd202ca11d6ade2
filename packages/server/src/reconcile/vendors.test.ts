import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { account, auditLog, byoCdnKeys, cdnManagement, certificates, domains, purges } from '@fairway/contract'
import { CLOUDFLARE_VALUES, startFakeCloudflare, type VendorUnderTest } from '@fairway/drivers/testing'
import { OutgoingGate } from '@fairway/platform'
import { startApiUnderTest, type ApiUnderTest } from '../testing/api-under-test.ts'
import { makeCertificate } from '../testing/made-certificates.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../testing/node-under-test.ts'
import { systemVersion } from '../publish/system-version.ts'
import { newSteeredDomain, type SteeredDomain } from '../testing/steered-domain.ts'
import { until } from '../testing/until.ts'
import { driverContext } from './driver-context.ts'
import { reconcile } from './reconciler.ts'
import { leaseUnsettled, type Whose } from './store.ts'

const { install, list, platforms, uninstall } = cdnManagement.routes
let api: ApiUnderTest
let dns: NodeUnderTest
let edge: NodeUnderTest
let vendor: VendorUnderTest
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-vendors-'))
const keysFile = path.join(folder, 'keys.json')

before(async () => {
  vendor = await startFakeCloudflare()
  fs.writeFileSync(keysFile, JSON.stringify({ cloudflare: CLOUDFLARE_VALUES }))
  api = await startApiUnderTest({ FAIRWAY_CDN_KEYS_FILE: keysFile, FAIRWAY_CDN_API_URLS: `cloudflare=${vendor.url}` })
  dns = startNodeUnderTest(api, 'dns')
  edge = startNodeUnderTest(api, 'edge')
})
after(async () => {
  await Promise.all([dns, edge].map((node) => node[Symbol.asyncDispose]()))
  await api[Symbol.asyncDispose]()
  await vendor[Symbol.asyncDispose]()
  fs.rmSync(folder, { recursive: true })
})

const cdnOf = async ({ client, site, domain }: SteeredDomain, cdnId: string) =>
  (await client.call(list, { site, domain })).data.find((cdn) => cdn.cdnId === cdnId)
/** A vendor is asked every ten seconds; tests have no time for that. */
const soon = () => api.database.system((tx) => tx.query('UPDATE domain_cdn SET next_attempt_at = now()'))

test('a vendor that the operator has a key for serves a domain: proof in DNS first, then its name', async () => {
  const own = await newSteeredDomain(api)
  assert.ok(
    (await own.client.call(platforms, { search: 'Cloudflare' })).data.some(
      ({ id, driver }) => id === 'cloudflare' && driver === 'cloudflare',
    ),
  )
  await own.client.call(install, { site: own.site, domain: own.domain, cdnId: 'cloudflare' })
  const proofs = (
    await until(async () => {
      const zone = dns.document('dns-zone', own.site)
      return zone?.rrsets.some(({ name }) => name.startsWith('_cf-custom-hostname')) && zone
    })
  ).rrsets
    .filter(({ type }) => type === 'TXT')
    .map(({ name }) => name)
  assert.deepEqual(proofs.map((name) => name.split('.')[0]).toSorted(), ['_acme-challenge', '_cf-custom-hostname'])
  assert.equal((await cdnOf(own, 'cloudflare'))?.state, 'deploying')
  const { organizationId } = await own.client.call(account.routes.info, {})
  const measured = () => dns.document('probe-targets', organizationId)?.targets.map(({ cdnId }) => cdnId)
  await until(async () => measured() !== undefined)
  assert.deepEqual(measured(), [], 'a CDN that is still being set up would be measured as dead')
  vendor.mood.at = 'comply'
  await until(async () => {
    await soon()
    return (await cdnOf(own, 'cloudflare'))?.state === 'operational'
  })
  const cname = (await cdnOf(own, 'cloudflare'))?.cname ?? ''
  assert.match(cname, /^fairway-[0-9a-f]{16}\.cdn\.example\.net$/)
  await until(async () =>
    dns.document('dns-zone', own.site)?.policies[0]?.cdns.some((cdn) => cdn.cname === cname && cdn.serving),
  )
  await until(async () => measured()?.includes('cloudflare'))

  await own.client.call(domains.routes.update, { site: own.site, domain: own.domain, settings: { ignoreQuery: true } })
  await until(async () => JSON.stringify(vendor.settings()).includes('query_string'))
  assert.equal((await cdnOf(own, 'cloudflare'))?.state, 'operational')

  const [made] = (
    await own.client.call(purges.routes.create, {
      site: own.site,
      domainIds: [own.domain],
      kind: 'tag',
      targets: ['news'],
      soft: false,
    })
  ).data
  const receipt = await until(async () => {
    const { receipts } = await own.client.call(purges.routes.get, { site: own.site, id: made?.id ?? '' })
    return receipts[0]?.status !== 'deploying' && receipts[0]
  })
  assert.deepEqual([receipt.status, receipt.detail?.code], ['unknown', 'vendor-says'])
  assert.deepEqual(
    vendor.purges().map((text) => JSON.parse(text) as unknown),
    [{ tags: ['news'] }],
  )

  await own.client.call(install, { site: own.site, domain: own.domain, cdnId: 'edge' })
  await until(async () => (await cdnOf(own, 'edge'))?.state === 'operational')
  await own.client.call(uninstall, {
    site: own.site,
    domain: own.domain,
    id: (await cdnOf(own, 'cloudflare'))?.id ?? '',
  })
  await until(async () => {
    await api.database.system((tx) =>
      tx.query(
        `UPDATE domain_cdn SET left_dns_at = left_dns_at - interval '10 minutes', next_attempt_at = now() WHERE state = 'deleting'`,
      ),
    )
    return (await cdnOf(own, 'cloudflare')) === undefined
  })
  assert.deepEqual([vendor.things(), vendor.refused], [[], []])
})

test("a key of one's own is a CDN of one's own, and stays while a domain is on it", async () => {
  vendor.mood.at = 'comply'
  const own = await newSteeredDomain(api)
  const { id } = await own.client.call(byoCdnKeys.routes.create, {
    platform: 'cloudflare',
    name: 'Our Cloudflare',
    values: CLOUDFLARE_VALUES,
  })
  const cdn = (await own.client.call(platforms, { search: 'Our Cloudflare' })).data[0]
  assert.deepEqual([cdn?.driver, cdn?.category], ['cloudflare', 'global-cdn'])
  const { data } = await own.client.call(install, { site: own.site, domain: own.domain, cdnId: cdn?.id ?? '' })
  await until(async () => {
    await soon()
    return (await cdnOf(own, cdn?.id ?? ''))?.state === 'operational'
  })
  assert.equal((await own.client.refusal(byoCdnKeys.routes.remove, { id })).code, 8492)

  const made = makeCertificate({ subject: `/CN=${own.host}`, names: [own.host] })
  const uploaded = await own.client.call(certificates.routes.upload, {
    site: own.site,
    certificate: made.certificate,
    privateKey: made.privateKey,
  })
  const atCdn = await until(async () => {
    const [first] = (await own.client.call(certificates.routes.get, { id: uploaded.data.id })).cdns
    return first?.state === 'installed' && first
  })
  assert.deepEqual([atCdn.host, atCdn.name, atCdn.at !== null, atCdn.detail], [own.host, 'Our Cloudflare', true, null])
  assert.equal(vendor.certificates().at(-1)?.trim(), made.certificate.trim())
  // It is asked for another chain, and not because the document was made anew.
  const asked = () =>
    api.database.system((tx) =>
      tx.query('SELECT wanted_version, applied_version FROM domain_cdn WHERE id = $1', [data.id]),
    )
  const before = await asked()
  const number = await api.database.system((tx) =>
    systemVersion(tx, {
      organizationId: own.client.organizationId,
      siteId: own.site,
      title: 'Anew',
      kinds: ['edge-certificates'],
      changes: [],
    }),
  )
  await until(async () => edge.document('edge-certificates', own.site)?.version === number)
  assert.deepEqual(await asked(), before)
  assert.equal((await cdnOf(own, cdn?.id ?? ''))?.state, 'operational')

  await own.client.call(install, { site: own.site, domain: own.domain, cdnId: 'edge' })
  await own.client.call(uninstall, { site: own.site, domain: own.domain, id: data.id })
  await until(async () => {
    await api.database.system((tx) =>
      tx.query(
        `UPDATE domain_cdn SET left_dns_at = left_dns_at - interval '10 minutes', next_attempt_at = now() WHERE state = 'deleting'`,
      ),
    )
    return (await cdnOf(own, cdn?.id ?? '')) === undefined
  })
  await own.client.call(byoCdnKeys.routes.remove, { id })
  assert.deepEqual((await own.client.call(platforms, { search: 'Our Cloudflare' })).data, [])
})

test('what a vendor refuses is shown with its reason, and nothing of the key is in answers, logs or rows', async () => {
  const token = `wrong-${crypto.randomBytes(20).toString('hex')}`
  const own = await newSteeredDomain(api)
  await own.client.call(byoCdnKeys.routes.create, {
    platform: 'cloudflare',
    name: 'Wrong',
    values: { ...CLOUDFLARE_VALUES, token },
  })
  const cdn = (await own.client.call(platforms, { search: 'Wrong' })).data[0]
  const written: string[] = []
  const [toOut, toError] = [process.stdout.write.bind(process.stdout), process.stderr.write.bind(process.stderr)]
  process.stdout.write = (text: string | Uint8Array) => (written.push(String(text)), toOut(text))
  process.stderr.write = (text: string | Uint8Array) => (written.push(String(text)), toError(text))
  try {
    await own.client.call(install, { site: own.site, domain: own.domain, cdnId: cdn?.id ?? '' })
    const failed = await until(async () => {
      const now = await cdnOf(own, cdn?.id ?? '')
      return now?.state === 'failed' && now
    })
    assert.match(failed.detail ?? '', /^Cloudflare answers 403: .*Authentication error/)
  } finally {
    Object.assign(process.stdout, { write: toOut })
    Object.assign(process.stderr, { write: toError })
  }
  const answered = JSON.stringify([
    await own.client.call(list, { site: own.site, domain: own.domain }),
    await own.client.call(auditLog.routes.list, {}),
    await own.client.call(byoCdnKeys.routes.list, {}),
  ])
  const rows = JSON.stringify(
    await api.database.system(async (tx) => [
      await tx.query('SELECT * FROM domain_cdn'),
      await tx.query('SELECT * FROM cdn'),
      await tx.query('SELECT * FROM byo_cdn_key'),
      await tx.query('SELECT * FROM version'),
      await tx.query('SELECT * FROM publication'),
      await tx.query('SELECT * FROM managed_vendor'),
      await tx.query('SELECT * FROM audit_log'),
    ]),
  )
  for (const secret of [token, CLOUDFLARE_VALUES.token])
    for (const text of [answered, rows, written.join('')]) assert.ok(!text.includes(secret))
})

test("an organisation whose many CDNs wait takes nobody else's turn, and what serves is looked at when it is time", async () => {
  const [many, few] = [await newSteeredDomain(api), await newSteeredDomain(api)]
  const undone = new Error('undone')
  const waiting = (own: SteeredDomain, driver: string, ago: number, state = 'deploying') => [
    own.client.organizationId,
    own.site,
    driver,
    ago,
    state,
  ]
  await assert.rejects(
    api.database.system(async (tx) => {
      await tx.query("UPDATE domain_cdn SET leased_until = now() + interval '1 hour'")
      const add = async (own: SteeredDomain, count: number, values: unknown[]) => {
        await tx.query(
          `INSERT INTO cdn (organization_id, id, name, slug, driver, category, series) VALUES ($1, $2, $2, $2, $2, 'global-cdn', 1) ON CONFLICT DO NOTHING`,
          [own.client.organizationId, values[2]],
        )
        for (let index = 0; index < count; index++)
          await tx.query(
            `WITH d AS (INSERT INTO domain (organization_id, site_id, name, origin_address, origin_port, origin_protocol, host_header) VALUES ($1, $2, $6, '8.8.8.8', 443, 'https', $6) RETURNING id)
             INSERT INTO domain_cdn (organization_id, site_id, domain_id, cdn_id, state, cname, wanted_version, applied_version, state_since, next_attempt_at) SELECT $1, $2, d.id, $3, $5, 'x.example', 1, 1, now() - make_interval(secs => $4), now() - make_interval(secs => $4) FROM d`,
            [...values, `n${index}.${String(values[2])}.${own.host}`],
          )
      }
      await add(many, 30, waiting(many, 'fastly', 600))
      await add(few, 1, waiting(few, 'bunny', 5))
      await add(few, 1, waiting(few, 'fastly', 5, 'operational'))
      const lease = async (whose: Whose) =>
        (await leaseUnsettled(tx, whose, 10, 60_000, new Date())).map(({ order }) => order.siteId === few.site)
      assert.deepEqual(
        [await lease('looks'), await lease('vendors'), await lease('vendors'), await lease('looks')].map((taken) => [
          taken.length,
          taken.filter(Boolean).length,
        ]),
        [
          [1, 1],
          [10, 1],
          [10, 0],
          [0, 0],
        ],
        'what serves is looked at in a turn of its own',
      )
      throw undone
    }),
    undone,
  )
})

test('a CDN that its vendor no longer has leaves DNS at the second look, and comes back when it is made again', async () => {
  vendor.mood.at = 'comply'
  const own = await newSteeredDomain(api)
  await own.client.call(install, { site: own.site, domain: own.domain, cdnId: 'cloudflare' })
  await until(async () => {
    await soon()
    return (await cdnOf(own, 'cloudflare'))?.state === 'operational'
  })
  const row = async () =>
    (
      await api.database.system((tx) =>
        tx.query<{ id: string; state: string; bad_looks: number }>(
          `SELECT id, state, bad_looks FROM domain_cdn WHERE domain_id = $1 AND cdn_id = 'cloudflare'`,
          [own.domain],
        ),
      )
    )[0]
  const look = (change: string) =>
    api.database.system((tx) =>
      tx.query(`UPDATE domain_cdn SET ${change} next_attempt_at = now() WHERE domain_id = $1`, [own.domain]),
    )
  const left = () =>
    api.database.system((tx) =>
      tx.query(`SELECT FROM version WHERE site_id = $1 AND title LIKE '%no longer serves%'`, [own.site]),
    )
  await look(`vendor_ref = '${'0'.repeat(32)}',`)
  const doubted = await until(async () => {
    const now = await row()
    return now?.bad_looks === 1 && now
  })
  assert.equal(doubted.state, 'operational')
  assert.equal((await left()).length, 0)
  await look('')
  await until(async () => (await left()).length === 1)
  const told = await api.database.system((tx) =>
    tx.query(`SELECT FROM notification WHERE organization_id = $1 AND event = 'cdn-failed'`, [
      own.client.organizationId,
    ]),
  )
  assert.equal(told.length, 1)
  await until(async () => {
    await soon()
    return (await cdnOf(own, 'cloudflare'))?.state === 'operational'
  })
})

test('settings that a vendor did not put in force are told once and shown while the CDN serves on, until they are', async () => {
  vendor.mood.at = 'comply'
  const own = await newSteeredDomain(api)
  await own.client.call(install, { site: own.site, domain: own.domain, cdnId: 'cloudflare' })
  await until(async () => {
    await soon()
    return (await cdnOf(own, 'cloudflare'))?.state === 'operational'
  })
  const gate = new OutgoingGate({ config: api.config, log: api.log })
  const context = { ...driverContext(api.config, gate, api.database), stillServes: async () => true }
  // The worker's own looks are not due yet.
  let seconds = 0
  const look = async (whose: Whose) => {
    seconds += 900
    await reconcile(api.database, context, () => Date.now() + seconds * 1000, whose)
    const [row] = await api.database.system((tx) =>
      tx.query<{ isBehind: boolean }>(
        `SELECT applied_version < wanted_version AS "isBehind" FROM domain_cdn WHERE domain_id = $1`,
        [own.domain],
      ),
    )
    const { state, detail } = (await cdnOf(own, 'cloudflare')) ?? {}
    return [state, detail, row?.isBehind]
  }
  const told = () =>
    api.database.system((tx) =>
      tx.query<{ ended: boolean; reason: string }>(
        `SELECT ended_at IS NOT NULL AS ended, fields->>'reason' AS reason FROM notification WHERE organization_id = $1 AND event = 'cdn-behind'`,
        [own.client.organizationId],
      ),
    )
  Object.assign(vendor.mood, { at: 'refuse', why: 'no\u0000room' })
  assert.deepEqual(await look('looks'), ['operational', null, false])
  const reason = `Cloudflare shows ${own.host} as blocked, its certificate as pending_validation; no room`
  assert.deepEqual(await look('looks'), ['operational', reason, true])
  assert.deepEqual(await look('vendors'), ['operational', reason, true])
  assert.deepEqual(await told(), [{ ended: false, reason }])
  vendor.mood.at = 'comply'
  assert.deepEqual(await look('vendors'), ['operational', reason, false])
  assert.deepEqual(await look('looks'), ['operational', null, false])
  assert.deepEqual(await told(), [{ ended: true, reason }])
})
