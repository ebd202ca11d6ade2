import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNewsSite } from './news-site.ts'

test('every link and picture of every page leads somewhere, with a validator and a lifetime', async () => {
  await using site = await startNewsSite(
    { host: '127.0.0.1', port: 0 },
    { headTag: () => '<meta name="tag" content="1">' },
  )
  const waiting = ['/', '/v1/headlines']
  const seen = new Set<string>()
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    const response = await fetch(`http://127.0.0.1:${site.port}${path}`)
    const text = await response.text()
    assert.equal(response.status, 200, path)
    assert.match(response.headers.get('cache-control') ?? '', /max-age=\d+/)
    const again = await fetch(`http://127.0.0.1:${site.port}${path}`, {
      headers: { 'if-none-match': response.headers.get('etag') ?? '' },
    })
    assert.equal(again.status, 304, path)
    if (path.endsWith('/')) assert.match(text, /<meta name="tag"/)
    for (const [, link] of text.matchAll(/(?:href|src)="(\/[^"]*)"/g)) if (link) waiting.push(link)
  }
  assert.ok(seen.size > 15)
})

test('what does not exist is 404, what is not asked for politely is 405', async () => {
  await using site = await startNewsSite({ host: '127.0.0.1', port: 0 }, { headTag: () => '' })
  const status = async (path: string, method: string) =>
    (await fetch(`http://127.0.0.1:${site.port}${path}`, { method })).status
  assert.deepEqual(
    [
      await status('/nothing', 'GET'),
      await status('/nothing/', 'GET'),
      await status('/img/../x', 'GET'),
      await status('/', 'POST'),
      await status('/', 'HEAD'),
    ],
    [404, 404, 404, 405, 200],
  )
})
