import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ONE_SUCCESS_IN } from '@fairway/contract'
import { certificateOf, siteOf, startEdgeUnderTest, startOrigin } from './testing/edge-under-test.ts'

const HOST = 'www.example.test'
const TO = 'https://collect.example.test/nel/org-1/domain-1/fairway-edge/abcdefghijklmnopqrstuv'

test('browsers are asked over TLS to report what fails, on every answer of a domain that wants it', async () => {
  await using edge = await startEdgeUnderTest()
  await using website = await startOrigin((request, response) => {
    if (request.url === '/missing') return void response.writeHead(404).end('no')
    response
      .writeHead(200, {
        'cache-control': 'max-age=60',
        'report-to': '{"group":"csp","max_age":60,"endpoints":[{"url":"https://csp.example.test/"}]}',
        nel: '{"report_to":"csp","max_age":60}',
      })
      .end('the website')
  })
  const site = (version: number, more: object) =>
    siteOf('site', version, [{ host: HOST, origin: website.origin(), reportsTo: TO, ...more }])
  await edge.publish(site(1, {}))
  await edge.publish(certificateOf(edge, 'site', HOST, 1, null))
  const said = async (path: string, tls = true) => {
    const { headers } = await edge.get(HOST, path, { tls })
    return [headers['report-to'], headers['nel']].map((text): unknown => text && JSON.parse(`[${String(text)}]`))
  }
  const group = { group: 'fairway', max_age: 86_400, endpoints: [{ url: TO }] }
  const policy = { report_to: 'fairway', max_age: 86_400, success_fraction: 1 / ONE_SUCCESS_IN, failure_fraction: 1 }
  const [groups, policies] = await said('/')
  assert.deepEqual([(groups as object[]).at(-1), (groups as object[]).length, policies], [group, 2, [policy]])
  assert.deepEqual(await said('/'), [groups, policies], 'a stored answer says the same')
  assert.deepEqual(await said('/missing'), [[group], [policy]])
  assert.deepEqual((await said('/', false))[1], [{ report_to: 'csp', max_age: 60 }], 'nothing over plain HTTP')
  await edge.publish(site(2, { inMaintenance: true }))
  assert.deepEqual(await said('/'), [[group], [policy]], 'on pages of ours too')
  await edge.publish(site(3, { reportsTo: '' }))
  assert.deepEqual((await said('/'))[1], [{ report_to: 'csp', max_age: 60 }], 'the website’s own word is left alone')
})

test('an address that cannot stand in a header is refused, and the site before it serves on', async () => {
  await using edge = await startEdgeUnderTest()
  await assert.rejects(edge.publish(siteOf('site', 1, [{ host: HOST, reportsTo: 'https://a/"}]}\r\nx: y' }])))
})
