import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { after, before, test } from 'node:test'
import { customPages, LIMITS, organizations, partners, sites, versions } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { attach, newSteeredDomain, type SteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'
import { forgetOld } from '../notifications/forget-old.ts'

const { list, get, create, update, remove, preview, uses, use } = customPages.routes
let api: ApiUnderTest
let dns: NodeUnderTest
let edge: NodeUnderTest
before(async () => {
  api = await startApiUnderTest()
  dns = startNodeUnderTest(api, 'dns')
  edge = startNodeUnderTest(api, 'edge')
})
after(async () => {
  await Promise.all([dns, edge].map((node) => node?.[Symbol.asyncDispose]()))
  await api[Symbol.asyncDispose]()
})

const HTML = '<!doctype html>\n<h1>Sorry</h1>\n<p>::REQUEST_ID:: ::STATUS::</p>\n'
const sha = (text: string) => crypto.createHash('sha256').update(text).digest('hex')
const placeOf = ({ site, domain }: SteeredDomain) => ({ site, domain })
const newPage = async (own: SteeredDomain, more: object = {}) =>
  (await own.client.call(create, { site: own.site, kind: 'errors', name: 'Sorry', html: HTML, ...more })).data
const pagesAt = (own: SteeredDomain) =>
  edge.document('edge-pages', own.site)?.pages.map(({ key, texts }) => [key, texts.any])
const domainAt = (own: SteeredDomain) => edge.document('edge-site', own.site)?.domains[0]

test('a page that a domain shows reaches the edge beside its policy, and so does every new text of it', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['edge'])
  const page = await newPage(own)
  assert.deepEqual(
    [page.kind, page.name, page.sizeBytes, page.digest, page.domains],
    ['errors', 'Sorry', HTML.length, sha(HTML), []],
  )
  const used = await own.client.call(use, { ...placeOf(own), errorsPageId: page.id })
  assert.deepEqual(
    [
      used.data.errorsPageId,
      used.data.maintenancePageId,
      used.data.inMaintenance,
      used.data.cdns.map(({ shows }) => shows),
    ],
    [page.id, null, false, [true]],
  )
  await until(async () => pagesAt(own)?.length === 1 && domainAt(own)?.pages.errors === page.id)
  assert.deepEqual(pagesAt(own), [[page.id, HTML]])
  const changed = await own.client.call(update, { site: own.site, id: page.id, html: `${HTML}more` })
  await until(async () => pagesAt(own)?.[0]?.[1] === `${HTML}more`)
  await until(
    async () =>
      (await own.client.call(versions.routes.get, { site: own.site, number: String(changed.meta.version) })).state ===
      'live',
  )
  assert.deepEqual(
    (await own.client.call(list, {})).data.map(({ id, domains }) => [id, domains.map(({ name }) => name)]),
    [[page.id, [own.host]]],
  )
})

test('every text a page has had is kept, can be looked at and brought back', async () => {
  const own = await newSteeredDomain(api)
  const { id } = await newPage(own)
  await own.client.call(update, { site: own.site, id, html: `${HTML}two` })
  await own.client.call(update, { site: own.site, id, name: 'Renamed' })
  const detail = await own.client.call(get, { site: own.site, id })
  assert.deepEqual([detail.name, detail.html], ['Renamed', `${HTML}two`])
  assert.deepEqual(
    detail.revisions.map(({ digest, current }) => [digest, current]),
    [
      [sha(`${HTML}two`), true],
      [sha(HTML), false],
    ],
  )
  assert.equal(
    (await own.client.call(preview, { site: own.site, kind: 'errors', digest: sha(HTML) })).digest,
    sha(HTML),
  )
  await own.client.call(update, { site: own.site, id, digest: sha(HTML) })
  assert.equal((await own.client.call(get, { site: own.site, id })).html, HTML)
  assert.equal((await own.client.refusal(update, { site: own.site, id, digest: sha('never') })).code, 404)
  assert.equal((await own.client.call(update, { site: own.site, id, html: HTML, name: 'Renamed' })).meta.version, null)
})

test('the shared history takes changes of pages back, removals with the domains that showed them', async () => {
  const own = await newSteeredDomain(api)
  const page = await newPage(own)
  await own.client.call(use, { ...placeOf(own), errorsPageId: page.id })
  const changed = await own.client.call(update, { site: own.site, id: page.id, html: `${HTML}two` })
  const revert = (number: number | null) =>
    own.client.call(versions.routes.revert, { site: own.site, number: String(number) })
  await revert(changed.meta.version)
  assert.equal((await own.client.call(get, { site: own.site, id: page.id })).digest, sha(HTML))
  const removed = await own.client.call(remove, { site: own.site, id: page.id })
  assert.equal((await own.client.call(uses, { site: own.site })).data[0]?.errorsPageId, null)
  await revert(removed.meta.version)
  assert.equal((await own.client.call(uses, { site: own.site })).data[0]?.errorsPageId, page.id)
  const created = (await own.client.call(versions.routes.list, { site: own.site })).data.find(
    ({ title, changes }) => title === 'Page Sorry' && changes[0]?.before === null,
  )
  assert.equal(
    (await own.client.refusal(versions.routes.revert, { site: own.site, number: String(created?.number) })).code,
    409,
  )
})

test('26914: former texts make room for new ones, oldest first, and those that pages show never do', async () => {
  const own = await newSteeredDomain(api)
  const { id } = await newPage(own)
  const organization = own.client.organizationId
  const digests = async () =>
    (
      await api.database.system((tx) =>
        tx.query<{ digest: string }>(
          'SELECT digest FROM custom_page_text WHERE organization_id = $1 ORDER BY created_at',
          [organization],
        ),
      )
    ).map(({ digest }) => digest)
  const sized = (bytes: number, text: string) =>
    api.database.system((tx) =>
      tx.query('UPDATE custom_page_text SET size_bytes = $3 WHERE organization_id = $1 AND digest = $2', [
        organization,
        sha(text),
        bytes,
      ]),
    )
  const put = (text: string) => own.client.call(update, { site: own.site, id, html: text })
  await put(`${HTML}two`)
  await put(`${HTML}three`)
  await sized(LIMITS.customPageTextBytes - 100, HTML)
  await put(`${HTML}four`)
  assert.deepEqual(
    await digests(),
    ['two', 'three', 'four'].map((name) => sha(HTML + name)),
  )
  const other = await newPage(own, { name: 'Other', html: `${HTML}other` })
  await sized(LIMITS.customPageTextBytes, `${HTML}other`)
  const longer = `${HTML}four, and more`
  assert.equal((await own.client.refusal(update, { site: own.site, id, html: longer })).code, 26_914)
  assert.equal((await own.client.call(get, { site: own.site, id })).html, `${HTML}four`)
  await put(`${HTML}4`)
  assert.equal((await own.client.call(get, { site: own.site, id })).html, `${HTML}4`, 'a shorter one is taken')
  // The large one is replaced itself.
  await own.client.call(update, { site: own.site, id: other.id, html: longer })
  assert.equal((await own.client.call(get, { site: own.site, id: other.id })).html, longer)
})

test('26915: a text that no page and no version of the last 90 days names is forgotten, and going back to it says so', async () => {
  const own = await newSteeredDomain(api)
  const { id } = await newPage(own)
  const changed = await own.client.call(update, { site: own.site, id, html: `${HTML}two` })
  const age = (table: string, days: number) =>
    api.database.system((tx) =>
      tx.query(`UPDATE ${table} SET created_at = now() - make_interval(days => $2) WHERE organization_id = $1`, [
        own.client.organizationId,
        days,
      ]),
    )
  const revert = { site: own.site, number: String(changed.meta.version) }
  const revisions = async () => (await own.client.call(get, { site: own.site, id })).revisions.length
  await age('custom_page_text', 91)
  await age('version', 89)
  await forgetOld(api.database)
  assert.equal(await revisions(), 2)
  await age('version', 91)
  await forgetOld(api.database)
  assert.equal(await revisions(), 1)
  assert.equal((await own.client.refusal(versions.routes.revert, revert)).code, 26_915)
  assert.equal((await own.client.call(get, { site: own.site, id })).html, `${HTML}two`)
})

test('26910: a token that is unknown or missing is told with its line', async () => {
  const own = await newSteeredDomain(api)
  const refused = await own.client.refusal(create, {
    site: own.site,
    kind: 'errors',
    name: 'x',
    html: '<p>\n  ::RAY_ID::\n',
  })
  assert.deepEqual(
    [refused.code, refused.fields],
    [
      26_910,
      [
        { path: 'html:2:3', message: 'validation.pageTokenUnknown:RAY_ID' },
        { path: 'html:3:1', message: 'validation.pageTokenMissing:REQUEST_ID' },
      ],
    ],
  )
  await newPage(own, { kind: 'maintenance', html: '<p>Back soon' })
})

test('26911 is no page, 26912 one that is too large, 26913 one too many', async () => {
  const own = await newSteeredDomain(api)
  assert.equal(
    (await own.client.refusal(create, { site: own.site, kind: 'errors', name: 'x', html: 'words' })).code,
    26_911,
  )
  assert.equal((await own.client.refusal(preview, { site: own.site, kind: 'errors', html: 'words' })).code, 26_911)
  const filler = (bytes: number) => HTML + 'é'.repeat((bytes - HTML.length) / 2) + 'x'.repeat((bytes - HTML.length) % 2)
  assert.equal(
    (
      await own.client.refusal(create, {
        site: own.site,
        kind: 'errors',
        name: 'x',
        html: filler(LIMITS.customPageBytes + 1),
      })
    ).code,
    26_912,
  )
  assert.equal(
    (await newPage(own, { name: 'large', html: filler(LIMITS.customPageBytes) })).sizeBytes,
    LIMITS.customPageBytes,
  )
  for (let i = 1; i < LIMITS.customPagesPerSite; i++) await newPage(own, { name: `page ${i}` })
  assert.equal(
    (await own.client.refusal(create, { site: own.site, kind: 'errors', name: 'y', html: HTML })).code,
    26_913,
  )
})

test('7491: two pages of one kind have different names', async () => {
  const own = await newSteeredDomain(api)
  await newPage(own)
  const other = await newPage(own, { name: 'Other' })
  await newPage(own, { kind: 'maintenance' })
  assert.equal(
    (await own.client.refusal(create, { site: own.site, kind: 'errors', name: 'Sorry', html: HTML })).code,
    7491,
  )
  assert.equal((await own.client.refusal(update, { site: own.site, id: other.id, name: 'Sorry' })).code, 7491)
})

test('a domain shows pages of the right kind and of its own site only', async () => {
  const own = await newSteeredDomain(api)
  const page = await newPage(own)
  const foreign = await newPage(await newSteeredDomain(api))
  assert.equal((await own.client.refusal(use, { ...placeOf(own), maintenancePageId: page.id })).code, 404)
  assert.equal((await own.client.refusal(use, { ...placeOf(own), errorsPageId: foreign.id })).code, 404)
})

test('maintenance is a switch of the domain that its edge obeys', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['edge'])
  await own.client.call(use, { ...placeOf(own), inMaintenance: true })
  await until(async () => domainAt(own)?.inMaintenance === true)
  assert.equal((await own.client.call(use, { ...placeOf(own), inMaintenance: true })).meta.version, null)
  await own.client.call(use, { ...placeOf(own), inMaintenance: false })
  await until(async () => domainAt(own)?.inMaintenance === false)
})

test("a preview is filled in with sample values, or with those of a page that was served; without a text it is the brand's", async () => {
  const own = await newSteeredDomain(api)
  const ask = (more: object) => own.client.call(preview, { site: own.site, kind: 'errors', ...more })
  assert.equal(
    (await ask({ html: HTML, values: { REQUEST_ID: 'abc', STATUS: '504' } })).html,
    HTML.replace('::REQUEST_ID::', 'abc').replace('::STATUS::', '504'),
  )
  const [english, chinese] = [await ask({}), await ask({ language: 'zhHant' })]
  assert.match(english.html, /lang="en"[\s\S]*does not answer[\s\S]*3f8a61c0d2b94e57a1c6f0b87d24e913 · 502/)
  assert.match(chinese.html, /lang="zh-Hant"[\s\S]*沒有回應/)
  assert.deepEqual(english.problems, [])
})

test('with its site, a page leaves the edge', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['edge'])
  const page = await newPage(own)
  await own.client.call(use, { ...placeOf(own), errorsPageId: page.id })
  await until(async () => pagesAt(own)?.length === 1)
  await own.client.call(sites.routes.remove, { site: own.site, confirmName: own.host.slice(4) })
  await until(async () => edge.document('edge-pages', own.site) === null)
})

test('an organisation that goes to another partner speaks with its pages at once', async () => {
  const operator = await api.newClient({ isOperator: true })
  const own = await newSteeredDomain(api)
  await attach(own, ['edge'])
  const partner = await operator.call(partners.routes.create, {
    companyName: 'Quay',
    hostName: 'quay.example',
    brandColor: '#0b74d1',
  })
  await operator.call(organizations.routes.manage, { organization: own.client.organizationId, partnerId: partner.id })
  await until(async () => domainAt(own)?.pages.brand === `brand:${partner.id}`)
})

test("a brand's pages reach the edge with its name, colour and logo, and follow it", async () => {
  const operator = await api.newClient({ isOperator: true })
  const partner = await operator.call(partners.routes.create, {
    companyName: 'Harbour',
    hostName: 'harbour.example',
    brandColor: '#0b74d1',
  })
  const texts = () =>
    Object.fromEntries(
      (edge.document('edge-pages', `brand:${partner.id}`)?.pages ?? []).map((page) => [page.key, page.texts]),
    )
  await until(async () => texts()[`brand:${partner.id}:errors`]?.zhHans?.includes('Harbour'))
  assert.match(texts()[`brand:${partner.id}:maintenance`]?.en ?? '', /#0b74d1/)
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8H0z"/></svg>'
  await operator.call(partners.routes.upload, {
    partner: partner.id,
    kind: 'logoWord',
    data: Buffer.from(svg).toString('base64'),
  })
  await until(async () =>
    texts()[`brand:${partner.id}:errors`]?.en?.includes(
      `src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}"`,
    ),
  )
  await operator.call(partners.routes.remove, { partner: partner.id })
  await until(async () => edge.document('edge-pages', `brand:${partner.id}`) === null)
})
