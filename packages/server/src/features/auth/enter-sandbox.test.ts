import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { account, auditLog, auth, dnsRecords, sessions, sites, supportTickets } from '@fairway/contract'
import { writeAudit } from '../../http/write-audit.ts'
import { closeSandbox, openSandbox } from '../../sandbox.ts'
import { type ApiUnderTest, clientOf, send, startApiUnderTest } from '../../testing/api-under-test.ts'
import { everyRoute } from '../../testing/every-route.ts'

const PLAN = { organization: 'Harbour Times', site: 'harbour-times.test', password: 'Aa1-something-long' }
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

/** Everybody is one user in it: nobody learns from where the others look. */
async function refuseToTell(token: string): Promise<void> {
  const visitor = clientOf(api.url, token)
  await clientOf(api.url, '').call(auth.routes.enterSandbox, {})
  const own = (await visitor.call(sessions.routes.list, {})).data
  assert.deepEqual(
    own.map(({ isCurrent, ip, agent }) => [isCurrent, ip, agent]),
    [[true, null, null]],
  )
  const { organizationId } = await visitor.call(account.routes.info, {})
  // An entry of a release that kept the address.
  await api.database.system(async (tx) => {
    await tx.query('UPDATE organization SET public_sandbox = false WHERE id = $1', [organizationId])
    const entry = { organizationId, action: 'auth.login', userId: null, userLabel: 'visitor', source: 'console' }
    await writeAudit(tx, { ...entry, ip: '198.51.100.7', changes: [] })
    await tx.query('UPDATE organization SET public_sandbox = true WHERE id = $1', [organizationId])
  })
  const log = await visitor.call(auditLog.routes.list, {})
  assert.ok(log.data.length > 0 && log.data.every(({ ip }) => ip === null))
  const entry = await visitor.call(auditLog.routes.detail, { number: log.data[0]?.id ?? '' })
  assert.deepEqual([entry.ip, entry.hash, entry.hashBefore], [null, '', ''])
  assert.equal((await visitor.call(auditLog.routes.list, { search: '198.51.100.7' })).meta.total, 0)
  assert.ok((await visitor.call(auditLog.routes.list, { search: 'login visitor' })).meta.total > 0)
  const csv = await (await send(api.url, token, auditLog.routes.export, {})).text()
  assert.doesNotMatch(csv, /198\.51\.100\.7|127\.0\.0\.1|[0-9a-f]{64}/)
}

test('where there is no sandbox, nobody is offered one or gets in', async () => {
  const anyone = clientOf(api.url, '')
  assert.equal((await anyone.call(auth.routes.firstRun, {})).sandbox, false)
  assert.equal((await anyone.refusal(auth.routes.enterSandbox, {})).status, 404)
})

test('anybody looks around in the sandbox, nobody changes anything in it, and it is made once', async () => {
  const anyone = clientOf(api.url, '')
  const opened = await api.database.system((tx) => openSandbox(tx, PLAN))
  // Not while it is being filled: its user could write.
  assert.equal((await anyone.refusal(auth.routes.enterSandbox, {})).status, 404)
  const { jwtToken: filling } = await anyone.call(auth.routes.login, {
    email: opened?.email ?? '',
    password: PLAN.password,
  })
  const owner = clientOf(api.url, filling)
  const site = (await owner.call(sites.routes.create, { domainName: PLAN.site })).data.id
  await owner.call(dnsRecords.routes.create, { site, type: 'A', name: 'www', value: '8.8.8.8' })
  await api.database.system((tx) => closeSandbox(tx, opened?.organizationId ?? ''))
  assert.equal(await api.database.system((tx) => openSandbox(tx, PLAN)), null)
  assert.equal((await owner.refusal(sites.routes.list, {})).status, 401)
  assert.equal(
    (await anyone.refusal(auth.routes.login, { email: opened?.email ?? '', password: PLAN.password })).status,
    401,
  )

  assert.equal((await anyone.call(auth.routes.firstRun, {})).sandbox, true)
  const { jwtToken } = await anyone.call(auth.routes.enterSandbox, {})
  await refuseToTell(jwtToken)
  const visitor = clientOf(api.url, jwtToken)
  assert.equal((await visitor.call(account.routes.info, {})).sandboxMode, true)
  assert.equal((await visitor.call(dnsRecords.routes.list, { site })).data.length, 1)
  assert.equal((await visitor.refusal(supportTickets.routes.create, { subject: 'x', message: 'y' })).status, 403)
  for (const { route, name } of everyRoute) {
    if (route.method === 'GET' || !(route.audit || route.personal) || ['public', 'node'].includes(route.permission))
      continue
    if (route.audit === 'auth.logout') continue
    const path = Object.fromEntries([...route.path.matchAll(/\{(\w+)\}/g)].map(([, param]) => [param ?? '', site]))
    assert.equal((await send(api.url, jwtToken, route, path)).status, 403, name)
  }
  await visitor.call(auth.routes.logout, {})
  assert.equal((await visitor.refusal(sites.routes.list, {})).status, 401)
})
