import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { account } from '@fairway/contract'
import { clientOf, startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'

const { config, info, partner, setLocale } = account.routes
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

test('a user finds their own name, organisation, plan and permissions, and keeps the chosen language', async () => {
  const client = await api.colleague(await api.newClient({ planId: 'business' }), ['ViewSite'])
  const before = await client.call(info, {})
  assert.deepEqual(
    [before.email, before.organizationId, before.plan.id, before.permissions, before.isOperator, before.locale],
    [client.email, client.organizationId, 'business', ['ViewSite'], false, 'en'],
  )
  await client.call(setLocale, { locale: 'zhHant' })
  assert.equal((await client.call(info, {})).locale, 'zhHant')
  assert.equal((await client.refusal(setLocale, { locale: 'xx' as 'en' })).status, 400)
})

test('the partner and the version are public', async () => {
  const anyone = clientOf(api.url, '')
  assert.equal((await anyone.call(partner, {})).companyName, 'Fairway')
  assert.equal((await anyone.call(config, {})).maintenanceMode, false)
})
