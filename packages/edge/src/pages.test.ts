import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { EdgePages, Publication } from '@fairway/contract'
import { defaultPage, fillPage } from '@fairway/domain'
import {
  type EdgeUnderTest,
  type GetOptions,
  siteOf,
  startEdgeUnderTest,
  temporaryHome,
} from './testing/edge-under-test.ts'

const HTML =
  '<!doctype html><h1>Own</h1><p>::REQUEST_ID:: ::STATUS:: ::HOST:: ::CLIENT_IP:: ::TIME:: ::OTHER::</p><p>中文 %d $1 \\1</p>'
const BRAND = { companyName: 'Harbour', brandColor: '#0b74d1', logo: null, logoOnDark: null }
const brandPages = (kind: 'errors' | 'maintenance') => ({
  key: `brand:b:${kind}`,
  texts: {
    en: defaultPage(kind, 'en', BRAND),
    zhHant: defaultPage(kind, 'zhHant', BRAND),
    zhHans: defaultPage(kind, 'zhHans', BRAND),
  },
})
const DOWN = { addresses: ['127.0.0.1'], port: 1, protocol: 'http' as const, hostHeader: 'origin.example.test' }

let edge: EdgeUnderTest
let home: string
let version = 10
before(async () => {
  home = temporaryHome()
  edge = await startEdgeUnderTest(home)
  await publishPages('brand:b', [brandPages('errors'), brandPages('maintenance')])
  await publishPages('site', [{ key: 'own', texts: { any: HTML } }])
  await show('own')
})
after(async () => {
  await edge?.[Symbol.asyncDispose]()
  fs.rmSync(home, { recursive: true, force: true })
})

async function publishPages(key: string, pages: EdgePages['pages']): Promise<void> {
  await edge.publish({
    revision: ++version,
    kind: 'edge-pages',
    key,
    version,
    body: { organizationId: null, version, pages },
  } satisfies Publication)
}
const show = (errors: string | null, more: object = {}) =>
  edge.publish(
    siteOf('site', ++version, [{ origin: DOWN, pages: { errors, maintenance: null, brand: 'brand:b' }, ...more }]),
  )
const get = (options?: GetOptions) => edge.get('www.example.test', '/page', options)
const files = () => fs.readdirSync(path.join(home, 'edge', 'pages'))

/** What the page was filled in with, read from itself. */
function valuesIn(text: string, template: string) {
  const pattern = template
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/::(REQUEST_ID|STATUS|HOST|CLIENT_IP|TIME)::/g, (_, name: string) => `(?<${name}>[^<· ]+)`)
  const groups = new RegExp(`^${pattern}$`).exec(text)?.groups ?? {}
  return {
    CLIENT_IP: groups['CLIENT_IP'] ?? '',
    HOST: groups['HOST'] ?? '',
    REQUEST_ID: groups['REQUEST_ID'] ?? '',
    STATUS: groups['STATUS'] ?? '',
    TIME: groups['TIME'] ?? '',
  }
}

describe('the page of a domain', () => {
  it('is served to the byte as the preview shows it', async () => {
    const page = await get()
    const values = valuesIn(page.text, HTML)
    assert.deepEqual(
      [page.status, page.headers['cache-control'], page.headers['content-type']],
      [502, 'no-store', 'text/html; charset=utf-8'],
    )
    assert.deepEqual([values.STATUS, values.HOST, values.CLIENT_IP], ['502', 'www.example.test', '127.0.0.1'])
    assert.match(values.REQUEST_ID, /^[0-9a-f]{32}$/)
    assert.ok(Math.abs(Date.parse(values.TIME) - Date.now()) < 60_000)
    assert.ok(page.bytes.equals(Buffer.from(fillPage(HTML, values))))
  })

  it('may have 1.5 MB', async () => {
    const large = `${HTML}${'<p>x::STATUS::'.repeat(100_000)}`
    await publishPages('site', [{ key: 'own', texts: { any: large } }])
    const page = await get()
    assert.equal(
      page.bytes.length,
      Buffer.byteLength(fillPage(large, valuesIn(page.text.slice(0, page.text.indexOf('<p>x')), HTML))),
    )
    assert.equal((await get({ method: 'HEAD' })).headers['content-length'], String(page.bytes.length))
    await publishPages('site', [{ key: 'own', texts: { any: HTML } }])
    // The two of the site's brand in three languages, and its own.
    assert.equal(files().length, 7)
  })

  it('goes without a body to HEAD, as a few bytes to programs, as words where nobody reads HTML', async () => {
    const head = await get({ method: 'HEAD' })
    assert.deepEqual([head.status, head.text, Number(head.headers['content-length']) > 100], [502, '', true])
    const json = await get({ headers: { accept: 'application/json, text/plain, */*', 'accept-language': 'zh-TW' } })
    const { requestId, detail, ...told } = JSON.parse(json.text)
    assert.deepEqual(
      [json.status, json.headers['content-type'], told],
      [502, 'application/problem+json', { type: 'about:blank', status: 502, title: '源站沒有回應' }],
    )
    assert.match(`${requestId} ${detail}`, /^[0-9a-f]{32} .+/)
    const text = await get({ headers: { accept: 'image/avif,image/webp,*/*;q=0.8' } })
    assert.match(text.text, /^502 The origin does not answer\n[0-9a-f]{32}\n$/)
  })

  it("gives way to its brand's when it is taken away, in the visitor's language", async () => {
    await show(null)
    for (const [accepted, language] of [
      ['zh-TW,en;q=0.5', 'zhHant'],
      ['zh-CN', 'zhHans'],
      ['fr', 'en'],
    ] as const) {
      const page = await get({ headers: { 'accept-language': accepted } })
      const template = defaultPage('errors', language, BRAND)
      assert.equal(page.text, fillPage(template, valuesIn(page.text, template)), language)
    }
    await show('own')
  })

  it('is there again after a restart with nobody to ask', async () => {
    await edge[Symbol.asyncDispose]()
    edge = await startEdgeUnderTest(home)
    assert.match((await get()).text, /<h1>Own<\/h1>/)
  })
})

describe('maintenance', () => {
  it('shows its page to everyone at once with a time to come back, but not to certificate authorities and probes', async () => {
    await show('own', { inMaintenance: true })
    const page = await get()
    const template = defaultPage('maintenance', 'en', BRAND)
    assert.deepEqual(
      [page.status, page.headers['retry-after'], page.headers['cache-control']],
      [503, '300', 'no-store'],
    )
    assert.equal(page.text, fillPage(template, valuesIn(page.text, template)))
    assert.equal((await edge.get('www.example.test', '/.well-known/acme-challenge/x')).status, 502)
    assert.equal((await edge.get('www.example.test', '/.well-known/cdn/health')).status, 200)
    await show('own')
    assert.equal((await get()).status, 502)
  })
})

describe('pages that nobody shows any more', () => {
  it('leave the disk', async () => {
    await edge.publish({ revision: ++version, kind: 'edge-pages', key: 'site', version, body: null })
    assert.equal(files().length, 6)
    assert.match((await get()).text, /Harbour/)
  })
})
