import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import zlib from 'node:zlib'
import { embedPage, embedPolicy } from './embed-page.ts'
import { encodedFor, loadPlayer } from './player-files.ts'

const ID = '11111111-1111-4111-8111-111111111111'

test('nothing that a page knows of a video gets out of its attribute', () => {
  const evil = `"><script>alert(1)</script>'&<img src=x onerror=alert(1)>`
  const page = embedPage({ id: ID, isLive: true, poster: evil, color: evil, logo: evil, views: evil })
  assert.equal(page.match(/<script/g)?.length, 1)
  assert.ok(!page.includes('<img') && !page.includes(`'&<`) && !page.includes('><script>'))
  assert.match(page, new RegExp(`data-src="/${ID}/master\\.m3u8" data-live="" data-poster=`))
  assert.ok(!embedPage({ id: ID, isLive: false, poster: null, color: null, logo: null, views: null }).includes('live'))
})

test('anybody may frame the page, and nothing runs in it but the player and what tells views', () => {
  const policy = embedPolicy('https://collector.test/v/a/asset/b/c')
  assert.match(policy, /frame-ancestors \*/)
  assert.match(policy, /default-src 'none'; script-src 'self' https:\/\/collector\.test;/)
  assert.match(embedPolicy(null), /script-src 'self';/)
})

test('files that pages of before name are given after another build; forms are those that are accepted', (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stream-player-'))
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }))
  const [built, kept] = [path.join(folder, 'dist'), path.join(folder, 'kept')]
  const build = (files: Record<string, string>) => {
    fs.rmSync(built, { recursive: true, force: true })
    fs.mkdirSync(built)
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(built, name), text)
  }
  build({ 'v1.js': 'one', 'hls-abcdefgh.js': 'old', 'hls-abcdefgh.js.gz': zlib.gzipSync('old').toString('latin1') })
  assert.deepEqual([...loadPlayer(built, kept).keys()].sort(), ['hls-abcdefgh.js', 'v1.js'])
  build({ 'v1.js': 'two', 'hls-ijklmnop.js': 'new', '.built-from': 'x' })
  const files = loadPlayer(built, kept)
  assert.deepEqual([...files.keys()].sort(), ['hls-abcdefgh.js', 'hls-ijklmnop.js', 'v1.js'])
  assert.equal(files.get('v1.js')?.plain.toString(), 'two')
  const old = files.get('hls-abcdefgh.js')
  assert.ok(old)
  const form = (accepted: string) => encodedFor({ ...old, br: Buffer.from('b') }, accepted).encoding
  assert.deepEqual(['gzip, br', 'gzip', 'br;q=0, gzip', 'gzip;q=0', '', 'brotli'].map(form), [
    'br',
    'gzip',
    'gzip',
    null,
    null,
    null,
  ])
  assert.equal(loadPlayer(null, kept).size, 0)
  assert.equal(loadPlayer(path.join(folder, 'nowhere'), kept).size, 0)
})
