import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { dnsRecords, sessions, sites, versions } from '@fairway/contract'
import {
  ConfigError,
  embeddedConnection,
  seal,
  sealingMark,
  shareGeo,
  socketFolder,
  type Config,
} from '@fairway/platform'
import { startApi } from './api.ts'
import { purposeOf } from './features/byo-cdn-keys/key-values.ts'
import { CERTIFICATE_KEYS } from './features/certificates/seal-purpose.ts'
import { WEBHOOK_SECRETS } from './features/webhooks/secrets.ts'
import { enqueueMail } from './mail/enqueue-mail.ts'
import { refuseOtherKeys } from './own-keys.ts'
import { ZONE_KEYS } from './publish/zone-signing.ts'
import { clientOf, startApiUnderTest, type ApiUnderTest } from './testing/api-under-test.ts'
import { pgbouncerMissing, startPgbouncer } from './testing/pgbouncer-under-test.ts'
import { until } from './testing/until.ts'
import { startWorker } from './worker.ts'

const ROLE = 'ordinary'
const PASSWORD = 'p/w'

/**
 * As a database is often had: a role without rights beyond its own database, and PgBouncer in transaction mode before
 * it (where it is installed; `pooled` says so).
 */
async function asOthersRunIt({
  config,
  started,
}: {
  config: Config
  started: AsyncDisposableStack
}): Promise<Record<string, string>> {
  const administrator = new pg.Client(embeddedConnection(config))
  await administrator.connect()
  await administrator.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${PASSWORD}'`)
  await administrator.query(`GRANT fairway_app, fairway_system, fairway_partner TO ${ROLE} WITH ADMIN OPTION`)
  await administrator.query(`CREATE DATABASE elsewhere OWNER ${ROLE}`)
  await administrator.end()
  const direct = `postgres://${ROLE}:${encodeURIComponent(PASSWORD)}@/elsewhere?host=${encodeURIComponent(socketFolder(config))}`
  if (pgbouncerMissing) return { FAIRWAY_DATABASE_URL: direct }
  const pooler = started.use(await startPgbouncer(config, { user: ROLE, password: PASSWORD }))
  return { FAIRWAY_DATABASE_URL: pooler.urlOf('elsewhere'), FAIRWAY_DATABASE_DIRECT_URL: direct }
}

let api: ApiUnderTest
/** A second machine: another home, with the same secrets. */
let second: { url: string; config: Config }
const stack = new AsyncDisposableStack()
before(async () => {
  api = stack.use(await startApiUnderTest({}, asOthersRunIt))
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-second-'))
  stack.defer(() => fs.rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  shareGeo(home)
  fs.cpSync(path.join(api.config.home, 'secrets'), path.join(home, 'secrets'), { recursive: true })
  const config = { ...api.config, home, nodeName: 'second' }
  const other = stack.use(await startApi({ config, log: api.log, consoleFolder: null }))
  second = { url: other.url, config: { ...config, apiUrl: other.url } }
  stack.use(await startWorker({ config: second.config, log: api.log }))
})
after(() => stack.disposeAsync())

test('the way to the database is the one that is meant', { skip: pgbouncerMissing }, async () => {
  const [row] = await api.database.system((tx) =>
    tx.query<{ me: string; port: number | null; super: boolean }>(
      `SELECT session_user AS me, rolsuper AS super FROM pg_roles WHERE rolname = session_user`,
    ),
  )
  assert.deepEqual(row, { me: ROLE, super: false })
  assert.match(api.config.databaseUrl, /127\.0\.0\.1/)
})

test('a pooler without the way past it is named at the start', { skip: pgbouncerMissing }, async () => {
  const config = { ...second.config, databaseDirectUrl: '' }
  await assert.rejects(startApi({ config, log: api.log, consoleFolder: null }), /FAIRWAY_DATABASE_DIRECT_URL/)
})

test('a machine with keys of its own is refused, also where it is the first to start after an upgrade', async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-foreign-'))
  const marked = (mark: string | null) =>
    api.database.system((tx) => tx.query('UPDATE installation SET sealed_by = $1', [mark]))
  try {
    shareGeo(home)
    const config = { ...api.config, home, nodeName: 'foreign' }
    const refused = () =>
      assert.rejects(startApi({ config, log: api.log, consoleFolder: null }), /is not the key of this database/)
    await refused()
    await assert.rejects(startWorker({ config, log: api.log }), /is not the key of this database/)
    const client = await api.newClient()
    await client.call(sites.routes.list, {})
    // Nobody has left a mark, but something is sealed.
    await api.database.system((tx) =>
      tx.query(
        'INSERT INTO totp (user_id, organization_id, secret) SELECT id, organization_id, $2 FROM app_user WHERE organization_id = $1',
        [client.organizationId, seal(api.config, 'totp', 'secret')],
      ),
    )
    await marked(null)
    await refused()
    await using _ = await startApi({ config: second.config, log: api.log, consoleFolder: null })
    await refused()
    // An operator says that the key is lost.
    await marked('')
    await (await startApi({ config, log: api.log, consoleFolder: null }))[Symbol.asyncDispose]()
    await marked(sealingMark(api.config))
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
})

/** Which of two keys are refused where nobody has left a mark, and what is there was sealed as said. */
async function refusedWith(
  sealed: Partial<Record<'zone' | 'totp' | 'account' | 'webhook' | 'vendor', 'own' | 'other'>> & {
    certificates?: ('own' | 'other')[]
  },
) {
  const client = await api.newClient()
  const { organizationId } = client
  const site = (await client.call(sites.routes.create, { domainName: `sealed-${crypto.randomUUID()}.example` })).data.id
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-other-'))
  const configs = { own: api.config, other: { ...api.config, home } }
  const by = (who: 'own' | 'other', purpose: string) => seal(configs[who], purpose, 'secret')
  const refused: string[] = []
  try {
    for (const [name, config] of Object.entries(configs)) {
      const judging = api.database.system(async (tx) => {
        await tx.query('DELETE FROM totp')
        await tx.query('UPDATE installation SET sealed_by = NULL')
        if (sealed.zone)
          await tx.query(
            `INSERT INTO zone_key (organization_id, site_id, tag, public_key, private_key_sealed, state) VALUES ($1, $2, 1, '', $3, 'active')`,
            [organizationId, site, by(sealed.zone, ZONE_KEYS)],
          )
        if (sealed.totp)
          await tx.query(
            'INSERT INTO totp (user_id, organization_id, secret) SELECT id, organization_id, $2 FROM app_user WHERE organization_id = $1',
            [organizationId, by(sealed.totp, 'totp')],
          )
        if (sealed.account)
          await tx.query(
            `INSERT INTO acme_account (authority, directory, url, sealed_key) VALUES ('lets-encrypt', '', '', $1)`,
            [by(sealed.account, CERTIFICATE_KEYS)],
          )
        for (const who of sealed.certificates ?? [])
          await tx.query(
            `INSERT INTO certificate (organization_id, site_id, type, names, sealed_key) VALUES ($1, $2, 'free', '{}', $3)`,
            [organizationId, site, by(who, CERTIFICATE_KEYS)],
          )
        if (sealed.webhook)
          await tx.query(
            `INSERT INTO webhook_endpoint (organization_id, url, types, secret) VALUES ($1, 'https://a.example', '{}', $2)`,
            [organizationId, by(sealed.webhook, WEBHOOK_SECRETS)],
          )
        const id = crypto.randomUUID()
        if (sealed.vendor)
          await tx.query(
            `INSERT INTO byo_cdn_key (id, organization_id, platform, name, fields, sealed, fingerprint) VALUES ($1, $2, 'cloudfront', 'x', '{}', $3, 'x')`,
            [id, organizationId, by(sealed.vendor, purposeOf(id))],
          )
        await refuseOtherKeys(tx, config).catch((error: unknown) => {
          assert.ok(error instanceof ConfigError)
          refused.push(name)
        })
        throw new Error('nothing of it stays')
      })
      await assert.rejects(judging, /nothing of it stays/)
    }
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
  return refused
}

test('whose key it is goes by what nobody seals anew, then by most of what is there', async () => {
  assert.deepEqual(await refusedWith({}), [])
  assert.deepEqual(await refusedWith({ zone: 'own', totp: 'own', account: 'own', certificates: ['other', 'other'] }), [
    'other',
  ])
  // Where a key was lost before and somebody went on, an operator has to say so.
  assert.deepEqual(await refusedWith({ zone: 'own', totp: 'other' }), ['own', 'other'])
  assert.deepEqual(await refusedWith({ zone: 'own', account: 'other' }), ['own', 'other'])
  assert.deepEqual(await refusedWith({ certificates: ['other', 'own', 'own'], webhook: 'other' }), ['other'])
  assert.deepEqual(await refusedWith({ webhook: 'own' }), ['other'])
  assert.deepEqual(await refusedWith({ vendor: 'own' }), ['other'])
})

test('of two machines with unlike keys that start at once where nobody has left a mark, one is refused', async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-other-'))
  try {
    await api.database.system(async (tx) => {
      await tx.query('DELETE FROM totp')
      await tx.query('UPDATE installation SET sealed_by = NULL')
    })
    let other: Promise<unknown> = Promise.resolve()
    await api.database.system(async (tx) => {
      await refuseOtherKeys(tx, api.config)
      other = api.database
        .system((beside) => refuseOtherKeys(beside, { ...api.config, home }))
        .catch((error: unknown) => error)
      await until(async () => {
        const [row] = await api.database.system((third) =>
          third.query<{ waits: boolean }>(
            `SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid') AS waits`,
          ),
        )
        return row?.waits
      })
    })
    assert.ok((await other) instanceof ConfigError)
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
})

test('a session, a change and its reversal are the same at every API', async () => {
  const client = await api.newClient()
  const there = clientOf(second.url, client.token)
  const site = (await client.call(sites.routes.create, { domainName: 'many.example' })).data.id
  assert.deepEqual(
    (await there.call(sites.routes.list, {})).data.map(({ domainName }) => domainName),
    ['many.example'],
  )
  await there.call(dnsRecords.routes.create, { site, type: 'A', name: 'one', value: '192.0.2.1' })
  const [newest] = (await client.call(versions.routes.list, { site })).data
  await client.call(versions.routes.revert, { site, number: `${newest?.number ?? 0}` })
  assert.equal(
    (await there.call(dnsRecords.routes.list, { site })).data.some(({ name }) => name === 'one'),
    false,
  )
  const zone = () =>
    api.database.system((tx) =>
      tx.query(`SELECT FROM publication WHERE kind = 'dns-zone' AND key = $1 AND version >= $2`, [
        site,
        (newest?.number ?? 0) + 1,
      ]),
    )
  await until(async () => (await zone()).length > 0)
})

test('a change at one API is heard at the other, and a session that ends at one ends there too', async () => {
  const client = await api.newClient()
  const end = new AbortController()
  const response = await fetch(`${second.url}/event/v2/stream/`, {
    headers: { authorization: `Bearer ${client.token}` },
    signal: end.signal,
  })
  assert.equal(response.status, 200)
  let heard = ''
  const reading = (async () => {
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) heard += piece
  })()
  await client.call(sites.routes.create, { domainName: 'heard.example' })
  await until(async () => /"kind":"version"/.test(heard))
  end.abort()
  await reading.catch(() => {})
  const [own] = (await client.call(sessions.routes.list, {})).data
  await client.call(sessions.routes.remove, { id: own?.id ?? '' })
  const refused = await clientOf(second.url, client.token).refusal(sites.routes.list, {})
  assert.equal(refused.status, 401)
})

test('organisations that ask at once, over few connections, see each their own', async () => {
  const clients = await Promise.all(['one', 'two', 'three'].map(() => api.newClient()))
  await Promise.all(clients.map((client, at) => client.call(sites.routes.create, { domainName: `own-${at}.example` })))
  const seen = await Promise.all(
    Array.from({ length: 30 }, async (_, at) => {
      const client = clients[at % 3]
      const asked = clientOf(at % 2 === 0 ? api.url : second.url, client?.token ?? '')
      return (await asked.call(sites.routes.list, {})).data.map(({ domainName }) => domainName).join()
    }),
  )
  assert.deepEqual(
    seen.filter((names, at) => names !== `own-${at % 3}.example`),
    [],
  )
})

test('of several workers each letter is delivered by one', async () => {
  const LETTERS = 40
  await api.database.system(async (tx) => {
    const [partner] = await tx.query<{ id: string }>('SELECT id FROM partner LIMIT 1')
    for (let at = 0; at < LETTERS; at++)
      await enqueueMail(tx, {
        organizationId: null,
        partnerId: partner?.id ?? '',
        locale: 'en',
        to: `letter-${at}@example.com`,
        template: 'enquiry',
        fields: { email: 'ann@example.com', name: 'Ann', company: 'Example', message: 'Hello', page: '/' },
      })
  })
  const states = () =>
    api.database.system((tx) =>
      tx.query<{ state: string; attempts: number }>(
        `SELECT state, attempts FROM mail_message WHERE to_address LIKE 'letter-%@example.com'`,
      ),
    )
  await until(async () => (await states()).every(({ state }) => state !== 'waiting'))
  assert.deepEqual(
    (await states()).filter(({ attempts }) => attempts !== 1),
    [],
  )
  const outboxes = [api.config.home, second.config.home].map((home) => path.join(home, 'outbox'))
  const written = outboxes.flatMap((folder) =>
    (fs.existsSync(folder) ? fs.readdirSync(folder) : []).flatMap(
      (name) => /^To: (letter-\d+@example\.com)/m.exec(fs.readFileSync(path.join(folder, name), 'utf8'))?.[1] ?? [],
    ),
  )
  assert.deepEqual(
    written.toSorted(),
    Array.from({ length: LETTERS }, (_, at) => `letter-${at}@example.com`).toSorted(),
  )
})
