import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type DnsZone, signedUrls, streamBalancers } from '@fairway/contract'
import { seal, streamHost } from '@fairway/platform'
import { type ApiUnderTest, type Client, startApiUnderTest } from '../../testing/api-under-test.ts'
import { makeCertificate } from '../../testing/made-certificates.ts'
import { type NodeUnderTest, startNodeUnderTest } from '../../testing/node-under-test.ts'
import { until } from '../../testing/until.ts'
import { takeHouseOrder } from './house-orders.ts'
import { CERTIFICATE_KEYS } from './seal-purpose.ts'
import { holdAuthority } from './store.ts'
import type { StreamCertificateRow } from './stream-certificate-store.ts'

const ZONE = 'stream.edge.fairway.test'
const KEY = 'system:streams'

let api: ApiUnderTest
let client: Client
let edge: NodeUnderTest
let dns: NodeUnderTest
let collector: NodeUnderTest
const stack = new AsyncDisposableStack()
before(async () => {
  api = stack.use(
    await startApiUnderTest({
      FAIRWAY_STREAM_ACME: 'lets-encrypt',
      // Nobody is there.
      FAIRWAY_ACME_LETS_ENCRYPT_URL: 'https://127.0.0.1:9/directory',
    }),
  )
  edge = stack.use(startNodeUnderTest(api, 'edge'))
  dns = stack.use(startNodeUnderTest(api, 'dns'))
  collector = stack.use(startNodeUnderTest(api, 'collector'))
  client = await api.newClient({ planId: 'enterprise' })
  await sql(
    `INSERT INTO stream_asset (organization_id, name, size, created_by, is_playable, state) VALUES ($1, 'film.mp4', 1, 'x', true, 'ready')`,
    [client.organizationId],
  )
})
after(() => stack.disposeAsync())

const sql = <T extends object>(text: string, values: unknown[] = []) =>
  api.database.system((tx) => tx.query<T>(text, values))
const origin = async () => (await client.call(signedUrls.routes.get, {})).origin
const plain = () => `http://${streamHost(api.config, client.organizationId)}:${api.config.edgeHttp.port}`
const secure = () => `https://${streamHost(api.config, client.organizationId)}:${api.config.edgeHttps.port}`

test('the zone of the service domain shows what an authority wants to see, and the hosts of videos beside it', async () => {
  assert.equal(await origin(), plain())
  await until(async () => dns.document('dns-zone', 'system:fairway.test') !== undefined)
  const name = `_acme-challenge.${ZONE}`
  await sql(`UPDATE stream_certificate SET challenges = $1`, [
    JSON.stringify([{ type: 'dns-01', name, value: 'proof-1' }]),
  ])
  await publish('dns-zone', 'system:fairway.test')
  const setOf = (zone: DnsZone | null | undefined, wanted: string) =>
    zone?.rrsets.find((one) => one.name === wanted)?.rdata
  const zone = await until(async () => {
    const now = dns.document('dns-zone', 'system:fairway.test')
    return setOf(now, name) && now
  })
  assert.deepEqual(setOf(zone, name), ['"proof-1"'])
  // What stands below it makes `stream.edge` exist: the wildcard above ends there.
  assert.deepEqual(setOf(zone, `*.${ZONE}`), [api.config.edgeHttp.host])
})

async function publish(kind = 'edge-certificates', key = KEY): Promise<void> {
  await sql(`INSERT INTO outbox (kind, key) VALUES ($1, $2)`, [kind, key])
  await sql(`SELECT pg_notify('outbox', '')`)
}

test('addresses are https from when every edge shows the certificate until it ends', async () => {
  await client.call(streamBalancers.routes.set, {
    source: 'assets',
    isOn: true,
    mode: 'weights',
    entries: [{ cdnId: 'edge', host: null, weight: 60, enabled: true }],
  })
  const [balancer] = await sql<{ id: string }>('SELECT id FROM stream_balancer')
  const balance = () => collector.document('stream-balance', balancer?.id ?? '')
  await until(async () => balance() !== undefined)
  assert.equal(balance()?.httpsPort, undefined)

  edge.refuse('not yet')
  const [{ names } = { names: [] }] = await sql<{ names: string[] }>('SELECT names FROM stream_certificate')
  assert.deepEqual([names[0], names.includes('*.polaris.cdn.fairway.test')], [`*.${ZONE}`, true])
  const made = makeCertificate({ subject: '/CN=videos', names })
  const sealed = seal(api.config, CERTIFICATE_KEYS, made.privateKey)
  await sql(
    `UPDATE stream_certificate SET chain_pem = $1, sealed_key = $2, not_after = now() + interval '1 day', version = 1, next_attempt_at = now() + interval '1 hour'`,
    [made.certificate, sealed],
  )
  await publish()
  await until(async () => (await sql(`SELECT FROM node_version WHERE key = $1 AND NOT ok`, [KEY])).length > 0)
  assert.equal(await origin(), plain())
  assert.equal(balance()?.httpsPort, undefined)

  edge.refuse(null)
  await sql('UPDATE stream_certificate SET version = 2')
  await publish()
  await until(async () => (await origin()) === secure())
  assert.deepEqual(edge.document('edge-certificates', KEY)?.names[`*.${ZONE}`], 'streams')
  await until(async () => balance()?.httpsPort === api.config.edgeHttps.port)

  await sql(`UPDATE stream_certificate SET not_after = now(), live_until = now()`)
  await until(async () => (await origin()) === plain())
  await until(async () => balance()?.httpsPort === undefined)
})

test('while an authority takes no orders of the house’s account, none is made for its own names; one under way goes on', async () => {
  const undone = api.database.system(async (tx) => {
    await tx.query('DELETE FROM stream_certificate')
    await tx.query(
      `INSERT INTO stream_certificate (host, names, authority, directory) VALUES ('made.test', '{made.test}', 'lets-encrypt', 'd')`,
    )
    await tx.query(
      `INSERT INTO acme_account (authority, directory, url, sealed_key) VALUES ('lets-encrypt', 'd', 'u', 'k')`,
    )
    const taken = async () => {
      const row = await takeHouseOrder<StreamCertificateRow>(tx, 'stream_certificate', 'made.test', {
        authority: 'lets-encrypt',
        leaseSeconds: 10,
        newKey: () => 'key',
      })
      await tx.query('UPDATE stream_certificate SET leased_until = NULL')
      return row?.step ?? null
    }
    await holdAuthority(tx, 'lets-encrypt', new Date(Date.now() + 60_000))
    assert.equal(await taken(), null)
    await tx.query(`UPDATE acme_account SET held_until = now()`)
    assert.equal(await taken(), 'order')
    // The time of one that was kept back for a while begins anew.
    await tx.query(
      `UPDATE stream_certificate SET next_attempt_at = now() - interval '35 minutes', order_began_at = now() - interval '40 minutes'`,
    )
    assert.equal(await taken(), 'order')
    assert.equal((await tx.query('SELECT FROM stream_certificate WHERE order_began_at = now()')).length, 1)
    // Nothing holds for longer than three hours.
    await holdAuthority(tx, 'lets-encrypt', new Date(Date.now() + 86_400_000))
    assert.equal((await tx.query(`SELECT FROM acme_account WHERE held_until = now() + interval '3 hours'`)).length, 1)
    assert.equal(await taken(), null)
    await tx.query(`UPDATE stream_certificate SET step = 'validate'`)
    assert.equal(await taken(), 'validate')
    throw new Error('undone')
  })
  await assert.rejects(undone, /^Error: undone$/)
})
