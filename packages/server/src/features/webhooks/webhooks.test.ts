import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import { after, before, test } from 'node:test'
import { auditLog, notifications, operatorArea, webhooks, type WebhookDelivery } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { startHookReceiver } from '../../testing/hook-receiver.ts'
import { until } from '../../testing/until.ts'
import { endIncident, notify } from '../notifications/notify.ts'
import { TAKE_DUE } from './deliver.ts'

const { create, deliveries, list, redeliver, remove, rotateSecret, test: sendTest, update } = webhooks.routes
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest({ FAIRWAY_PRIVATE_NETWORKS: '127.0.0.0/8' })))
after(() => api[Symbol.asyncDispose]())

const tell = (client: Client) =>
  api.database.system((tx) =>
    notify(tx, {
      organizationId: client.organizationId,
      event: 'cdn-down',
      fields: { cdn: 'Polaris', evidence: '2 of 3 nodes' },
    }),
  )
const hooked = async (client: Client, url: string) => client.call(create, { url, types: ['cdn', 'account'] })
const newest = async (client: Client, id: string): Promise<WebhookDelivery | undefined> =>
  (await client.call(deliveries, { id })).data[0]
const settled = (client: Client, id: string, tries: number) =>
  until(async () => {
    const found = await newest(client, id)
    return found && found.tries.length >= tries && found
  })

/** As a receiver checks it, by the words of the standard and without its library. */
function isSigned(secret: string, { headers, body }: { headers: Record<string, string>; body: string }): boolean {
  const expected = crypto
    .createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64')
  return (headers['webhook-signature'] ?? '').split(' ').includes(`v1,${expected}`)
}

test('what happens is called out to whoever wants its type, signed with the secret that was shown once', async () => {
  await using receiver = await startHookReceiver()
  const client = await api.newClient()
  const { data, secret } = await hooked(client, receiver.url)
  await client.call(create, { url: receiver.url, types: ['dns'] })
  await tell(client)
  const sent = await settled(client, data.id, 1)
  assert.equal(receiver.calls.length, 1)
  const [call] = receiver.calls
  assert.ok(call && isSigned(secret, call))
  assert.equal(call.headers['webhook-id'], sent.id)
  const body = JSON.parse(call.body) as { type: string; timestamp: string; data: Record<string, unknown> }
  assert.deepEqual(
    [body.type, body.data['event'], body.data['title'], body.data['cause'], body.data['level']],
    ['notification.created', 'cdn-down', 'Polaris is down', '2 of 3 nodes', 'critical'],
  )
  assert.deepEqual(
    [sent.state, sent.tries[0]?.status, sent.tries[0]?.response, sent.tries[0]?.address, sent.nextTryAt],
    ['sent', 200, 'answer 200', '127.0.0.1', null],
  )
  const stored = await api.database.system((tx) =>
    tx.query<{ secret: string }>('SELECT secret FROM webhook_endpoint WHERE id = $1', [data.id]),
  )
  assert.ok(!stored[0]?.secret.includes(secret.slice(6)))
  assert.ok(
    !JSON.stringify([await client.call(list, {}), await client.call(auditLog.routes.list, {})]).includes(
      secret.slice(6),
    ),
  )
})

test('what is refused is tried again later with the same id, and can be asked for at once', async () => {
  await using receiver = await startHookReceiver()
  const client = await api.newClient()
  const {
    data: { id },
    secret,
  } = await hooked(client, receiver.url)
  receiver.answer(503)
  await tell(client)
  const waiting = await settled(client, id, 1)
  assert.deepEqual([waiting.state, waiting.tries[0]?.status, waiting.nextTryAt !== null], ['waiting', 503, true])
  assert.notEqual((await client.call(list, {})).data[0]?.failingSince, null)
  receiver.answer(204)
  await client.call(redeliver, { id, delivery: waiting.id })
  const sent = await settled(client, id, 2)
  assert.deepEqual([sent.id, sent.state, sent.tries.map(({ status }) => status)], [waiting.id, 'sent', [503, 204]])
  assert.deepEqual([...new Set(receiver.calls.map(({ headers }) => headers['webhook-id']))], [waiting.id])
  assert.ok(receiver.calls.every((call) => isSigned(secret, call)))
  assert.equal((await client.call(list, {})).data[0]?.failingSince, null)
})

test('what is due is tried by itself, and given up after the last try', async () => {
  await using receiver = await startHookReceiver()
  const client = await api.newClient()
  const {
    data: { id },
  } = await hooked(client, receiver.url)
  receiver.answer(500)
  await tell(client)
  await settled(client, id, 1)
  await api.database.system((tx) => tx.query('UPDATE webhook_delivery SET due_at = now() WHERE endpoint_id = $1', [id]))
  await settled(client, id, 2)
  await api.database.system((tx) =>
    tx.query('UPDATE webhook_delivery SET due_at = now(), attempts = 9 WHERE endpoint_id = $1', [id]),
  )
  assert.deepEqual([(await settled(client, id, 3)).state, (await newest(client, id))?.nextTryAt], ['failed', null])
  assert.equal((await client.call(deliveries, { id, state: 'failed' })).meta.total, 1)
  assert.equal((await client.call(deliveries, { id, state: 'sent' })).meta.total, 0)
})

const setBack = (id: string, days: number) =>
  api.database.system((tx) =>
    tx.query(
      `UPDATE webhook_delivery SET due_at = now(), tries = jsonb_set(tries, '{0,at}', to_jsonb($2::text)) WHERE endpoint_id = $1`,
      [id, new Date(Date.now() - days * 86_400_000).toISOString()],
    ),
  )

const typesOf = (receiver: { calls: { body: string }[] }) =>
  receiver.calls.map(({ body }) => (JSON.parse(body) as { type: string }).type)

test('what is told of an incident arrives in order, also at a receiver that was away when it began, and by a clock that was set back', async () => {
  await using receiver = await startHookReceiver()
  const client = await api.newClient()
  const {
    data: { id },
  } = await hooked(client, receiver.url)
  const incident = 'cdn-down:polaris'
  receiver.answer(503)
  await api.database.system((tx) =>
    notify(tx, {
      organizationId: client.organizationId,
      event: 'cdn-down',
      fields: { cdn: 'Polaris', evidence: '2 of 3 nodes' },
      incident,
    }),
  )
  await settled(client, id, 1)
  await api.database.system((tx) =>
    tx.query(`UPDATE webhook_delivery SET created_at = now() + interval '1 hour' WHERE endpoint_id = $1`, [id]),
  )
  await api.database.system((tx) => endIncident(tx, client.organizationId, incident))
  const inOrder = async () => (await client.call(deliveries, { id })).data
  // Within hours: the end of it is no reason to wait, and does not go before.
  const both = await until(async () => {
    const found = await inOrder()
    return found[0]?.tries.length === 2 && found
  })
  assert.deepEqual(
    both.map(({ event, state, tries }) => [event, state, tries.length]),
    [
      ['notification.created', 'waiting', 2],
      ['notification.ended', 'waiting', 0],
    ],
  )
  assert.equal(both[1]?.nextTryAt, both[0]?.nextTryAt)
  receiver.answer(200)
  // Asked for again, the end brings what it waits for with it.
  await client.call(redeliver, { id, delivery: both[1]?.id ?? '' })
  await until(async () => receiver.calls.length === 4)
  assert.deepEqual(typesOf(receiver), [
    'notification.created',
    'notification.created',
    'notification.created',
    'notification.ended',
  ])
})

test('a receiver that does not want the beginning of an incident hears of its end at once', async () => {
  await using receiver = await startHookReceiver()
  const client = await api.newClient()
  const {
    data: { id },
  } = await hooked(client, receiver.url)
  const incident = 'cdn-down:polaris'
  const fields = { cdn: 'Polaris', evidence: '2 of 3 nodes' }
  receiver.answer(404)
  await api.database.system((tx) =>
    notify(tx, { organizationId: client.organizationId, event: 'cdn-down', fields, incident }),
  )
  const created = await settled(client, id, 1)
  await api.database.system((tx) => endIncident(tx, client.organizationId, incident))
  const ended = await settled(client, id, 1)
  assert.notEqual(ended.id, created.id)
  // What began is tried once more before it, as it may be wanted by now.
  assert.deepEqual(typesOf(receiver), ['notification.created', 'notification.created', 'notification.ended'])
})

test('what a clock that was ahead put off is due, and a lease of its time holds no longer than any', async () => {
  await using receiver = await startHookReceiver()
  const client = await api.newClient()
  const {
    data: { id },
  } = await hooked(client, receiver.url)
  receiver.answer(503)
  await tell(client)
  await settled(client, id, 1)
  // As after eight hours of a wrong time zone.
  const set = (column: 'due_at' | 'leased_until') =>
    api.database.system((tx) =>
      tx.query(`UPDATE webhook_delivery SET ${column} = now() + interval '8 hours' WHERE endpoint_id = $1`, [id]),
    )
  await set('leased_until')
  const seconds = await until(async () => {
    const [row] = await api.database.system((tx) =>
      tx.query<{ left: number }>(
        'SELECT extract(epoch FROM leased_until - now())::float8 AS left FROM webhook_delivery WHERE endpoint_id = $1',
        [id],
      ),
    )
    return row && row.left < 60 && row.left
  })
  assert.ok(seconds > 20, `${seconds}`)
  receiver.answer(200)
  await api.database.system((tx) =>
    tx.query('UPDATE webhook_delivery SET leased_until = NULL WHERE endpoint_id = $1', [id]),
  )
  await set('due_at')
  assert.equal((await settled(client, id, 2)).state, 'sent')
})

test('a receiver that says it is gone, or that has failed for five days, is switched off and people are told; it is not called until it is on again', async () => {
  await using receiver = await startHookReceiver()
  const client = await api.newClient()
  const [gone, failing] = [
    await hooked(client, `${receiver.url}/gone`),
    await client.call(create, { url: `${receiver.url}/failing`, types: ['cdn'] }),
  ]
  receiver.answer(410)
  await client.call(sendTest, { id: gone.data.id })
  await settled(client, gone.data.id, 1)
  receiver.answer(500)
  await api.database.system((tx) =>
    tx.query(`UPDATE webhook_endpoint SET failing_since = now() - interval '6 days' WHERE id = $1`, [failing.data.id]),
  )
  await client.call(sendTest, { id: failing.data.id })
  // One failure weeks after another is no reason yet, and a clock that may be wrong is none.
  assert.equal((await settled(client, failing.data.id, 1)).state, 'waiting')
  await api.database.system((tx) => tx.query(`INSERT INTO operator_hold (kind, detail) VALUES ('clock', '{}')`))
  await setBack(failing.data.id, 2)
  assert.equal((await settled(client, failing.data.id, 2)).state, 'waiting')
  await api.database.system((tx) => tx.query('DELETE FROM operator_hold'))
  await setBack(failing.data.id, 2)
  await settled(client, failing.data.id, 3)
  assert.deepEqual(
    (await client.call(list, {})).data.map(({ enabled, disabledReason }) => [enabled, disabledReason]),
    [
      [false, 'gone'],
      [false, 'failing'],
    ],
  )
  assert.deepEqual(
    (await client.call(notifications.routes.list, { type: 'account' })).data
      .map(({ event, fields }) => [event, fields['reason'], fields['url']])
      .sort(),
    [
      ['webhook-disabled', 'failing', `${new URL(receiver.url).origin}/…`],
      ['webhook-disabled', 'gone', `${new URL(receiver.url).origin}/…`],
    ],
  )
  assert.equal((await client.refusal(sendTest, { id: gone.data.id })).code, 7409)
  assert.equal(
    (await client.refusal(redeliver, { id: gone.data.id, delivery: (await newest(client, gone.data.id))?.id ?? '' }))
      .code,
    7409,
  )
  const back = await client.call(update, { id: gone.data.id, url: receiver.url, types: ['cdn'], enabled: true })
  assert.deepEqual([back.enabled, back.disabledReason, back.failingSince], [true, null, null])
})

test('a test event arrives; after a new secret both the old and the new one are good for a day', async () => {
  await using receiver = await startHookReceiver()
  const client = await api.newClient()
  const {
    data: { id },
    secret,
  } = await hooked(client, receiver.url)
  const rotated = await client.call(rotateSecret, { id })
  assert.notEqual(rotated.secret, secret)
  assert.notEqual(rotated.data.previousSecretUntil, null)
  await client.call(sendTest, { id })
  await settled(client, id, 1)
  const [call] = receiver.calls
  assert.ok(call && isSigned(secret, call) && isSigned(rotated.secret, call))
  assert.equal((JSON.parse(call.body) as { type: string }).type, 'webhook.test')
  // Another new one within the day, perhaps because the last was never copied: what the receiver knows is good on.
  const again = await client.call(rotateSecret, { id })
  assert.equal(again.data.previousSecretUntil, rotated.data.previousSecretUntil)
  await client.call(sendTest, { id })
  const second = await until(async () => receiver.calls[1])
  assert.deepEqual(
    [secret, rotated.secret, again.secret].map((one) => isSigned(one, second)),
    [true, false, true],
  )
  await api.database.system((tx) => tx.query(`UPDATE webhook_endpoint SET previous_until = now() WHERE id = $1`, [id]))
  await client.call(sendTest, { id })
  const third = await until(async () => receiver.calls[2])
  assert.ok(!isSigned(secret, third) && isSigned(again.secret, third))
  // A day later the one that was good alone stays beside the next.
  const last = await client.call(rotateSecret, { id })
  await client.call(sendTest, { id })
  const fourth = await until(async () => receiver.calls[3])
  assert.ok(isSigned(again.secret, fourth) && isSigned(last.secret, fourth))
})

test('what waited for a webhook when it was switched off is never sent', async () => {
  await using receiver = await startHookReceiver()
  const client = await api.newClient()
  const {
    data: { id },
  } = await hooked(client, receiver.url)
  receiver.answer(503)
  await tell(client)
  await settled(client, id, 1)
  const as = (enabled: boolean) => client.call(update, { id, url: receiver.url, types: ['cdn'], enabled })
  await as(false)
  const ended = await newest(client, id)
  assert.deepEqual([ended?.state, ended?.nextTryAt, ended?.finishedAt !== null], ['failed', null, true])
  receiver.answer(200)
  await as(true)
  await client.call(sendTest, { id })
  await settled(client, id, 1)
  assert.deepEqual(
    receiver.calls.map(({ body }) => (JSON.parse(body) as { type: string }).type),
    ['notification.created', 'webhook.test'],
  )
})

test('twenty tests may wait for a webhook, whether sent anew or again', async () => {
  await using receiver = await startHookReceiver()
  const client = await api.newClient()
  const {
    data: { id },
  } = await hooked(client, receiver.url)
  receiver.answer(503)
  await tell(client)
  const { id: delivery } = await settled(client, id, 1)
  for (let sent = 0; sent < 20; sent++) await client.call(sendTest, { id })
  assert.equal((await client.refusal(sendTest, { id })).status, 429)
  assert.equal((await client.refusal(redeliver, { id, delivery })).status, 429)
  await api.database.system((tx) => tx.query('DELETE FROM webhook_delivery WHERE endpoint_id = $1', [id]))
  await client.call(sendTest, { id })
})

test("of thousands that are due a few are looked at, and a stranger's webhook is called meanwhile", async () => {
  await using receiver = await startHookReceiver()
  const sockets = new Set<net.Socket>()
  const silent = net.createServer((socket) => void sockets.add(socket.on('error', () => undefined)))
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const { port } = silent.address() as net.AddressInfo
  const [busy, stranger] = [await api.newClient(), await api.newClient()]
  try {
    const ids: string[] = []
    for (let at = 0; at < 4; at++) ids.push((await hooked(busy, `http://127.0.0.1:${port}/${at}`)).data.id)
    await api.database.system((tx) =>
      tx.query(
        `INSERT INTO webhook_delivery (organization_id, endpoint_id, event, body, due_at) SELECT $1, w, 'x', '{}', now() - interval '1 hour' FROM unnest($2::uuid[]) w, generate_series(1, 1250)`,
        [busy.organizationId, ids],
      ),
    )
    await api.database.system((tx) => tx.query(`SELECT pg_notify('webhook', '')`))
    await until(async () => sockets.size > 0)
    const hook = await hooked(stranger, receiver.url)
    await tell(stranger)
    assert.equal((await settled(stranger, hook.data.id, 1)).state, 'sent')
    assert.ok(sockets.size <= 2, `${sockets.size} of the busy one at once`)
    const [plan] = await api.database.system((tx) =>
      tx.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${TAKE_DUE}`, [8, 4]),
    )
    const read = plan ? rowsRead(plan['QUERY PLAN'][0].Plan) : assert.fail()
    assert.ok(read < 200, `${read} rows were read`)
  } finally {
    await api.database.system((tx) =>
      tx.query('DELETE FROM webhook_endpoint WHERE organization_id = $1', [busy.organizationId]),
    )
    silent.close()
    for (const socket of sockets) socket.destroy()
  }
})

test("receivers that never answer keep nobody's calls waiting", async () => {
  await using receiver = await startHookReceiver()
  const sockets = new Set<net.Socket>()
  let ended = 0
  const silent = net.createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => void (ended += 1)))
  })
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const { port } = silent.address() as net.AddressInfo
  const dead = await Promise.all(Array.from({ length: 4 }, () => api.newClient()))
  const stranger = await api.newClient()
  try {
    for (const client of dead) {
      const { data } = await hooked(client, `http://127.0.0.1:${port}/`)
      await api.database.system((tx) =>
        tx.query(
          `INSERT INTO webhook_delivery (organization_id, endpoint_id, event, body, due_at) SELECT $1, $2, 'x', '{}', now() - interval '1 hour' FROM generate_series(1, 5)`,
          [client.organizationId, data.id],
        ),
      )
    }
    await api.database.system((tx) => tx.query(`SELECT pg_notify('webhook', '')`))
    await until(async () => sockets.size === 8)
    const hook = await hooked(stranger, receiver.url)
    await tell(stranger)
    assert.equal((await settled(stranger, hook.data.id, 1)).state, 'sent')
    assert.equal(ended, 0, 'it was called while all of them hung')
    const taken = await api.database
      .system(async (tx) => {
        const organizations = dead.map(({ organizationId }) => organizationId)
        await tx.query('UPDATE webhook_endpoint SET failing_since = now() WHERE organization_id = ANY ($1)', [
          organizations,
        ])
        await tx.query('UPDATE webhook_delivery SET leased_until = NULL WHERE organization_id = ANY ($1)', [
          organizations,
        ])
        await tx.query(
          `INSERT INTO webhook_delivery (organization_id, endpoint_id, event, body, due_at) VALUES ($1, $2, 'x', '{}', now())`,
          [stranger.organizationId, hook.data.id],
        )
        const rows = await tx.query<{ organization_id: string; failing: boolean }>(TAKE_DUE, [64, 3])
        throw Object.assign(new Error('nothing of it is kept'), { rows })
      })
      .catch((error: Error & { rows?: { organization_id: string; failing: boolean }[] }) => error.rows ?? [])
    const failing = taken.filter((row) => row.failing).map((row) => row.organization_id)
    assert.deepEqual([failing.length, new Set(failing).size], [3, 3])
    assert.ok(taken.some((row) => row.organization_id === stranger.organizationId))
  } finally {
    await api.database.system((tx) =>
      tx.query('DELETE FROM webhook_endpoint WHERE organization_id = ANY ($1)', [
        dead.map(({ organizationId }) => organizationId),
      ]),
    )
    silent.close()
    for (const socket of sockets) socket.destroy()
  }
})

test('receivers that are well do not wait for failing ones of the same organisation', async () => {
  await using receiver = await startHookReceiver()
  const client = await api.newClient()
  const ids: string[] = []
  for (let at = 0; at < 3; at++) ids.push((await hooked(client, `${receiver.url}${at}`)).data.id)
  const taken = async (underWay: boolean, failingToo: number) => {
    let rows: { endpoint_id: string }[] = []
    const over = new Error('nothing of it is kept')
    await api.database
      .system(async (tx) => {
        await tx.query('UPDATE webhook_endpoint SET failing_since = now() WHERE id = ANY ($1)', [ids.slice(0, 2)])
        const insert = `INSERT INTO webhook_delivery (organization_id, endpoint_id, event, body, due_at, leased_until) SELECT $1, w, 'x', '{}', now() - interval '1 hour' + place * interval '1 minute', $3 FROM unnest($2::uuid[]) WITH ORDINALITY w (w, place)`
        await tx.query(insert, [client.organizationId, ids, null])
        if (underWay) await tx.query(insert, [client.organizationId, ids.slice(2), new Date(Date.now() + 60_000)])
        rows = (await tx.query<{ endpoint_id: string; organization_id: string }>(TAKE_DUE, [64, failingToo])).filter(
          (row) => row.organization_id === client.organizationId,
        )
        throw over
      })
      .catch((error: unknown) => assert.equal(error, over))
    return rows.map(({ endpoint_id }) => ids.indexOf(endpoint_id)).toSorted()
  }
  assert.deepEqual(await taken(false, 0), [2], 'with no place for those that fail')
  assert.deepEqual(await taken(true, 0), [2], 'and one call to it under way')
  assert.deepEqual(await taken(false, 32), [0, 2], 'beside one that fails')
  assert.deepEqual(await taken(true, 32), [0], 'whose turn it is while one to it is under way')
})

test('one that failed once is tried while others of its organisation have a backlog', async () => {
  await using receiver = await startHookReceiver()
  const client = await api.newClient()
  const ids: string[] = []
  for (let at = 0; at < 3; at++) ids.push((await hooked(client, `${receiver.url}${at}`)).data.id)
  const over = new Error('nothing of it is kept')
  let rows: { endpoint_id: string; organization_id: string; id: string }[] = []
  const next = async (tx: Tx, failingToo: number) => {
    rows = (await tx.query<(typeof rows)[number]>(TAKE_DUE, [64, failingToo])).filter(
      (row) => row.organization_id === client.organizationId,
    )
    return rows.map(({ endpoint_id }) => ids.indexOf(endpoint_id)).toSorted()
  }
  await api.database
    .system(async (tx) => {
      await tx.query('UPDATE webhook_endpoint SET failing_since = now() WHERE id = $1', [ids[2]])
      await tx.query(
        `INSERT INTO webhook_delivery (organization_id, endpoint_id, event, body, due_at) SELECT $1, w, 'x', '{}', now() - interval '1 hour' FROM unnest($2::uuid[]) w, generate_series(1, 9)`,
        [client.organizationId, ids],
      )
      await tx.query(`UPDATE webhook_delivery SET due_at = now() WHERE endpoint_id = $1`, [ids[2]])
      const both = await next(tx, 32)
      assert.ok(both.length === 2 && both[1] === 2, `${both}`)
      assert.deepEqual(await next(tx, 32), [], 'two under way')
      const done = (fails: boolean) =>
        tx.query(
          'UPDATE webhook_delivery SET leased_until = NULL WHERE organization_id = $1 AND (endpoint_id = $2) = $3',
          [client.organizationId, ids[2], fails],
        )
      // Whichever of the two ends first, the next is of its kind.
      await done(false)
      assert.notDeepEqual(await next(tx, 32), [2])
      await done(true)
      assert.deepEqual(await next(tx, 32), [2])
      // Where those that fail have no place left, those that are well have both.
      await done(true)
      await done(false)
      assert.equal((await next(tx, 0)).length, 2)
      assert.ok(rows.every(({ endpoint_id }) => endpoint_id !== ids[2]))
      throw over
    })
    .catch((error: unknown) => assert.equal(error, over))
})

type Plan = {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** Of tables, by all of a plan's steps. */
function rowsRead(plan: Plan): number {
  const own = plan['Node Type'].includes('Scan')
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0
  return own + (plan.Plans ?? []).reduce((sum, one) => sum + rowsRead(one), 0)
}

test('types that the organisation keeps back are not called out', async () => {
  await using receiver = await startHookReceiver()
  const client = await api.newClient()
  const {
    data: { id },
  } = await hooked(client, receiver.url)
  await client.call(notifications.routes.setWebhook, { type: 'cdn', webhook: false })
  await tell(client)
  assert.equal((await client.call(deliveries, { id })).meta.total, 0)
})

test('addresses that are none, with secrets in them, or more of them than allowed are refused; changes are audited', async () => {
  const client = await api.newClient()
  for (const url of [
    '',
    'x',
    'ftp://a.example/',
    'https://user:pass@a.example/',
    'https://a.example/#part',
    `https://a.example/${'x'.repeat(2000)}`,
  ])
    assert.equal((await client.refusal(create, { url, types: ['cdn'] })).fields[0]?.path, 'url', url)
  assert.equal((await client.refusal(create, { url: 'https://a.example/', types: [] })).fields[0]?.path, 'types')
  assert.equal((await client.refusal(create, { url: 'https://a.example/', types: ['weather' as 'cdn'] })).code, 400)
  assert.equal(
    (await client.refusal(create, { url: 'https://a.example/', types: ['cdn'], description: 'x'.repeat(201) }))
      .fields[0]?.path,
    'description',
  )
  for (let index = 0; index < 10; index++) await client.call(create, { url: 'http://127.0.0.1:1/', types: ['cdn'] })
  assert.equal((await client.refusal(create, { url: 'http://127.0.0.1:1/', types: ['cdn'] })).code, 7409)
  const [first] = (await client.call(list, {})).data
  const edit = { id: first?.id ?? '', types: ['cdn' as const] }
  await client.call(update, { ...edit, url: 'http://127.0.0.1:1/services/T0/hidden-1' })
  await client.call(update, { ...edit, url: 'http://127.0.0.1:1/services/T0/hidden-2' })
  const shown = (await client.call(auditLog.routes.list, { search: 'webhook.update' })).data[0]?.changes[0]
  assert.deepEqual(
    [shown?.label, shown?.before?.['path'], shown?.after?.['path']],
    ['http://127.0.0.1:1/…', 'old', 'new'],
  )
  // As releases before wrote it.
  const url = 'https://hooks.example/Services/hidden-old'
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO audit_log (organization_id, action, user_label, source, changes) VALUES ($1, 'webhook.create', 'somebody', 'api', $2)`,
      [
        client.organizationId,
        JSON.stringify([{ entity: 'webhook', id: 'x', label: url, before: null, after: { url } }]),
      ],
    ),
  )
  const findings = async (search: string) => (await client.call(auditLog.routes.list, { search })).meta.total
  assert.deepEqual(
    await Promise.all(['hooks.example', 'hooks.example/s', 'hidden-old', 'hidden'].map(findings)),
    [1, 0, 0, 0],
  )
  await client.call(remove, { id: first?.id ?? '' })
  assert.doesNotMatch(JSON.stringify(await client.call(auditLog.routes.list, {})), /hidden/)
  const everywhere = await (
    await api.newClient({ isOperator: true })
  ).call(operatorArea.routes.audit, { organization: client.organizationId, action: 'webhook' })
  assert.match(JSON.stringify(everywhere), /hooks\.example/)
  assert.doesNotMatch(JSON.stringify(everywhere), /hidden/)
  assert.equal((await client.refusal(sendTest, { id: first?.id ?? '' })).status, 404)
  assert.equal((await client.refusal(redeliver, { id: first?.id ?? '', delivery: 'x' })).status, 404)
  assert.deepEqual(
    (await client.call(auditLog.routes.list, { search: 'webhook' })).data.slice(0, 1).map(({ action }) => action),
    ['webhook.remove'],
  )
})

test('without the setting, plain HTTP and private addresses are refused when they are entered and not called later', async () => {
  await using strict = await startApiUnderTest()
  await using receiver = await startHookReceiver()
  const client = await strict.newClient()
  assert.deepEqual((await client.refusal(create, { url: 'http://hooks.example/', types: ['cdn'] })).fields, [
    { path: 'url', message: 'validation.https' },
  ])
  for (const url of [
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://0x7f.1/',
    'https://169.254.169.254/latest',
    'https://localhost/',
  ])
    assert.deepEqual(
      (await client.refusal(create, { url, types: ['cdn'] })).fields,
      [{ path: 'url', message: 'validation.bogon' }],
      url,
    )
  const {
    data: { id },
  } = await client.call(create, { url: 'https://8.8.8.8/', types: ['cdn'] })
  // As a name that turns to another address after it was checked.
  await strict.database.system((tx) =>
    tx.query('UPDATE webhook_endpoint SET url = $2 WHERE id = $1', [id, receiver.url]),
  )
  await client.call(sendTest, { id })
  const tried = await until(async () => {
    const found = (await client.call(deliveries, { id })).data[0]
    return found !== undefined && found.tries.length > 0 && found
  })
  assert.match(tried.tries[0]?.problem ?? '', /private network/)
  assert.equal(receiver.calls.length, 0)
})
