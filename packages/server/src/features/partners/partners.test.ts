import assert from 'node:assert/strict'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { account, apiKeys, partners, pulse, supportTickets, type Partner } from '@fairway/contract'
import { brandContrast } from '@fairway/domain'
import { startApi } from '../../api.ts'
import { send, startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { everyRoute, isMutating } from '../../testing/every-route.ts'

const { create, get, list, remove, removeFile, update, upload } = partners.routes
let api: ApiUnderTest
let operator: Client
before(async () => {
  api = await startApiUnderTest()
  operator = await api.newClient({ isOperator: true })
})
after(() => api[Symbol.asyncDispose]())

const NEW = { companyName: 'Nimbus CDN', hostName: 'console.nimbus.example', brandColor: '#0b6e4f' }
const settingsOf = ({
  id: _id,
  acronym: _acronym,
  isDefault: _isDefault,
  organizationCount: _count,
  passkeyCount: _passkeys,
  files: _files,
  createdAt: _at,
  ...settings
}: Partner) => settings
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7v7z"/></svg>'
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')

/** Asks under a host name, which fetch would not let one say. */
function ask(
  page: string,
  host: string,
  url = api.url,
): Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    http
      .get(new URL(page, url), { headers: { host, accept: 'text/html' } }, (response) => {
        let text = ''
        response
          .setEncoding('utf8')
          .on('data', (chunk: string) => (text += chunk))
          .on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      })
      .on('error', reject)
  })
}

test('three words make a partner, served under its host name at once', async () => {
  const made = await operator.call(create, NEW)
  assert.deepEqual(
    [made.acronym, made.isDefault, made.organizationCount, made.hideFeature],
    ['nimbus-cdn', false, 0, []],
  )
  const info = JSON.parse((await ask(account.routes.partner.path, NEW.hostName)).text) as Record<string, unknown>
  assert.deepEqual(
    [info['companyName'], info['brandColor'], info['brandInk'], info['logoWord']],
    ['Nimbus CDN', '#0b6e4f', '#ffffff', null],
  )
  assert.equal(
    (JSON.parse((await ask(account.routes.partner.path, 'elsewhere.example')).text) as Record<string, unknown>)[
      'companyName'
    ],
    'Fairway',
  )
  const index = JSON.parse((await ask(`/partner-static/${NEW.hostName}/index.json`, 'any.example')).text) as Record<
    string,
    unknown
  >
  assert.deepEqual(
    [index['companyName'], index['hostname'], index['hide_feature'], index['support_signup'], index['sandboxMode']],
    ['Nimbus CDN', NEW.hostName, [], true, false],
  )
  assert.equal((await ask('/partner-static/unknown.example/index.json', 'any.example')).status, 404)
  assert.equal((await ask('/partner-static/default/index.json', 'any.example')).status, 200)
})

test("a host name is one partner's; names of the same company differ by number", async () => {
  assert.deepEqual(
    [(await operator.refusal(create, NEW)).code, (await operator.refusal(create, NEW)).fields],
    [7491, [{ path: 'hostName', message: 'code:7491' }]],
  )
  assert.equal((await operator.call(create, { ...NEW, hostName: 'two.nimbus.example' })).acronym, 'nimbus-cdn-2')
  const found = await operator.call(list, { search: 'two.nim' })
  assert.deepEqual(
    found.data.map(({ hostName }) => hostName),
    ['two.nimbus.example'],
  )
})

test('every setting is checked', async () => {
  const bad: [string, Record<string, unknown>][] = [
    ['companyName', { companyName: ' ' }],
    ['companyName', { companyName: 'x'.repeat(81) }],
    ['hostName', { hostName: 'not a host' }],
    ['hostName', { hostName: null }],
    ['brandColor', { brandColor: 'blue' }],
    ['contactEmail', { contactEmail: 'nobody' }],
    ['termsLink', { termsLink: 'javascript:alert(1)' }],
    ['privacyPolicyLink', { privacyPolicyLink: 'ftp://x.example' }],
    ['apiDocumentUrl', { apiDocumentUrl: '//elsewhere.example' }],
    ['hideFeature.0', { hideFeature: ['everything'] }],
    ['sandboxMode', { sandboxMode: 'yes' }],
  ]
  const partner = await newPartner()
  for (const [field, change] of bad) {
    const refusal = await operator.refusal(update, { partner: partner.id, ...settingsOf(partner), ...change } as never)
    assert.deepEqual([refusal.status, refusal.fields[0]?.path], [400, field], JSON.stringify(change))
  }
})

test('a colour that cannot be read is refused with the nearest that can', async () => {
  for (const brandColor of ['#ffe14d', '#ffffff', '#000000']) {
    const refusal = await operator.refusal(create, { ...NEW, hostName: 'pale.example', brandColor })
    const suggested = /^validation\.brandContrast:(#[0-9a-f]{6})$/.exec(refusal.fields[0]?.message ?? '')?.[1] ?? ''
    assert.deepEqual([refusal.status, refusal.fields[0]?.path], [400, 'brandColor'])
    assert.ok(brandContrast(suggested).readable, suggested)
  }
})

test('the default brand can be changed, but has no host name and stays', async () => {
  const own = (await operator.call(list, { page_size: -1 })).data.find(({ isDefault }) => isDefault)
  assert.ok(own)
  assert.equal((await operator.refusal(remove, { partner: own.id })).code, 7409)
  assert.equal(
    (await operator.refusal(update, { partner: own.id, ...settingsOf(own), hostName: 'x.example' })).status,
    400,
  )
  assert.equal(
    (await operator.call(update, { partner: own.id, ...settingsOf(own), contactEmail: 'help@fairway.example' }))
      .contactEmail,
    'help@fairway.example',
  )
})

test('pictures are served from an address that changes with them, and can do nothing', async () => {
  const partner = await newPartner()
  const first = await operator.call(upload, { partner: partner.id, kind: 'logoWord', data: base64(SVG) })
  const path = first.files.logoWord ?? ''
  assert.match(path, new RegExp(`^/partner-static/${partner.hostName}/logoWord-[0-9a-f]{16}\\.svg$`))
  const served = await ask(path, 'any.example')
  assert.deepEqual([served.status, served.text, served.headers['content-type']], [200, SVG, 'image/svg+xml'])
  assert.match(String(served.headers['content-security-policy']), /default-src 'none'.*sandbox/)
  assert.match(String(served.headers['cache-control']), /immutable/)
  const second = await operator.call(upload, {
    partner: partner.id,
    kind: 'logoWord',
    data: base64(SVG.replace('M1', 'M2')),
  })
  assert.notEqual(second.files.logoWord, path)
  assert.equal((await ask(path, 'any.example')).status, 404)
  const gone = await operator.call(removeFile, { partner: partner.id, kind: 'logoWord' })
  assert.deepEqual(gone.files, {})
  assert.equal((await operator.refusal(removeFile, { partner: partner.id, kind: 'logoWord' })).status, 404)
})

test('files that are none of the kinds, too large or that run something are refused', async () => {
  const partner = await newPartner()
  const png = (side: number) =>
    Buffer.concat([
      Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      Buffer.from(new Uint32Array([side, side]).map((value) => value).buffer).swap32(),
      Buffer.alloc(20),
    ])
  const refused = async (kind: string, data: string) =>
    (await operator.refusal(upload, { partner: partner.id, kind, data })).fields[0]?.message
  assert.equal(
    await refused('logoWord', base64(SVG.replace('<path', '<script>alert(1)</script><path'))),
    'validation.svgScript:script',
  )
  assert.equal(await refused('logoWord', base64('<html></html>')), 'validation.svgScript:no <svg>')
  assert.equal(await refused('logoWord', base64('GIF89a')), 'validation.pictureType')
  assert.equal(
    await refused('logoWord', base64(Buffer.concat([Buffer.from(SVG), Buffer.from([0xff, 0xfe])]))),
    'validation.pictureType',
  )
  assert.equal(
    await refused('logoWord', base64(Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0]), Buffer.alloc(40)]))),
    'validation.pictureType',
  )
  assert.equal(await refused('logoWord', base64(png(4096))), 'validation.pictureSize:2048')
  assert.equal(await refused('logoWord', 'not base64!'), 'validation.base64')
  assert.equal(
    (await operator.refusal(upload, { partner: partner.id, kind: 'logoWord', data: 'A'.repeat(400_000) })).status,
    400,
  )
  assert.equal((await operator.refusal(upload, { partner: partner.id, kind: 'banner', data: base64(SVG) })).status, 404)
  assert.deepEqual(
    Object.keys((await operator.call(upload, { partner: partner.id, kind: 'favicon', data: base64(png(32)) })).files),
    ['favicon'],
  )
})

test('what a partner hides is closed over the API to its customers, whoever they are, and to nobody else', async () => {
  const [hidden, free] = [await api.newClient(), await api.newClient()]
  const partner = await newPartner()
  await operator.call(update, {
    partner: partner.id,
    ...settingsOf(partner),
    hideFeature: ['support', 'pulse', 'apiGenerate'],
  })
  await belongsTo(hidden, partner.id)
  assert.deepEqual((await hidden.call(account.routes.info, {})).hideFeature, ['support', 'pulse', 'apiGenerate'])
  for (const route of [supportTickets.routes.list, pulse.routes.get, apiKeys.routes.list]) {
    assert.equal((await hidden.refusal(route, {})).status, 403, route.path)
    await free.call(route, {})
  }
})

test('everything that can be hidden closes at least one route', () => {
  const closing = new Set(everyRoute.flatMap(({ route }) => route.partnerFeature ?? []))
  assert.deepEqual([...closing].sort(), ['account', 'apiGenerate', 'billing', 'powerUps', 'price', 'pulse', 'support'])
})

test('a partner in sandbox mode has read-only customers', async () => {
  const client = await api.newClient()
  const partner = await newPartner()
  await operator.call(update, { partner: partner.id, ...settingsOf(partner), sandboxMode: true })
  await belongsTo(client, partner.id)
  assert.equal((await client.call(account.routes.info, {})).sandboxMode, true)
  assert.equal(
    (await client.refusal(pulse.routes.update, { startDelaySeconds: 1, repeatDelaySeconds: 5, batchNumber: 1 })).status,
    403,
  )
})

test('a partner with organisations stays; an empty one goes with its pictures', async () => {
  const partner = await newPartner()
  await operator.call(upload, { partner: partner.id, kind: 'favicon', data: base64(SVG) })
  const client = await api.newClient()
  await belongsTo(client, partner.id)
  assert.equal((await operator.refusal(remove, { partner: partner.id })).code, 7409)
  await api.database.system((tx) =>
    tx.query('UPDATE organization SET partner_id = (SELECT id FROM partner WHERE host_name IS NULL) WHERE id = $1', [
      client.organizationId,
    ]),
  )
  await operator.call(remove, { partner: partner.id })
  assert.equal((await operator.refusal(get, { partner: partner.id })).status, 404)
})

test('a partner stays while organisations that left have names in its zone, or invoices are of it; else its zones go', async () => {
  const [named, sold, unused] = [await newPartner(), await newPartner(), await newPartner()]
  const client = await api.newClient()
  const sql = (text: string, values: unknown[]) => api.database.system((tx) => tx.query(text, values))
  for (const { id, hostName } of [named, unused])
    await sql('INSERT INTO partner_zone (name, partner_id) VALUES ($1, $2)', [`zone.${hostName}`, id])
  await sql('UPDATE organization SET names_zone = $2 WHERE id = $1', [client.organizationId, `zone.${named.hostName}`])
  await sql(
    `INSERT INTO invoice (organization_id, partner_id, sequence, number, kind, status, currency, period_from, period_until, seller, buyer, subtotal_minor, discount_minor, tax_rate_ppm, tax_minor, total_minor, credit_minor, due_minor, posted_at, due_at)
     VALUES ($1, $2, 1, 'SOLD-000001', 'change', 'paid', 'USD', now(), now(), '{}', '{}', 0, 0, 0, 0, 0, 0, 0, now(), now())`,
    [client.organizationId, sold.id],
  )
  for (const { id } of [named, sold]) assert.equal((await operator.refusal(remove, { partner: id })).code, 7409)
  assert.equal((await sql('SELECT FROM partner_zone WHERE partner_id = $1', [named.id])).length, 1)
  await operator.call(remove, { partner: unused.id })
  // Its document goes as well.
  assert.equal(
    (await sql(`SELECT FROM outbox WHERE kind = 'dns-zone' AND key LIKE '%' || $1`, [`zone.${unused.hostName}`]))
      .length,
    1,
  )
})

test("partners are the operator's alone", async () => {
  const partner = await newPartner()
  const [owner, administrator] = [await api.newClient(), await api.newClient()]
  await belongsTo(administrator, partner.id)
  await api.database.system((tx) =>
    tx.query('UPDATE app_user SET administers_partner_id = $2 WHERE email = $1', [administrator.email, partner.id]),
  )
  for (const { route, name } of everyRoute.filter((entry) => entry.name.startsWith('partners.'))) {
    for (const client of [owner, administrator])
      assert.equal(
        (
          await send(api.url, client.token, route, {
            partner: partner.id,
            kind: 'favicon',
            ...(isMutating(route) ? settingsOf(partner) : {}),
          })
        ).status,
        403,
        name,
      )
  }
})

let made = 0
async function newPartner(): Promise<Partner> {
  return operator.call(create, { ...NEW, hostName: `p${++made}.example.test` })
}

async function belongsTo(client: Client, partnerId: string): Promise<void> {
  await api.database.system((tx) =>
    tx.query('UPDATE organization SET partner_id = $2 WHERE id = $1', [client.organizationId, partnerId]),
  )
}

test('a partner that is called otherwise keeps the name before: sign-ups there are its own, and pages lead to the new one', async () => {
  const made = await operator.call(create, { ...NEW, hostName: 'before.example.test' })
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO passkey (organization_id, user_id, credential_id, public_key, counter, transports, name, relying_party, backed_up) SELECT organization_id, id, id::text, '', 0, '{}', 'Theirs', 'before.example.test', false FROM app_user WHERE email = $1`,
      [operator.email],
    ),
  )
  assert.equal((await operator.call(get, { partner: made.id })).passkeyCount, 1)
  const rename = (hostName: string) => operator.call(update, { partner: made.id, ...settingsOf(made), hostName })
  assert.equal((await rename('after.example.test')).passkeyCount, 0)
  const brandAt = async (host: string) =>
    (JSON.parse((await ask(account.routes.partner.path, host)).text) as Record<string, unknown>)['hostName']
  assert.deepEqual(
    [await brandAt('before.example.test'), await brandAt('after.example.test')],
    ['after.example.test', 'after.example.test'],
  )
  assert.equal((await operator.refusal(create, { ...NEW, hostName: 'before.example.test' })).code, 7491)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-pages-'))
  fs.writeFileSync(path.join(folder, 'index.html'), '<html></html>')
  try {
    await using pages = await startApi({ config: api.config, log: api.log, consoleFolder: folder })
    const moved = await ask('/login?next=/home', 'before.example.test:8443', pages.url)
    assert.deepEqual([moved.status, moved.headers.location], [308, 'http://after.example.test:8443/login?next=/home'])
    assert.equal((await ask('/login', 'after.example.test', pages.url)).status, 200)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
  // Back again, and the way round.
  await rename('before.example.test')
  assert.equal(await brandAt('after.example.test'), 'before.example.test')
  assert.equal((await operator.call(update, { partner: made.id, ...settingsOf(made) })).hostName, 'before.example.test')
})

test('a name that a process of before gave to another partner is the one of whoever has it now', async () => {
  const [first, second] = [
    await operator.call(create, { ...NEW, hostName: 'ours-then.example.test' }),
    await operator.call(create, { ...NEW, companyName: 'Second', hostName: 'second.example.test' }),
  ]
  const rename = (made: Partner, hostName: string) =>
    operator.call(update, { partner: made.id, ...settingsOf(made), hostName })
  await rename(first, 'ours-now.example.test')
  await api.database.system((tx) =>
    tx.query(`UPDATE partner SET host_name = 'ours-then.example.test' WHERE id = $1`, [second.id]),
  )
  const { companyName } = JSON.parse((await ask(account.routes.partner.path, 'ours-then.example.test')).text) as Partner
  assert.equal(companyName, 'Second')
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-pages-'))
  fs.writeFileSync(path.join(folder, 'index.html'), '<html></html>')
  try {
    await using pages = await startApi({ config: api.config, log: api.log, consoleFolder: folder })
    assert.equal((await ask('/login', 'ours-then.example.test', pages.url)).status, 200)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
  // It stays with whoever had it last.
  await rename(second, 'second.example.test')
  const brand = JSON.parse((await ask(account.routes.partner.path, 'ours-then.example.test')).text) as Partner
  assert.equal(brand.companyName, 'Second')
})

test('the upgrade leaves Google on at partners to whose customers it has led', async () => {
  const [used, unused] = [await newPartner(), await newPartner()]
  const [one, other] = [await api.newClient(), await api.newClient()]
  await belongsTo(one, used.id)
  await belongsTo(other, unused.id)
  const migration = fs.readFileSync(
    path.join(import.meta.dirname, '../../../../platform/src/migrations/0339-hosts-of-before-and-google.sql'),
    'utf8',
  )
  await api.database.system(async (tx) => {
    await tx.query(
      `INSERT INTO user_identity (issuer, subject, organization_id, user_id, email) SELECT 'https://accounts.google.com', id::text, organization_id, id, email FROM app_user WHERE email = $1`,
      [one.email],
    )
    await tx.query(migration.slice(migration.indexOf('UPDATE partner')))
  })
  const isOn = async ({ id }: Partner) => (await operator.call(get, { partner: id })).googleSignIn
  assert.deepEqual([await isOn(used), await isOn(unused)], [true, false])
})

test('who saves a partner without a word of Google leaves the switch as it is', async () => {
  const made = await operator.call(create, { ...NEW, hostName: 'google.example.test' })
  assert.equal(made.googleSignIn, false)
  const { googleSignIn: _off, ...rest } = settingsOf(made)
  assert.equal((await operator.call(update, { partner: made.id, ...rest, googleSignIn: true })).googleSignIn, true)
  assert.equal((await operator.call(update, { partner: made.id, ...rest })).googleSignIn, true)
})
