import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditLog, sites, account } from '@fairway/contract'
import { writeAudit } from '../../http/write-audit.ts'
import { type ApiUnderTest, startApiUnderTest } from '../../testing/api-under-test.ts'
import { type ChainReport, type Head, verifyChain } from './chain.ts'
import { verifyAuditLog } from './verify.ts'

let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

const verify = (organizationId: string, seen: Head | null = null): Promise<ChainReport> =>
  api.database.system((tx) => verifyChain(tx, organizationId, seen))
const HARD = 'a"b\\c\n\t\u0001\u007f 台灣 🚢 é'

/** An organisation with entries whose texts are as awkward as texts get. */
async function log(entries: number): Promise<string> {
  const { organizationId } = await api.newClient()
  for (let n = 2; n <= entries; n++) {
    await api.database.system((tx) =>
      writeAudit(tx, {
        organizationId,
        action: `x.${n}`,
        userId: n % 2 ? organizationId : null,
        userLabel: HARD,
        impostor: n % 3 ? null : '',
        source: 'system',
        ip: n % 2 ? null : '::1',
        siteId: n % 2 ? null : organizationId,
        domain: n % 2 ? HARD : null,
        version: n % 2 ? n : null,
        changes: [
          {
            entity: 'e',
            id: '1',
            label: HARD,
            before: { z: 1.1, a: 1e21, '': null, [HARD]: [true, { b: 0.1, aa: -0 }] },
            after: null,
          },
        ],
      }),
    )
  }
  return organizationId
}

/** What only somebody with the database itself can do. */
const tamper = (text: string, values: unknown[]) =>
  api.database.system(async (tx) => {
    await tx.query('RESET ROLE')
    await tx.query(text, values)
  })

test('an untouched log holds together, whatever its texts are', async () => {
  const id = await log(12)
  const report = await verify(id)
  assert.deepEqual([report.entries, report.broken, report.head?.number], [12, null, 12])
})

test('each field that is changed in an entry names that entry', async () => {
  const fields: Record<string, string> = {
    at: `at + interval '1 microsecond'`,
    action: `'x.other'`,
    user_id: 'gen_random_uuid()',
    user_label: `user_label || ' '`,
    impostor: `'nobody'`,
    ip: `'192.0.2.1'`,
    source: `'console'`,
    site_id: 'gen_random_uuid()',
    domain: `'x'`,
    version: '99',
    changes: `jsonb_set(changes, '{0,label}', '"x"')`,
    hash: `repeat('0', 64)`,
  }
  for (const [column, value] of Object.entries(fields)) {
    const id = await log(5)
    await tamper(`UPDATE audit_log SET ${column} = ${value} WHERE organization_id = $1 AND number = 3`, [id])
    const { broken } = await verify(id)
    assert.deepEqual([broken?.kind, broken?.number], ['changed', 3], column)
  }
})

test('an entry that is taken out, put in between or moved to another place breaks the chain', async () => {
  const [gone, first, swapped] = [await log(6), await log(3), await log(6)]
  await tamper('DELETE FROM audit_log WHERE organization_id = $1 AND number IN (3, 4)', [gone])
  assert.deepEqual(
    [(await verify(gone)).broken?.kind, (await verify(gone)).broken?.number, (await verify(gone)).entries],
    ['missing', 5, 2],
  )
  await tamper('DELETE FROM audit_log WHERE organization_id = $1 AND number = 1', [first])
  assert.deepEqual([(await verify(first)).broken?.kind, (await verify(first)).broken?.number], ['missing', 2])
  await tamper('UPDATE audit_log SET number = 100 WHERE organization_id = $1 AND number = 4', [swapped])
  await tamper('UPDATE audit_log SET number = 4 WHERE organization_id = $1 AND number = 5', [swapped])
  assert.deepEqual([(await verify(swapped)).broken?.kind, (await verify(swapped)).broken?.number], ['changed', 4])
})

test('a log that is cut at its end, or wholly written anew, is not what the last check has seen', async () => {
  const id = await log(6)
  const { head } = await verify(id)
  await tamper('DELETE FROM audit_log WHERE organization_id = $1 AND number > 4', [id])
  assert.equal((await verify(id)).broken, null)
  assert.deepEqual([(await verify(id, head)).broken?.kind, (await verify(id, head)).broken?.number], ['cut', 6])
  await api.database.system(async (tx) => {
    for (const action of ['a', 'b', 'c'])
      await writeAudit(tx, { organizationId: id, action, userId: null, userLabel: 'x', source: 'system', changes: [] })
  })
  assert.deepEqual([(await verify(id, head)).broken?.kind, (await verify(id, head)).broken?.number], ['rewritten', 6])
})

test('the check over all organisations remembers where the good ones stand', async () => {
  const [good, bad] = [await log(3), await log(4)]
  const report = async (id: string) =>
    (await Array.fromAsync(verifyAuditLog(api.config, api.database))).find(
      ({ organizationId }) => organizationId === id,
    )
  assert.deepEqual([(await report(good))?.broken, (await report(bad))?.entries], [null, 4])
  await tamper('DELETE FROM audit_log WHERE organization_id = $1 AND number = 4', [bad])
  assert.deepEqual([(await report(good))?.broken, (await report(bad))?.broken?.kind], [null, 'cut'])
  assert.equal((await report(bad))?.broken?.kind, 'cut', 'a broken one is not taken for the new truth')
})

test('many who write at once make one chain', async () => {
  const client = await api.newClient()
  const colleagues = await Promise.all(
    Array.from({ length: 4 }, () => api.colleague(client, ['ViewSite', 'AddSite', 'EditSite'])),
  )
  const writes = colleagues.flatMap((one, n) => [
    one.call(sites.routes.create, { domainName: `chain-${n}.example` }),
    one.call(account.routes.setLocale, { locale: 'en' }),
    one.call(account.routes.setLocale, { locale: 'zhHant' }),
    one.call(account.routes.setLocale, { locale: 'zhHans' }),
  ])
  await Promise.all(writes)
  const report = await verify(client.organizationId)
  assert.deepEqual([report.entries, report.broken], [5 + writes.length, null])
  assert.equal((await client.call(auditLog.routes.list, {})).meta.total, report.entries)
})

test('what fails takes no number', async () => {
  const id = await log(2)
  await assert.rejects(
    api.database.system(async (tx) => {
      await writeAudit(tx, {
        organizationId: id,
        action: 'lost',
        userId: null,
        userLabel: 'x',
        source: 'system',
        changes: [],
      })
      throw new Error('rolled back')
    }),
  )
  await api.database.system((tx) =>
    writeAudit(tx, { organizationId: id, action: 'kept', userId: null, userLabel: 'x', source: 'system', changes: [] }),
  )
  assert.deepEqual([(await verify(id)).entries, (await verify(id)).broken], [3, null])
})

test('the product itself can neither change nor remove an entry', async () => {
  const id = await log(2)
  for (const text of [
    'UPDATE audit_log SET action = NULL WHERE organization_id = $1',
    'DELETE FROM audit_log WHERE organization_id = $1',
  ]) {
    await assert.rejects(
      api.database.system((tx) => tx.query(text, [id])),
      /permission denied/,
    )
    await assert.rejects(
      api.database.tenant(id, (tx) => tx.query(text, [id])),
      /permission denied/,
    )
  }
})
