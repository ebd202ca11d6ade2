import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { certificates, sites, type EdgeCertificates } from '@fairway/contract'
import { OutgoingGate, seal } from '@fairway/platform'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { makeCertificate } from '../../testing/made-certificates.ts'
import { startNodeUnderTest } from '../../testing/node-under-test.ts'
import { until } from '../../testing/until.ts'
import { chooseAnew, finishStep, nameDomains, startCertificates } from './run-certificates.ts'
import { holdAuthority, mendTimesAhead, noteOrder, takeDue, takesChoosing, type TakenCertificate } from './store.ts'
import { CERTIFICATE_KEYS } from './seal-purpose.ts'

const { upload, get, list, renew } = certificates.routes
/** Questions that are left open, and where those are asked; null while they are answered. */
let hanging: http.ServerResponse[] | null = null
let hangsAt = '/renewal/'
/** An authority that would have certificates renewed at once, and takes no orders. */
const authority = http.createServer((request, response) => {
  const at = `http://127.0.0.1:${(authority.address() as AddressInfo).port}`
  if (hanging && request.url?.startsWith(hangsAt)) return void hanging.push(response)
  const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  if (request.url?.startsWith('/renewal/')) {
    response.setHeader('retry-after', '21600')
    return void response.end(JSON.stringify({ suggestedWindow: { start: hour(-2), end: hour(-1) } }))
  }
  response.writeHead(request.url === '/' ? 200 : 503).end(JSON.stringify({ renewalInfo: `${at}/renewal` }))
})
let api: ApiUnderTest
before(async () => {
  await new Promise<void>((resolve) => authority.listen(0, '127.0.0.1', resolve))
  const { port } = authority.address() as AddressInfo
  api = await startApiUnderTest({ FAIRWAY_ACME_LETS_ENCRYPT_URL: `http://127.0.0.1:${port}/` })
})
after(async () => {
  await api[Symbol.asyncDispose]()
  authority.closeAllConnections()
  authority.close()
})

const siteAt = async (client: Client, domainName: string) =>
  (await client.call(sites.routes.create, { domainName })).data.id
const documentOf = async (site: string) =>
  (
    await api.database.system((tx) =>
      tx.query<{ version: number; body: EdgeCertificates }>(
        `SELECT version, body FROM publication WHERE kind = 'edge-certificates' AND key = $1 AND body IS NOT NULL`,
        [site],
      ),
    )
  )[0]
const uploadTo = async (client: Client, site: string, names: string[], days = 30) => {
  const made = makeCertificate({ subject: `/CN=${names[0]}`, names, days })
  const { data } = await client.call(upload, { site, ...made, chain: '' })
  return data.id
}
const MIGRATION = fs.readFileSync(
  path.join(import.meta.dirname, '../../../../platform/src/migrations/0330-certificates-of-own-names.sql'),
  'utf8',
)

test('a certificate is published for names of its site only; the upgrade gives an organisation’s other sites their own, and has the documents of all made anew', async () => {
  const foe = await api.newClient()
  const victim = await api.newClient()
  const victims = await siteAt(victim, 'victim.example')
  await uploadTo(victim, victims, ['victim.example'])
  const own = await siteAt(foe, 'foe.example')
  const other = await siteAt(foe, 'other-of-foe.example')
  const names = ['foe.example', 'www.foe.example', 'www.other-of-foe.example', 'victim.example']
  const id = await uploadTo(foe, own, names)
  const first = await until(() => documentOf(own))
  assert.deepEqual([first.body.domain, first.body.names], ['foe.example', { 'foe.example': id, 'www.foe.example': id }])
  const before = await until(() => documentOf(victims))
  for (let run = 1; run <= 2; run++) {
    await api.database.system((tx) => tx.query(MIGRATION))
    await until(async () => ((await documentOf(victims))?.version ?? 0) === before.version + run)
  }
  await until(async () => ((await documentOf(own))?.version ?? 0) === first.version + 2)
  const copy = await until(() => documentOf(other))
  assert.deepEqual(Object.keys(copy.body.names), ['www.other-of-foe.example'])
  const copies = (await foe.call(list, { site: other })).data
  assert.deepEqual(
    copies.map((one) => [one.names, one.step]),
    [[names, 'deploy']],
  )
  assert.deepEqual(
    (await victim.call(list, {})).data.map((one) => one.names),
    [['victim.example']],
  )
})

test('when a certificate ends, or begins, the one that is good then is shown', async () => {
  const client = await api.newClient()
  const site = await siteAt(client, 'ends.example')
  const wide = await uploadTo(client, site, ['*.ends.example'], 60)
  const short = await uploadTo(client, site, ['www.ends.example'])
  const shown = async () => (await documentOf(site))?.body.names
  await until(async () => (await shown())?.['www.ends.example'] === short)
  const at = (what: string) =>
    api.database.system((tx) => tx.query(`UPDATE certificate SET ${what} WHERE id = $1`, [short]))
  const looked = async () => {
    const version = (await documentOf(site))?.version ?? 0
    await api.database.system(chooseAnew)
    return until(async () => ((await documentOf(site))?.version ?? 0) > version && shown())
  }
  const published = `(SELECT published_at FROM publication WHERE kind = 'edge-certificates' AND key = site_id::text)`
  await at(`not_after = ${published} + interval '1 millisecond'`)
  assert.deepEqual(await looked(), { '*.ends.example': wide })
  // What was chosen since then is not chosen again.
  const { version } = await until(() => documentOf(site))
  await api.database.system(chooseAnew)
  assert.equal(
    (await api.database.system((tx) => tx.query('SELECT FROM site WHERE id = $1 AND version = $2', [site, version])))
      .length,
    1,
  )
  await at(`not_after = now() + interval '9 days', valid_from = ${published} + interval '1 millisecond'`)
  // Of several workers one chooses at a time.
  const versions = () => api.database.system((tx) => tx.query('SELECT version FROM site WHERE id = $1', [site]))
  const before = await versions()
  await api.database.system(async (tx) => {
    assert.ok(await takesChoosing(tx))
    await api.database.system(chooseAnew)
  })
  assert.deepEqual(await versions(), before)
  assert.deepEqual(await looked(), { '*.ends.example': wide, 'www.ends.example': short })
})

test('a worker that starts has documents made anew that publishers of before have made', async () => {
  const client = await api.newClient()
  const site = await siteAt(client, 'before.example')
  await uploadTo(client, site, ['before.example', 'www.elsewhere.example'])
  const { version } = await until(() => documentOf(site))
  await api.database.system((tx) =>
    tx.query(
      `UPDATE publication SET body = body - 'domain' || '{"names": {"www.elsewhere.example": "x"}}' WHERE kind = 'edge-certificates' AND key = $1`,
      [site],
    ),
  )
  const gate = new OutgoingGate({ config: api.config, log: api.log })
  await using _worker = startCertificates(api.config, gate, api.database, api.log)
  const { body } = await until(async () => {
    const now = await documentOf(site)
    return now && now.version > version && now
  })
  assert.deepEqual([body.domain, Object.keys(body.names)], ['before.example', ['before.example']])
})

test('documents are named a site at a time: one that somebody holds comes later, and all wait for what is to be published', async () => {
  const client = await api.newClient()
  const made = ['held.example', 'free.example'].map(async (name) => {
    const site = await siteAt(client, name)
    await uploadTo(client, site, [name])
    return { site, version: (await until(() => documentOf(site))).version }
  })
  const [held, free] = await Promise.all(made)
  assert.ok(held && free)
  await api.database.system((tx) =>
    tx.query(
      `UPDATE publication SET body = body - 'domain' WHERE kind = 'edge-certificates' AND key = ANY ('{${held.site},${free.site}}')`,
    ),
  )
  const start = { after: '00000000-0000-0000-0000-000000000000', held: [] }
  const crowd = Array.from({ length: 10 }, () => crypto.randomUUID())
  const left = await api.database.system(async (tx) => {
    // Publishers wait for one of these.
    for (const key of crowd)
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`edge-certificates ${key}`])
    await api.database.system((other) =>
      other.query(`INSERT INTO outbox (kind, key) SELECT 'edge-certificates', unnest($1::text[])`, [crowd]),
    )
    assert.deepEqual(await nameDomains(api.database, start), start)
    await api.database.system((other) => other.query('DELETE FROM outbox WHERE key = ANY ($1)', [crowd]))
    await tx.query('SELECT FROM site WHERE id = $1 FOR UPDATE', [held.site])
    return nameDomains(api.database, start)
  })
  assert.deepEqual(
    left?.held.map(({ site_id }) => site_id),
    [held.site],
  )
  const isNamed = async ({ site, version }: typeof held) => {
    const now = await documentOf(site)
    return now?.version === version + 1 && now.body.domain !== ''
  }
  await until(() => isNamed(free))
  const last = await nameDomains(api.database, left ?? start)
  assert.deepEqual(last?.held, [])
  await until(() => isNamed(held))
  assert.equal(await nameDomains(api.database, last ?? start), null)
})

test('first orders, and renewals by hand, leave the rest of the house’s account to renewals; orders count when their certificates are gone', async () => {
  const client = await api.newClient()
  const site = await siteAt(client, 'many.example')
  const undone = api.database.system(async (tx) => {
    const order = async (name: string, chain: string | null, more = '') =>
      (
        await tx.query<{ id: string }>(
          `INSERT INTO certificate (organization_id, site_id, type, names, chain_pem, not_after, step, order_key, next_attempt_at${more && ', by_hand'}) VALUES ($1, $2, 'lets-encrypt', ARRAY[$3::text], $4, now() + interval '60 days', 'order', 'key', now()${more && ', true'}) RETURNING id`,
          [client.organizationId, site, name, chain],
        )
      )[0]?.id ?? ''
    const first = await order('first', null)
    const renewal = await order('renewal', 'chain')
    const byHand = await order('by-hand', 'chain', 'by hand')
    let rows: TakenCertificate[] = []
    const taken = async () => {
      rows = await takeDue(tx, 'lets-encrypt', 10, 10)
      await tx.query('UPDATE certificate SET leased_until = NULL')
      return rows.map((row) => row.names[0]).sort()
    }
    const note = async (id: string) => {
      const row = rows.find((one) => one.id === id)
      assert.ok(row)
      await noteOrder(tx, row)
    }
    assert.deepEqual(await taken(), ['by-hand', 'first', 'renewal'])
    await tx.query(
      `INSERT INTO acme_order (authority, organization_id, is_first) SELECT 'lets-encrypt', gen_random_uuid(), true FROM generate_series(1, 198)`,
    )
    await note(renewal)
    assert.deepEqual(await taken(), ['by-hand', 'first', 'renewal'])
    // Counted though its lease has ended, and what it is of is gone.
    const row = rows.find(({ id }) => id === first)
    assert.ok(row)
    await tx.query('DELETE FROM certificate WHERE id = $1', [first])
    await finishStep(tx, row, { to: 'publish', orderUrl: 'order', challenge: 'dns-01', challenges: [] })
    // The last ones are for organisations that have made none.
    await order('next', null)
    assert.deepEqual(await taken(), ['renewal'])
    await tx.query(`UPDATE acme_order SET organization_id = gen_random_uuid() WHERE organization_id = $1`, [
      client.organizationId,
    ])
    assert.deepEqual(await taken(), ['by-hand', 'next', 'renewal'])
    await note(byHand)
    await tx.query('UPDATE acme_order SET organization_id = gen_random_uuid() WHERE organization_id = $1', [
      client.organizationId,
    ])
    assert.deepEqual(await taken(), ['renewal'])
    await tx.query('UPDATE certificate SET revoked_at = now() WHERE id = $1', [byHand])
    assert.deepEqual(await taken(), ['by-hand', 'renewal'])
    await tx.query(`UPDATE certificate SET revoked_at = NULL, not_after = now() + interval '6 days' WHERE id = $1`, [
      byHand,
    ])
    assert.deepEqual(await taken(), ['by-hand', 'renewal'])
    // So does one with less than a third of its life left, and it is counted as those are that come by themselves.
    await tx.query(
      `UPDATE certificate SET not_after = now() + interval '29 days', valid_from = now() - interval '61 days' WHERE id = $1`,
      [byHand],
    )
    assert.deepEqual(await taken(), ['by-hand', 'renewal'])
    await note(byHand)
    const last = await tx.query<{ is_first: boolean }>('SELECT is_first FROM acme_order ORDER BY id DESC LIMIT 1')
    assert.deepEqual(last, [{ is_first: false }])
    await tx.query(`UPDATE acme_order SET at = now() - interval '4 hours'`)
    assert.deepEqual(await taken(), ['by-hand', 'next', 'renewal'])
    // The time of an order that nobody was to take for a while begins anew, and not that of one which breaks each time.
    for (const [lease, minutes] of [
      ['NULL', 0],
      [`now() - interval '5 seconds'`, 40],
    ] as const) {
      await tx.query(
        `UPDATE certificate SET leased_until = ${lease}, next_attempt_at = now() - interval '30 minutes', order_began_at = now() - interval '40 minutes'`,
      )
      const [began] = await takeDue(tx, 'lets-encrypt', 1, 10)
      assert.equal(Math.round((Date.now() - Number(began?.order_began_at)) / 60_000), minutes)
    }
    await tx.query('UPDATE certificate SET leased_until = NULL')
    await tx.query(
      `INSERT INTO acme_account (authority, directory, url, sealed_key) VALUES ('lets-encrypt', 'd', 'u', 'k')`,
    )
    await holdAuthority(tx, 'lets-encrypt', new Date(Date.now() + 60_000))
    assert.deepEqual(await taken(), [])
    throw new Error('undone')
  })
  await assert.rejects(undone, /^Error: undone$/)
})

test('one organisation alone makes a part of the first orders, and others go on', async () => {
  const many = await api.newClient()
  const one = await api.newClient()
  const undone = api.database.system(async (tx) => {
    for (const { client, name } of [
      { client: many, name: 'many-share.example' },
      { client: one, name: 'one-share.example' },
    ])
      await tx.query(
        `INSERT INTO certificate (organization_id, site_id, type, names, step, order_key, next_attempt_at) VALUES ($1, $2, 'zero-ssl', ARRAY[$3::text], 'order', 'key', now())`,
        [client.organizationId, await siteAt(client, name), name],
      )
    const taken = async () => {
      const names = (await takeDue(tx, 'zero-ssl', 10, 10)).map((row) => row.names[0]).sort()
      await tx.query('UPDATE certificate SET leased_until = NULL')
      return names
    }
    const make = (organization: string, orders: number) =>
      tx.query(
        `INSERT INTO acme_order (authority, organization_id, is_first) SELECT 'zero-ssl', ${organization}, true FROM generate_series(1, $1)`,
        [orders],
      )
    await make(`'${many.organizationId}'`, 28)
    assert.deepEqual(await taken(), ['many-share.example', 'one-share.example'])
    await make(`'${many.organizationId}'`, 1)
    assert.deepEqual(await taken(), ['one-share.example'])
    // However many accounts somebody has.
    await make('gen_random_uuid()', 170)
    assert.deepEqual(await taken(), ['one-share.example'])
    throw new Error('undone')
  })
  await assert.rejects(undone, /^Error: undone$/)
})

test('what a clock that was ahead has put off by a month is tried now', async () => {
  const client = await api.newClient()
  const site = await siteAt(client, 'ahead.example')
  const undone = api.database.system(async (tx) => {
    const row = (
      name: string,
      step: string | null,
      hindrance: string | null,
      next: string,
      more = 'NULL, NULL, NULL',
    ) =>
      tx.query(
        `INSERT INTO certificate (organization_id, site_id, type, names, step, order_key, chain_pem, not_after, hindrance, next_attempt_at, leased_until, window_next_at, told_days) VALUES ($1, $2, 'zero-ssl', ARRAY[$3::text], $4, 'key', 'chain', now() + interval '20 days', $5, now() + $6::interval, ${more})`,
        [client.organizationId, site, name, step, hindrance, next],
      )
    await row('polled', 'validate', null, '30 days')
    await row('failed', 'order', 'failed', '30 days')
    await row('leased', 'publish', null, '0', `now() + interval '30 days', NULL, NULL`)
    await row('told', null, null, '10 days', `NULL, now() + interval '30 days', 0`)
    // As they are without it.
    await row('soon', 'validate', null, '1 minute')
    await row('later', 'order', 'failed', '6 hours')
    await row('limited', 'order', 'waiting', '7 days')
    await row('renewed', null, null, '10 days', `NULL, now() + interval '1 day', 30`)
    await tx.query(
      `INSERT INTO acme_account (authority, directory, url, sealed_key, held_until) VALUES ('zero-ssl', 'd', 'u', 'k', now() + interval '30 days')`,
    )
    await tx.query(
      `INSERT INTO acme_order (authority, organization_id, is_first, at) SELECT 'zero-ssl', gen_random_uuid(), true, now() + interval '30 days'`,
    )
    await mendTimesAhead(tx)
    assert.deepEqual((await takeDue(tx, 'zero-ssl', 10, 10)).map(({ names }) => names[0]).sort(), [
      'failed',
      'leased',
      'polled',
    ])
    const kept = await tx.query(
      `SELECT names[1] AS name, window_next_at <= now() AS asks, told_days FROM certificate WHERE site_id = $1 AND step IS NULL ORDER BY 1`,
      [site],
    )
    assert.deepEqual(kept, [
      { name: 'renewed', asks: false, told_days: 30 },
      { name: 'told', asks: true, told_days: null },
    ])
    assert.deepEqual(await tx.query('SELECT FROM acme_order WHERE at > now()'), [])
    throw new Error('undone')
  })
  await assert.rejects(undone, /^Error: undone$/)
})

test('an order that is not even tried waits, and says why', async () => {
  const client = await api.newClient()
  const site = await siteAt(client, 'turn.example')
  const sql = (text: string) => api.database.system((tx) => tx.query<{ id: string }>(text))
  const [row] = await api.database.system(async (tx) => {
    await tx.query(
      `INSERT INTO acme_order (authority, organization_id, is_first) SELECT 'zero-ssl', gen_random_uuid(), true FROM generate_series(1, 200)`,
    )
    return tx.query<{ id: string }>(
      `INSERT INTO certificate (organization_id, site_id, type, names, step, order_key, next_attempt_at, order_began_at) VALUES ($1, $2, 'zero-ssl', '{turn.example}', 'order', $3, now(), now() - interval '10 minutes') RETURNING id`,
      [client.organizationId, site, seal(api.config, CERTIFICATE_KEYS, 'key')],
    )
  })
  const seen = () => client.call(get, { id: row?.id ?? '' })
  const full = await seen()
  assert.deepEqual([full.status, full.nextAt], ['waiting', null])
  assert.match(full.problem ?? '', /^More certificates/)
  assert.equal((await client.call(list, { site })).data[0]?.status, 'waiting')
  await sql(
    `INSERT INTO acme_account (authority, directory, url, sealed_key, held_until) VALUES ('zero-ssl', 'd', 'u', 'k', now() + interval '1 hour')`,
  )
  assert.match((await seen()).problem ?? '', /^The authority takes no more/)
  await api.database.system(async (tx) => {
    await tx.query(`DELETE FROM acme_account WHERE authority = 'zero-ssl'`)
    await tx.query(`DELETE FROM acme_order WHERE authority = 'zero-ssl'`)
    await tx.query(
      `INSERT INTO acme_order (authority, organization_id, is_first) SELECT 'zero-ssl', $1, true FROM generate_series(1, 29)`,
      [client.organizationId],
    )
  })
  assert.match((await seen()).problem ?? '', /^More certificates/)
  await sql(`DELETE FROM acme_order WHERE authority = 'zero-ssl'`)
  await until(async () => (await seen()).problem?.includes('not set up'))
})

test('a renewal whose authority is not set up for a while is tried again', async () => {
  const client = await api.newClient()
  const site = await siteAt(client, 'unset.example')
  const [row] = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO certificate (organization_id, site_id, type, names, chain_pem, not_after, step, order_key, next_attempt_at, window_next_at) VALUES ($1, $2, 'zero-ssl', '{unset.example}', 'chain', now() + interval '20 days', 'order', $3, now(), now() + interval '1 day') RETURNING id`,
      [client.organizationId, site, seal(api.config, CERTIFICATE_KEYS, 'key')],
    ),
  )
  const seen = await until(async () => {
    const one = await client.call(get, { id: row?.id ?? '' })
    return one.problem !== null && one
  })
  assert.equal(seen.step, 'order')
  const hours = (Date.parse(seen.nextAt ?? '') - Date.now()) / 3_600_000
  assert.ok(hours > 5 && hours < 7, `${hours}`)
})

test('an authority that wants a certificate renewed earlier than it said is heard', async () => {
  const client = await api.newClient()
  const site = await siteAt(client, 'window.example')
  const root = makeCertificate({ subject: '/CN=Root', names: [], ca: true, extensions: ['subjectKeyIdentifier=hash'] })
  const { certificate } = makeCertificate({
    names: ['window.example'],
    issuer: root,
    extensions: ['authorityKeyIdentifier=keyid'],
  })
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO certificate (organization_id, site_id, type, names, chain_pem, not_after, next_attempt_at) VALUES ($1, $2, 'lets-encrypt', '{window.example}', $3, now() + interval '30 days', now() + interval '10 days')`,
      [client.organizationId, site, certificate],
    ),
  )
  // One that a person has begun to renew, and waits.
  const [waiting] = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO certificate (organization_id, site_id, type, names, chain_pem, not_after, step, order_key, by_hand, next_attempt_at) VALUES ($1, $2, 'lets-encrypt', '{waits.window.example}', $3, now() + interval '80 days', 'order', 'key', true, now() + interval '1 day') RETURNING id`,
      [client.organizationId, site, certificate],
    ),
  )
  const row = await until(async () => {
    const [found] = await api.database.system((tx) =>
      tx.query<{ hours: number }>(
        `SELECT extract(epoch FROM window_next_at - now())::float8 / 3600 AS hours FROM certificate WHERE names = '{window.example}' AND order_key IS NOT NULL`,
      ),
    )
    return found
  })
  assert.ok(row.hours > 5.9 && row.hours < 6.1, `${row.hours}`)
  await until(async () => {
    const rows = await api.database.system((tx) =>
      tx.query(
        `SELECT FROM certificate WHERE id = $1 AND NOT by_hand AND next_attempt_at > now() + interval '23 hours'`,
        [waiting?.id],
      ),
    )
    return rows.length === 1
  })
})

test('a renewal by hand of what was tried by itself stays one of those', async () => {
  const client = await api.newClient()
  const site = await siteAt(client, 'pressed.example')
  const key = seal(api.config, CERTIFICATE_KEYS, 'key')
  for (const [hindrance, orderKey] of [
    ['failed', key],
    [null, null],
  ]) {
    const [row] = await api.database.system((tx) =>
      tx.query<{ id: string }>(
        `INSERT INTO certificate (organization_id, site_id, type, names, chain_pem, not_after, step, order_key, hindrance, next_attempt_at, window_next_at) VALUES ($1, $2, 'lets-encrypt', '{pressed.example}', 'chain', now() + interval '80 days', $3, $4, $5, now() + interval '1 hour', now() + interval '1 day') RETURNING id`,
        [client.organizationId, site, orderKey && 'order', orderKey, hindrance],
      ),
    )
    await client.call(renew, { id: row?.id ?? '' })
    const [after] = await api.database.system((tx) =>
      tx.query<{ by_hand: boolean }>('SELECT by_hand FROM certificate WHERE id = $1', [row?.id]),
    )
    assert.equal(after?.by_hand, orderKey === null)
  }
})

test('an authority that hangs when it is asked for a window keeps no other certificate waiting, and is asked again within the hour', async () => {
  const client = await api.newClient()
  const site = await siteAt(client, 'hangs.example')
  const open: http.ServerResponse[] = (hanging = [])
  const root = makeCertificate({ subject: '/CN=Root', names: [], ca: true, extensions: ['subjectKeyIdentifier=hash'] })
  const { certificate } = makeCertificate({
    names: ['hangs.example'],
    issuer: root,
    extensions: ['authorityKeyIdentifier=keyid'],
  })
  const [hung] = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO certificate (organization_id, site_id, type, names, chain_pem, not_after, next_attempt_at) VALUES ($1, $2, 'lets-encrypt', '{hangs.example}', $3, now() + interval '30 days', now() + interval '10 days') RETURNING id`,
      [client.organizationId, site, certificate],
    ),
  )
  await until(async () => open.length > 0)
  const [other] = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO certificate (organization_id, site_id, type, names, step, order_key, next_attempt_at) VALUES ($1, $2, 'zero-ssl', '{other.hangs.example}', 'order', $3, now()) RETURNING id`,
      [client.organizationId, site, seal(api.config, CERTIFICATE_KEYS, 'key')],
    ),
  )
  await until(async () => (await client.call(get, { id: other?.id ?? '' })).problem !== null)
  assert.deepEqual(
    open.map((response) => response.destroyed),
    [false],
  )
  hanging = null
  open[0]?.writeHead(503).end()
  const [row] = await api.database.system((tx) =>
    tx.query<{ minutes: number }>(
      'SELECT extract(epoch FROM window_next_at - now())::float8 / 60 AS minutes FROM certificate WHERE id = $1',
      [hung?.id],
    ),
  )
  assert.ok(row && row.minutes > 55 && row.minutes <= 60, `${row?.minutes}`)
})

test('orders at an authority that says nothing keep neither orders at another one waiting nor what is deployed', async () => {
  const client = await api.newClient()
  const site = await siteAt(client, 'silent.example')
  const open: http.ServerResponse[] = (hanging = [])
  hangsAt = '/'
  const order = async (type: string, name: string) =>
    (
      await api.database.system((tx) =>
        tx.query<{ id: string }>(
          `INSERT INTO certificate (organization_id, site_id, type, names, step, order_key, next_attempt_at) VALUES ($1, $2, $3, ARRAY[$4::text], 'order', $5, now()) RETURNING id`,
          [client.organizationId, site, type, name, seal(api.config, CERTIFICATE_KEYS, 'key')],
        ),
      )
    )[0]?.id ?? ''
  for (const number of [1, 2, 3, 4, 5]) await order('lets-encrypt', `n${number}.silent.example`)
  await until(async () => open.length > 0)
  await using _edge = startNodeUnderTest(api, 'edge')
  const uploaded = await uploadTo(client, site, ['silent.example'], 60)
  const other = await order('zero-ssl', 'other.silent.example')
  await until(async () => (await client.call(get, { id: other })).problem !== null)
  await until(async () => (await client.call(get, { id: uploaded })).status === 'active')
  // Others do not take an order while the authority may still say something: its lease goes on before it ends.
  const seen = new Map<string, Date>()
  await until(async () => {
    const leased = await api.database.system((tx) =>
      tx.query<{ id: string; until: Date; now: Date }>(
        `SELECT id, leased_until AS until, now() FROM certificate WHERE type = 'lets-encrypt' AND leased_until > now()`,
      ),
    )
    const renewed = leased.some(({ id, until, now }) => {
      const before = seen.get(id)
      return before !== undefined && until > before && now < before
    })
    for (const { id, until } of leased) seen.set(id, until)
    return renewed
  })
  await api.database.system((tx) => tx.query('DELETE FROM certificate WHERE site_id = $1', [site]))
  hanging = null
  for (const response of open) response.writeHead(503).end()
})
