import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { FEATURES, LIMITS } from '@fairway/contract'
import { type ApiUnderTest, startApiUnderTest } from '../testing/api-under-test.ts'

const { sites, zoneFiles, dnsRecords } = FEATURES
let api: ApiUnderTest
before(async () => {
  api = await startApiUnderTest()
})
after(() => api[Symbol.asyncDispose]())

test('920905: large changes fill the history of their organisation up to a bound for the day; small ones go on', async () => {
  const client = await api.newClient()
  const site = (await client.call(sites.routes.create, { domainName: 'history.example' })).data.id
  const file = (value: string) => ({
    site,
    format: 'bind' as const,
    force: true,
    text: Array.from({ length: 200 }, (_, i) => `h${i} 300 IN TXT "${value}"`).join('\n'),
  })
  await client.call(zoneFiles.routes.apply, file('one'))
  const fill = (day: string) =>
    api.database.system((tx) =>
      tx.query(`UPDATE history_day SET bytes = $2, day = ${day} WHERE organization_id = $1 RETURNING bytes`, [
        client.organizationId,
        LIMITS.historyBytesPerDay,
      ]),
    )
  assert.equal((await fill('current_date')).length, 1)
  assert.equal((await client.refusal(zoneFiles.routes.apply, file('two'))).code, 920_905)
  await client.call(dnsRecords.routes.create, { site, type: 'TXT', name: 'small', value: 'x' })
  await fill('current_date - 1')
  await client.call(zoneFiles.routes.apply, file('two'))
})
