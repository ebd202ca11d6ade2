import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { account, auth, nodes, operatorArea, organizations, sites } from '@fairway/contract'
import {
  clientOf,
  nodeTokenOf,
  startApiUnderTest,
  type ApiUnderTest,
  type Client,
} from '../../testing/api-under-test.ts'
import { until } from '../../testing/until.ts'
import { watchNodes } from '../notifications/watch-nodes.ts'

const {
  audit,
  cancelJob,
  forgetNode,
  jobs,
  letter,
  letters,
  maintenance,
  nodeDocuments,
  overview,
  plans,
  resendLetter,
  retryJob,
  setMaintenance,
  updatePlan,
} = operatorArea.routes
let api: ApiUnderTest
let operator: Client
before(async () => {
  api = await startApiUnderTest()
  operator = await api.newClient({ isOperator: true })
})
after(() => api[Symbol.asyncDispose]())

async function newNode(name: string, role: 'dns' | 'edge' = 'dns') {
  const node = clientOf(api.url, nodeTokenOf(api))
  const { nodeId } = await node.call(nodes.routes.register, { name, role, version: '1', controlUrl: null })
  return {
    nodeId,
    tell: (key: string, version: number, reason: string | null) =>
      node.call(nodes.routes.acknowledge, {
        node: nodeId,
        acknowledgements: [{ kind: 'dns-zone', key, version, ok: reason === null, reason }],
      }),
  }
}
const age = (nodeId: string, seconds: number) =>
  api.database.system((tx) =>
    tx.query('UPDATE node SET last_seen_at = now() - make_interval(secs => $2) WHERE id = $1', [nodeId, seconds]),
  )
const find = async (id: string) =>
  (await operator.call(operatorArea.routes.nodes, {})).data.find((node) => node.id === id)

test('the operator sees what each node serves, what it refuses and in which words', async () => {
  const client = await api.newClient()
  const { id: site, domainName } = (await client.call(sites.routes.create, { domainName: 'nodes.example' })).data
  const { nodeId, tell } = await newNode('dns-1')
  await until(async () => ((await find(nodeId))?.waiting ?? 0) > 0)
  assert.equal((await find(nodeId))?.health, 'behind')
  // It is heard about what is published.
  await until(async () => {
    await tell(site, 1, 'record 3: not an address')
    return (await find(nodeId))?.refused === 1
  })
  assert.deepEqual([(await find(nodeId))?.health, (await find(nodeId))?.refused], ['failed', 1])
  const [document] = (await operator.call(nodeDocuments, { node: nodeId, only: 'refused' })).data
  assert.deepEqual(
    [document?.label, document?.kind, document?.ok, document?.reason],
    [domainName, 'dns-zone', false, 'record 3: not an address'],
  )
  await tell(site, 1, null)
  assert.equal((await operator.call(nodeDocuments, { node: nodeId, only: 'refused' })).meta.total, 0)
  assert.equal((await operator.refusal(nodeDocuments, { node: crypto.randomUUID() })).status, 404)
})

test('a node that is missed is told once, and once when it is back', async () => {
  const { nodeId } = await newNode('dns-2')
  const events = async () =>
    (await operator.call(operatorArea.routes.nodes, {})).events
      .filter((event) => event.nodeId === nodeId)
      .map(({ kind }) => kind)
  const look = () => api.database.system((tx) => watchNodes(tx, api.log))
  await age(nodeId, 60)
  await look()
  await look()
  assert.deepEqual([await events(), (await find(nodeId))?.health], [['away'], 'away'])
  await age(nodeId, 0)
  await look()
  await look()
  assert.deepEqual(await events(), ['back', 'away'])
})

test('only a node that is away can be forgotten', async () => {
  const { nodeId } = await newNode('dns-3')
  assert.equal((await operator.refusal(forgetNode, { node: nodeId })).code, 7409)
  await age(nodeId, 3600)
  await operator.call(forgetNode, { node: nodeId })
  assert.equal(await find(nodeId), undefined)
})

test("maintenance and the new version reach everybody, with the operator's words", async () => {
  const text = { en: 'Back at ten', zhHant: '十點恢復', zhHans: '十点恢复' }
  const before = await operator.call(maintenance, {})
  assert.deepEqual([before.maintenanceMode, before.newVersion], [false, false])
  await operator.call(setMaintenance, { maintenanceMode: true, text, newVersion: true })
  const told = await clientOf(api.url, '').call(account.routes.config, {})
  assert.deepEqual([told.maintenanceMode, told.maintenanceText, told.version], [true, text, '2.40.5+new'])
  assert.equal(
    (
      await operator.refusal(setMaintenance, {
        maintenanceMode: true,
        text: { ...text, en: 'x'.repeat(501) },
        newVersion: false,
      })
    ).fields[0]?.path,
    'text.en',
  )
  await operator.call(setMaintenance, before)
  assert.equal((await clientOf(api.url, '').call(account.routes.config, {})).maintenanceMode, false)
})

test('letters are listed, read as their receiver sees them, and sent again', async () => {
  const client = await api.newClient()
  await clientOf(api.url, '').call(auth.routes.forgotPassword, { email: client.email })
  const [row] = (await operator.call(letters, { search: client.email })).data
  assert.deepEqual([row?.to, row?.template, row?.partnerName], [client.email, 'reset-password', 'Fairway'])
  const read = await operator.call(letter, { letter: row?.id ?? '' })
  const link = /https?:\/\/[^"\s]+reset-password[^"\s]+/.exec(read.html)?.[0] ?? ''
  assert.ok(link && read.text.includes('reset-password') && read.subject && read.from.includes('<'), read.text)
  await until(async () => (await operator.call(letter, { letter: row?.id ?? '' })).state === 'kept')
  await api.database.system((tx) =>
    tx.query(`UPDATE mail_message SET turn_at = now() + interval '5 hours' WHERE id = $1`, [row?.id]),
  )
  await operator.call(resendLetter, { letter: row?.id ?? '' })
  await until(async () => (await operator.call(letter, { letter: row?.id ?? '' })).state === 'kept')
  const [turn] = await api.database.system((tx) =>
    tx.query<{ come: boolean }>('SELECT turn_at <= now() AS come FROM mail_message WHERE id = $1', [row?.id]),
  )
  assert.equal(turn?.come, true)
  assert.equal((await operator.refusal(letter, { letter: crypto.randomUUID() })).status, 404)
  assert.equal((await client.refusal(letter, { letter: row?.id ?? '' })).status, 403)
})

test('videos and live streams stand among the jobs, are stopped and tried again, and their owner finds it in the log', async () => {
  const client = await api.newClient({ planId: 'enterprise' })
  const insert = async (text: string) => {
    const [row] = await api.database.system((tx) => tx.query<{ id: string }>(text, [client.organizationId]))
    return row?.id ?? ''
  }
  const asset = (name: string, state: string, code: number | null) =>
    insert(
      `INSERT INTO stream_asset (organization_id, name, size, state, reason_code, created_by) VALUES ($1, 'jobbed-${name}', 1, '${state}', ${code}, 'x') RETURNING id`,
    )
  await asset('sent', 'uploading', null)
  const waiting = await asset('waiting', 'queued', null)
  const broken = await asset('broken', 'failed', 30013)
  await asset('noise', 'failed', 30010)
  const live = await insert(
    `INSERT INTO stream_live (organization_id, name, latency, key_frame_seconds, rewind_seconds, key_hash, is_on, created_by) VALUES ($1::uuid, 'jobbed-live', 'normal', 2, 60, gen_random_uuid()::text, true, 'x') RETURNING id`,
  )
  const found = async () =>
    (await operator.call(jobs, { search: 'jobbed-' })).data
      .map(({ about, kind, state, can }) => `${about.slice(7)} ${kind} ${state} ${can.join()}`)
      .toSorted()
  assert.deepEqual(await found(), [
    'broken encode failed retry',
    'live live waiting cancel',
    'noise encode failed ',
    'sent upload running cancel',
    'waiting encode waiting cancel',
  ])
  // Given up after as many attempts as there may be, the next one an hour later.
  await api.database.system(async (tx) => {
    await tx.query(`UPDATE stream_asset SET attempts = 20, next_try_at = now() + interval '1 hour' WHERE id = $1`, [
      broken,
    ])
    await tx.query(
      `INSERT INTO stream_job (organization_id, asset_id, seq, kind, name, state, attempt, next_try_at) VALUES ($1, $2, 0, 'video', '360p', 'failed', 21, now() + interval '1 hour')`,
      [client.organizationId, broken],
    )
  })
  await operator.call(retryJob, { kind: 'encode', job: broken })
  const [again] = await api.database.system((tx) =>
    tx.query<{ attempts: number; attempt: number; vain_from: number }>(
      `SELECT a.attempts, j.attempt, j.vain_from FROM stream_job j JOIN stream_asset a ON a.id = j.asset_id
       WHERE a.id = $1 AND j.state = 'waiting' AND coalesce(j.next_try_at, a.next_try_at) IS NULL`,
      [broken],
    ),
  )
  assert.deepEqual(again, { attempts: 0, attempt: 21, vain_from: 21 })
  await operator.call(cancelJob, { kind: 'encode', job: waiting })
  await operator.call(cancelJob, { kind: 'live', job: live })
  assert.equal((await operator.refusal(cancelJob, { kind: 'live', job: live })).status, 404)
  assert.equal((await operator.refusal(cancelJob, { kind: 'upload', job: broken })).status, 404)
  assert.equal((await client.refusal(cancelJob, { kind: 'encode', job: broken })).status, 403)
  assert.deepEqual(await found(), [
    'broken encode waiting cancel',
    'noise encode failed ',
    'sent upload running cancel',
    'waiting encode failed retry',
  ])
  const told = await api.database.system((tx) =>
    tx.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE organization_id = $1 AND user_label = 'operator' ORDER BY number`,
      [client.organizationId],
    ),
  )
  assert.deepEqual(
    told.map(({ action }) => action),
    ['stream-asset.stop', 'live-stream.stop'],
  )
})

test('jobs that wait or failed are listed, and tried again on demand', async () => {
  const client = await api.newClient()
  const { id: site } = (await client.call(sites.routes.create, { domainName: 'jobs.example' })).data
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO site_task (organization_id, site_id, kind, state, problem, due_at) VALUES ($1, $2, 'unheard-of', 'failed', 'fault', now())`,
      [client.organizationId, site],
    ),
  )
  const failed = (await operator.call(jobs, { state: 'failed', search: 'jobs.example' })).data
  assert.deepEqual(
    failed.map(({ kind, what, about, problem }) => [kind, what, about, problem]),
    [['site-task', 'unheard-of', 'jobs.example', 'fault']],
  )
  assert.ok((await operator.call(overview, {})).jobs.failed >= 1)
  await operator.call(retryJob, { kind: 'site-task', job: failed[0]?.id ?? '' })
  const [row] = await api.database.system((tx) =>
    tx.query<{ problem: string | null }>(`SELECT problem FROM site_task WHERE site_id = $1 AND kind = 'unheard-of'`, [
      site,
    ]),
  )
  assert.notEqual(row, undefined)
  assert.equal((await operator.refusal(retryJob, { kind: 'cdn', job: crypto.randomUUID() })).status, 404)
  await api.database.system((tx) => tx.query(`DELETE FROM site_task WHERE kind = 'unheard-of'`))
})

test("a plan's abilities and limits count at once for its organisations", async () => {
  const client = await api.newClient({ planId: 'developer' })
  const before = (await operator.call(plans, {})).data.find(({ id }) => id === 'developer')
  assert.ok(before)
  const { id: plan, organizationCount: _count, offered: _offered, ...data } = before
  assert.ok(!(await client.call(account.routes.info, {})).plan.ability.includes('dns.vsr'))
  await operator.call(updatePlan, { plan, ...data, ability: [...data.ability, 'dns.vsr'], siteLimit: 1 })
  assert.ok((await client.call(account.routes.info, {})).plan.ability.includes('dns.vsr'))
  await client.call(sites.routes.create, { domainName: 'one.example' })
  assert.equal((await client.refusal(sites.routes.create, { domainName: 'two.example' })).code, 900012)
  for (const [field, change] of [
    ['name', { name: '' }],
    ['siteLimit', { siteLimit: 0 }],
    ['cdnLimit', { cdnLimit: 1.5 }],
    ['minimumTtlSeconds', { minimumTtlSeconds: 1 }],
    ['ability.0', { ability: ['fly'] }],
    ['maxima.cacheRulesPerDomain', { maxima: { ...data.maxima, cacheRulesPerDomain: 51 } }],
  ] as const) {
    assert.equal((await operator.refusal(updatePlan, { plan, ...data, ...change } as never)).fields[0]?.path, field)
  }
  assert.equal((await operator.refusal(updatePlan, { plan: 'nothing', ...data })).status, 404)
  await operator.call(updatePlan, { plan, ...data })
})

test('the audit log of all tells of every organisation, found by person, action and organisation', async () => {
  const client = await api.newClient()
  await client.call(sites.routes.create, { domainName: 'audited.example' })
  const found = (await operator.call(audit, { search: client.email, action: 'site' })).data
  assert.deepEqual(
    found.map((entry) => [entry.action, entry.user, entry.organizationId]),
    [['site.create', client.email, client.organizationId]],
  )
  assert.ok(
    (await operator.call(audit, { organization: client.organizationId })).data.every(
      (entry) => entry.organizationId === client.organizationId,
    ),
  )
  const organization = client.organizationId
  const between = async (from: number, to: number) =>
    (await operator.call(audit, { organization, from: new Date(from).toISOString(), to: new Date(to).toISOString() }))
      .meta.total
  const now = Date.now()
  assert.deepEqual([await between(now - 60_000, now + 60_000), await between(now - 120_000, now - 60_000)], [2, 0])
  assert.equal((await client.refusal(audit, {})).status, 403)
  assert.equal((await operator.refusal(audit, { page_size: 101 })).fields[0]?.path, 'page_size')
  assert.ok((await operator.call(organizations.routes.list, {})).meta.total > 1)
})

test('of large entries the audit log of all has the first changes, and of large changes the names', async () => {
  const client = await api.newClient()
  const change = (label: string, bytes: number) => ({
    entity: 'dns-record',
    id: label,
    label,
    before: null,
    after: { value: 'x'.repeat(bytes) },
  })
  const write = (changes: object[]) =>
    api.database.system((tx) =>
      tx.query(
        `INSERT INTO audit_log (organization_id, action, user_label, source, changes) VALUES ($1, 'large.write', 'somebody', 'api', $2)`,
        [client.organizationId, JSON.stringify(changes)],
      ),
    )
  await write([change('a', 15_000)])
  await write([change('a', 10), change('b', 1_000_000), change('c', 20), change('d', 10)])
  const found = (await operator.call(audit, { organization: client.organizationId, action: 'large' })).data
  assert.deepEqual(
    found.map(({ isCut, changes }) => [
      isCut,
      changes.map(({ label, after }) => [label, after && JSON.stringify(after).length]),
    ]),
    [
      [
        true,
        [
          ['a', 22],
          ['b', null],
          ['c', 32],
        ],
      ],
      [false, [['a', 15_012]]],
    ],
  )
})
