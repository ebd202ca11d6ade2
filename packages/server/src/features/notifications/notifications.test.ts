import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  cdnManagement,
  account,
  apiKeys,
  dnsRecords,
  nodes,
  notifications,
  supportTickets,
  type Notification,
  operatorArea,
} from '@fairway/contract'
import { noteFailedProof, notePassedProof } from '@fairway/platform'
import {
  clientOf,
  nodeTokenOf,
  startApiUnderTest,
  type ApiUnderTest,
  type Client,
} from '../../testing/api-under-test.ts'
import { startNodeUnderTest } from '../../testing/node-under-test.ts'
import { newSteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'
import { recordTransition, tellCalm } from '../nodes/cdn-down.ts'
import { forgetOld } from './forget-old.ts'
import { endIncident, notify, type News } from './notify.ts'
import { watchMachine } from './watch-machine.ts'
import { watchNodes } from './watch-nodes.ts'
import { watchQuotas } from './watch-quotas.ts'

const { list, markAllRead, markRead, preferences, setPreference, setWebhook, unreadCount } = notifications.routes
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

const tell = (organizationId: string, more: Partial<News<'cdn-down'>> = {}) =>
  api.database.system((tx) =>
    notify(tx, { organizationId, event: 'cdn-down', fields: { cdn: 'Polaris', evidence: '2 of 3 nodes' }, ...more }),
  )
const unread = async (client: Client) => (await client.call(unreadCount, {})).unreadCount
const newest = async (client: Client): Promise<Notification> => {
  const [first] = (await client.call(list, {})).data
  assert.ok(first)
  return first
}
const userOf = async (client: Client) => (await client.call(account.routes.info, {})).customerId
const lettersTo = (client: Client) =>
  api.database.system((tx) =>
    tx.query<{ fields: Record<string, unknown>; locale: string; template: string }>(
      'SELECT fields, locale, template FROM mail_message WHERE to_address = $1 ORDER BY created_at',
      [client.email],
    ),
  )

test('what happens is told once while it lasts, its end updates it, and then it may happen again', async () => {
  const client = await api.newClient()
  const incident = 'cdn-down:polaris'
  assert.deepEqual(
    [await tell(client.organizationId, { incident }), await tell(client.organizationId, { incident })],
    [true, false],
  )
  const open = await newest(client)
  assert.deepEqual(
    [open.event, open.type, open.level, open.isIncident, open.endedAt, open.read, open.fields],
    ['cdn-down', 'cdn', 'critical', true, null, false, { cdn: 'Polaris', evidence: '2 of 3 nodes' }],
  )
  assert.equal(await api.database.system((tx) => endIncident(tx, client.organizationId, incident)), true)
  assert.equal(await api.database.system((tx) => endIncident(tx, client.organizationId, incident)), false)
  assert.deepEqual(
    [(await newest(client)).id, (await newest(client)).endedAt !== null, (await client.call(list, {})).meta.total],
    [open.id, true, 1],
  )
  assert.equal(await tell(client.organizationId, { incident }), true)
  assert.equal((await client.call(list, {})).meta.total, 2)
})

test('each user reads for themselves: one, all, and unread again; what was told before somebody came counts as read', async () => {
  const client = await api.newClient()
  for (let index = 0; index < 3; index++) await tell(client.organizationId)
  const late = await api.colleague(client, ['ViewSite'])
  assert.deepEqual([await unread(client), await unread(late)], [3, 0])
  const { id } = await newest(client)
  assert.equal((await client.call(markRead, { id, read: true })).unreadCount, 2)
  assert.deepEqual(
    [
      (await client.call(list, { state: 'unread' })).meta.total,
      (await client.call(list, { state: 'read' })).meta.total,
    ],
    [2, 1],
  )
  assert.equal((await client.call(markAllRead, {})).unreadCount, 0)
  assert.equal((await client.call(markRead, { id, read: false })).unreadCount, 1)
  await tell(client.organizationId)
  assert.deepEqual([await unread(client), await unread(late)], [2, 1])
  assert.equal((await client.refusal(markRead, { id: '00000000-0000-4000-8000-000000000000', read: true })).status, 404)
})

test('filters, pages and order', async () => {
  const client = await api.newClient({ permissions: ['ViewSite', 'ViewUser'] })
  await tell(client.organizationId, { incident: 'x' })
  await api.database.system((tx) =>
    notify(tx, {
      organizationId: client.organizationId,
      event: 'invite-accepted',
      fields: { name: 'Kim', email: 'kim@example.com' },
    }),
  )
  const events = async (query: object) => (await client.call(list, query)).data.map(({ event }) => event)
  assert.deepEqual(await events({}), ['invite-accepted', 'cdn-down'])
  assert.deepEqual(await events({ ordering: 'created_at' }), ['cdn-down', 'invite-accepted'])
  assert.deepEqual(await events({ type: 'account' }), ['invite-accepted'])
  assert.deepEqual(await events({ level: 'critical' }), ['cdn-down'])
  assert.deepEqual(await events({ state: 'open' }), ['cdn-down'])
  assert.deepEqual(await events({ page_size: 1, page: 2 }), ['cdn-down'])
  assert.equal((await client.refusal(list, { type: 'weather' as 'cdn' })).code, 400)
  assert.equal((await client.refusal(list, { level: 'loud' as 'info' })).code, 400)
  assert.equal((await client.refusal(list, { ordering: 'level' })).code, 400)
})

test('only those who may know are told, in the console and by mail; a matter of one person is told to nobody else', async () => {
  const owner = await api.newClient()
  const outsider = await api.colleague(owner, ['ViewSubscription'])
  const stranger = await api.newClient()
  await tell(owner.organizationId)
  await api.database.system(async (tx) =>
    notify(tx, {
      organizationId: owner.organizationId,
      userId: await userOf(outsider),
      event: 'password-changed',
      fields: { ip: '203.0.113.1' },
    }),
  )
  assert.deepEqual([await unread(owner), await unread(outsider), await unread(stranger)], [1, 1, 0])
  assert.deepEqual([(await newest(owner)).event, (await newest(outsider)).event], ['cdn-down', 'password-changed'])
  assert.equal((await outsider.refusal(markRead, { id: (await newest(owner)).id, read: true })).status, 404)
  assert.deepEqual(
    [(await lettersTo(owner)).length, (await lettersTo(outsider)).length, (await lettersTo(stranger)).length],
    [1, 0, 0],
  )
})

test('everyone chooses what comes in the console and by mail; letters are in the reader’s language', async () => {
  const client = await api.newClient()
  await client.call(account.routes.setLocale, { locale: 'zhHant' })
  const before = (await client.call(preferences, {})).data
  assert.deepEqual(
    before.map(({ type }) => type),
    ['account', 'analytics', 'cdn', 'dns', 'origin', 'ssl', 'origin-shield', 'stream'],
  )
  assert.ok(before.every(({ inApp, mail, webhook }) => inApp && mail === 'warning' && webhook))
  await tell(client.organizationId)
  assert.deepEqual(
    (await lettersTo(client)).map(({ fields, locale }) => [locale, String(fields['title']).startsWith('Polaris')]),
    [['zhHant', true]],
  )
  assert.match(String((await lettersTo(client))[0]?.fields['text']), /訪客/)
  await client.call(setPreference, { type: 'cdn', inApp: false, mail: 'off' })
  await tell(client.organizationId)
  assert.deepEqual([await unread(client), (await lettersTo(client)).length], [0, 1])
  await client.call(setPreference, { type: 'cdn', inApp: true, mail: 'info' })
  assert.deepEqual(
    (await client.call(preferences, {})).data.find(({ type }) => type === 'cdn'),
    { type: 'cdn', inApp: true, mail: 'info', webhook: true },
  )
  assert.equal((await client.call(setWebhook, { type: 'cdn', webhook: false })).webhook, false)
  assert.equal((await client.refusal(setPreference, { type: 'weather', inApp: true, mail: 'off' })).status, 404)
  assert.equal(
    (await client.refusal(setPreference, { type: 'cdn', inApp: true, mail: 'sometimes' as 'off' })).code,
    400,
  )
  assert.equal((await client.refusal(setWebhook, { type: 'weather', webhook: true })).status, 404)
})

test('a letter goes to proven addresses only, and not from the sandbox', async () => {
  const client = await api.newClient()
  await api.database.system((tx) =>
    tx.query('UPDATE app_user SET email_verified_at = NULL WHERE email = $1', [client.email]),
  )
  await tell(client.organizationId)
  await api.database.system((tx) =>
    tx.query('UPDATE app_user SET email_verified_at = now() WHERE email = $1', [client.email]),
  )
  await api.database.system((tx) =>
    tx.query('UPDATE organization SET sandbox = true WHERE id = $1', [client.organizationId]),
  )
  await tell(client.organizationId)
  assert.equal((await lettersTo(client)).length, 0)
})

test('a CDN that dies tells its evidence and the last change that touches it, not just the newest; its return ends it', async () => {
  const own = await newSteeredDomain(api)
  await own.client.call(cdnManagement.routes.install, { site: own.site, domain: own.domain, cdnId: 'polaris' })
  await own.client.call(dnsRecords.routes.create, { site: own.site, type: 'TXT', name: 'x', value: 'y' })
  const node = clientOf(api.url, nodeTokenOf(api))
  const { nodeId } = await node.call(nodes.routes.register, {
    name: 'collector',
    role: 'collector',
    version: 'test',
    controlUrl: null,
  })
  const post = (hardDown: boolean) =>
    node.call(nodes.routes.publishScores, {
      node: nodeId,
      snapshots: [],
      transitions: [
        {
          organizationId: own.client.organizationId,
          cdnId: 'polaris',
          hardDown,
          at: Date.now(),
          evidence: '2 of 3 nodes',
        },
      ],
    })
  await post(true)
  await post(true)
  const down = await newest(own.client)
  assert.deepEqual(
    [down.fields, down.change?.siteId, down.change?.title, down.change?.author, down.link],
    [
      { cdn: 'Polaris', evidence: '2 of 3 nodes' },
      own.site,
      `Install Polaris on ${own.host}`,
      own.client.email,
      '/home',
    ],
  )
  await post(false)
  await passed(own.client.organizationId, 61)
  const back = (await own.client.call(list, {})).data
  assert.deepEqual([back.length, back[0]?.id, back[0]?.endedAt === null], [1, down.id, false])
  assert.deepEqual(
    (await lettersTo(own.client)).map(({ fields }) => fields['title']),
    ['Polaris is down', 'Polaris is back'],
  )
  // From here on it comes and goes.
  for (let flap = 0; flap < 5; flap++) {
    await post(true)
    await post(false)
    await passed(own.client.organizationId, 61)
  }
  const titles = async () => (await lettersTo(own.client)).map(({ fields }) => fields['title'])
  assert.deepEqual(await titles(), ['Polaris is down', 'Polaris is back', 'Polaris is down'])
  const flapping = (await own.client.call(list, {})).data
  assert.deepEqual(
    [flapping.length, flapping[0]?.fields['evidence'], flapping[0]?.endedAt],
    [1, '2 of 3 nodes; flaps, 5 times', null],
  )
  await passed(own.client.organizationId, 601)
  assert.equal((await titles()).at(-1), 'Polaris is back')
  await post(true)
  assert.deepEqual([(await titles()).length, (await own.client.call(list, {})).data.length], [5, 2])
})

/** As if so many seconds had gone by since the CDN came back. */
async function passed(organizationId: string, seconds: number): Promise<void> {
  await api.database.system((tx) =>
    tx.query('UPDATE health_event SET ended_at = ended_at - make_interval(secs => $2) WHERE organization_id = $1', [
      organizationId,
      seconds,
    ]),
  )
  await tellCalm(api.database)
}

test('a CDN that dies at the moment when its calm is told is not told to be back, and what counts is how long it was down', async () => {
  const { organizationId, ...client } = await api.newClient()
  const at = Date.now() - 3_600_000
  const went = (hardDown: boolean, seconds: number) =>
    api.database.system((tx) =>
      recordTransition(tx, { organizationId, cdnId: 'polaris', hardDown, at: at + seconds * 1000, evidence: '2 of 3' }),
    )
  const open = async () => (await client.call(list, {})).data.map(({ endedAt }) => endedAt === null)
  await went(true, 0)
  await went(false, 30)
  const undone = new Error('undone')
  await assert.rejects(
    api.database.system(async (tx) => {
      await tx.query('UPDATE health_event SET ended_at = NULL WHERE organization_id = $1', [organizationId])
      await tellCalm(api.database)
      throw undone
    }),
    undone,
  )
  assert.deepEqual(await open(), [true])
  await went(true, 330)
  await went(false, 340)
  const [event] = await api.database.system((tx) =>
    tx.query<{ ms: number; spans: number[][] }>(
      `SELECT (detail->>'downMs')::float8 AS ms, detail->'spans' AS spans FROM health_event WHERE organization_id = $1`,
      [organizationId],
    ),
  )
  assert.equal(event?.ms, 40_000)
  assert.deepEqual(
    event?.spans.map((span) => span.map((ms) => (ms - at) / 1000)),
    [
      [0, 30],
      [330, 340],
    ],
  )
  await tellCalm(api.database)
  assert.deepEqual(await open(), [false])
})

test('a person gets thirty letters of notifications in an hour, and the next one says how many were left out', async () => {
  const client = await api.newClient()
  for (let index = 0; index < 34; index++) await tell(client.organizationId, { level: 'warning' })
  assert.equal((await lettersTo(client)).length, 30)
  await api.database.system((tx) =>
    tx.query(`UPDATE notification_pace SET hour = hour - interval '1 hour' WHERE organization_id = $1`, [
      client.organizationId,
    ]),
  )
  await tell(client.organizationId, { level: 'warning' })
  await tell(client.organizationId, { level: 'warning' })
  assert.deepEqual(
    (await lettersTo(client)).slice(30).map(({ fields }) => fields['leftOut']),
    [4, undefined],
  )
})

/** Not in the last seconds of an hour. */
async function untilEarlyInHour(): Promise<void> {
  const left = 3_600_000 - (Date.now() % 3_600_000)
  if (left < 20_000) await sleep(left)
}

test('warnings keep no critical letter back, and the letter says how many of them were left out', async () => {
  // The count is of an hour by the clock.
  await untilEarlyInHour()
  const client = await api.newClient()
  for (let index = 0; index < 33; index++) await tell(client.organizationId, { level: 'warning' })
  for (let index = 0; index < 102; index++) await tell(client.organizationId, { level: 'critical' })
  const letters = (await lettersTo(client)).map(({ fields }) => [fields['level'], fields['leftOut']])
  assert.equal(letters.filter(([level]) => level === 'warning').length, 30)
  assert.equal(letters.filter(([level]) => level === 'critical').length, 100)
  assert.deepEqual(letters.slice(30, 32), [
    ['critical', 3],
    ['critical', undefined],
  ])
})

test('what customers do is told by thirty letters in an hour, and keeps nothing else back', async () => {
  await untilEarlyInHour()
  const operator = await api.newClient({ isOperator: true })
  const { organizationId } = operator
  for (let ticket = 0; ticket < 40; ticket++)
    await api.database.system((tx) =>
      notify(tx, {
        organizationId,
        event: 'ticket-opened',
        fields: { ticket: `${ticket}`, subject: 'x', organization: 'y' },
      }),
    )
  assert.equal((await lettersTo(operator)).length, 30)
  await tell(organizationId, { level: 'warning' })
  assert.deepEqual(
    (await lettersTo(operator)).slice(30).map(({ fields }) => fields['leftOut']),
    [10],
  )
})

test('a change of longer ago is not named as near', async () => {
  const own = await newSteeredDomain(api)
  await api.database.system((tx) =>
    tx.query(`UPDATE version SET created_at = now() - interval '11 minutes' WHERE site_id = $1`, [own.site]),
  )
  await tell(own.client.organizationId, { siteId: own.site })
  assert.deepEqual([(await newest(own.client)).change, (await newest(own.client)).siteName], [null, own.host.slice(4)])
})

test('a node that refuses a version says why, until it takes one', async () => {
  const own = await newSteeredDomain(api)
  await using node = startNodeUnderTest(api, 'dns', 'picky')
  await until(async () => node.document('dns-zone', own.site))
  node.refuse('no space left')
  await own.client.call(dnsRecords.routes.create, { site: own.site, type: 'TXT', name: 'x', value: 'y' })
  const told = await until(async () => (await own.client.call(list, { state: 'open', type: 'dns' })).data[0])
  assert.deepEqual(
    [told.event, told.fields['node'], told.fields['reason'], told.fields['site']],
    ['deployment-refused', 'picky', 'no space left', own.host.slice(4)],
  )
  node.refuse(null)
  await own.client.call(dnsRecords.routes.create, { site: own.site, type: 'TXT', name: 'z', value: 'y' })
  await until(async () => (await own.client.call(list, { state: 'open', type: 'dns' })).data.length === 0)
})

test('a node that goes quiet is told to operators and shown to those it serves, once; hearing of it again ends both', async () => {
  const operator = await api.newClient({ isOperator: true })
  const customer = await newSteeredDomain(api)
  const node = clientOf(api.url, nodeTokenOf(api))
  const { nodeId } = await node.call(nodes.routes.register, {
    name: 'quiet',
    role: 'edge',
    version: 'test',
    controlUrl: null,
  })
  const seen = (ago: string) =>
    api.database.system((tx) =>
      tx.query('UPDATE node SET last_seen_at = now() - $2::interval WHERE id = $1', [nodeId, ago]),
    )
  const events = async () =>
    (
      await api.database.system((tx) =>
        tx.query<{ ended_at: Date | null }>(
          `SELECT ended_at FROM health_event WHERE organization_id = $1 AND kind = 'node-away' AND title = 'quiet'`,
          [customer.client.organizationId],
        ),
      )
    ).map(({ ended_at: endedAt }) => endedAt !== null)
  await seen('40 seconds')
  for (let look = 0; look < 2; look++) await api.database.system((tx) => watchNodes(tx, api.log))
  const told = async () =>
    (await operator.call(list, { type: 'analytics' })).data
      .filter(({ fields }) => fields['node'] === 'quiet')
      .map(({ endedAt }) => endedAt !== null)
  assert.deepEqual([await told(), await events(), await unread(customer.client)], [[false], [false], 0])
  await seen('1 second')
  await api.database.system((tx) => watchNodes(tx, api.log))
  assert.deepEqual([await told(), await events()], [[true], [true]])
})

test('operators are told of a disk that fills up and of backups that stopped, once, and when it is over', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-backups-'))
  // The worker of this test looks at its own machine.
  const config = { ...api.config, nodeName: 'another', backupFolder: folder }
  const operator = await api.newClient({ isOperator: true })
  const customer = await api.newClient()
  const look = (freeGb: number, days = 0) =>
    api.database.system((tx) =>
      watchMachine(tx, config, {
        disk: { freeBytes: freeGb * 2 ** 30, totalBytes: 100 * 2 ** 30 },
        // A file's time is finer than the clock's: a little more than whole days.
        now: Date.now() + days * 86_400_000 + 1000,
      }),
    )
  const told = async () =>
    (await operator.call(list, { type: 'account' })).data
      .filter(
        ({ event, fields }) => (event === 'disk-low' && fields['machine'] === 'another') || event === 'backup-old',
      )
      .map(({ event, fields, endedAt }) => [event, fields['percent'] ?? fields['days'], endedAt !== null])
      .sort()
  await look(60, 30)
  assert.deepEqual(await told(), [], 'who never took a backup of ours may have others')
  fs.writeFileSync(path.join(folder, 'fairway-2026-01-01T00-00-00.000Z.backup'), '')
  await look(14, 9)
  await look(16, 9)
  const open = [
    ['backup-old', 9, false],
    ['disk-low', 14, false],
  ]
  assert.deepEqual(await told(), open)
  assert.equal(
    (await customer.call(list, { type: 'account' })).data.some(({ event }) => event === 'disk-low'),
    false,
  )
  await look(30)
  assert.deepEqual(await told(), [
    ['backup-old', 9, true],
    ['disk-low', 14, true],
  ])
  const proofs = async () =>
    (await operator.call(list, { type: 'account' })).data
      .filter(({ event }) => event === 'backup-unproven')
      .map(({ fields, endedAt }) => [fields['problem'], endedAt !== null])
  const newest = path.join(folder, 'fairway-2026-01-01T00-00-00.000Z.backup')
  noteFailedProof(config, newest, 'rows are missing')
  await look(60)
  assert.deepEqual(await proofs(), [['rows are missing', false]])
  notePassedProof(config, newest, Date.now())
  await look(60)
  assert.deepEqual(await proofs(), [['rows are missing', true]])
  const marks = async (of: string) =>
    (await operator.call(list, { type: 'account' })).data
      .filter(({ event, fields }) => /^disk-(scarce|full)$/.test(event) && fields['machine'] === of)
      .map(({ event, fields, endedAt }) => [event, fields['free'], endedAt !== null])
      .sort()
  await look(0.75)
  await look(0.125)
  assert.deepEqual(await marks('another'), [
    ['disk-full', '128 MB', false],
    ['disk-scarce', '768 MB', false],
  ])
  await look(0.75)
  await look(30)
  assert.deepEqual(await marks('another'), [
    ['disk-full', '128 MB', true],
    ['disk-scarce', '768 MB', true],
  ])
  // A node tells of its own disk, which operators see and are told of.
  const node = clientOf(api.url, nodeTokenOf(api))
  const { nodeId } = await node.call(nodes.routes.register, {
    name: 'far-away',
    role: 'dns',
    version: 'test',
    controlUrl: null,
  })
  const disk = { freeBytes: 100 * 2 ** 20, totalBytes: 100 * 2 ** 30, level: 'full' as const }
  await node.call(nodes.routes.acknowledge, { node: nodeId, acknowledgements: [], disk })
  await look(30)
  const shown = (await operator.call(operatorArea.routes.nodes, {})).data.find(({ id }) => id === nodeId)
  assert.deepEqual(shown?.disk, disk)
  assert.deepEqual(await marks('far-away'), [
    ['disk-full', '100 MB', false],
    ['disk-scarce', '100 MB', false],
  ])
  const roomy = { ...disk, freeBytes: 50 * 2 ** 30, level: 'enough' as const }
  await node.call(nodes.routes.acknowledge, { node: nodeId, acknowledgements: [], disk: roomy })
  await look(30)
  assert.deepEqual(
    (await marks('far-away')).map(([, , isOver]) => isOver),
    [true, true],
  )
  fs.rmSync(folder, { recursive: true })
})

test('a quota that is nearly used is told once, and over when there is room again', async () => {
  const own = await newSteeredDomain(api, { planId: 'business' })
  const room = (count: number) =>
    api.database.system((tx) =>
      tx.query(
        `INSERT INTO dns_record (organization_id, site_id, type, name, value) SELECT $1, $2, 'TXT', 'n' || i, 'x' FROM generate_series(1, $3) i`,
        [own.client.organizationId, own.site, count],
      ),
    )
  await api.database.system(watchQuotas)
  assert.equal((await own.client.call(list, { type: 'account' })).meta.total, 0)
  await room(44)
  for (let look = 0; look < 2; look++) await api.database.system(watchQuotas)
  const told = (await own.client.call(list, { type: 'account' })).data
  assert.deepEqual(
    told.map(({ fields, endedAt }) => [fields['what'], fields['used'], fields['limit'], endedAt]),
    [['records', 45, 50, null]],
  )
  await api.database.system((tx) => tx.query(`DELETE FROM dns_record WHERE site_id = $1 AND type = 'TXT'`, [own.site]))
  await api.database.system(watchQuotas)
  assert.notEqual((await own.client.call(list, { type: 'account' })).data[0]?.endedAt, null)
})

test('old news, deliveries and letters are forgotten; incidents that last stay', async () => {
  const client = await api.newClient()
  await tell(client.organizationId, { incident: 'lasts', at: new Date('2020-01-01T00:00:00Z') })
  await tell(client.organizationId, { at: new Date('2020-01-01T00:00:00Z') })
  await tell(client.organizationId)
  await api.database.system((tx) =>
    tx.query(`UPDATE mail_message SET created_at = now() - interval '31 days', state = 'kept' WHERE to_address = $1`, [
      client.email,
    ]),
  )
  await forgetOld(api.database)
  assert.deepEqual([(await client.call(list, {})).meta.total, (await lettersTo(client)).length], [2, 0])
})

test('the console hears at once that there is something new', async () => {
  const client = await api.newClient()
  const stop = new AbortController()
  const response = await fetch(new URL('/event/v2/stream/', api.url), {
    headers: { authorization: `Bearer ${client.token}` },
    signal: stop.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  await tell(client.organizationId)
  let heard = ''
  while (!heard.includes('"notification"')) heard += (await reader?.read())?.value ?? ''
  stop.abort()
})

test('people hear of their own sign-in, of new keys and teammates, and of answers to their tickets', async () => {
  const [owner, operator] = [await api.newClient(), await api.newClient({ isOperator: true })]
  const mate = await api.colleague(owner, ['ViewSite', 'ViewApiKey'])
  const eventsOf = async (client: Client) => (await client.call(list, {})).data.map(({ event }) => event)
  await api.database.system((tx) => tx.query('UPDATE app_user SET api_tier = 4 WHERE email = $1', [owner.email]))
  await owner.call(apiKeys.routes.create, { name: 'deploys', tier: 1 })
  assert.deepEqual(await eventsOf(mate), ['api-key-created'])
  const ticket = await mate.call(supportTickets.routes.create, { subject: 'Slow', message: 'Since noon' })
  await operator.call(supportTickets.routes.answer, { ticket: ticket.id, message: 'We look' })
  assert.deepEqual(await eventsOf(mate), ['ticket-answered', 'api-key-created'])
  assert.deepEqual(await eventsOf(owner), ['api-key-created'])
})
