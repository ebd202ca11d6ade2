import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

test('a process that answers loads no schemas, no databases and no metrics', async () => {
  const program = `
    const { registerHooks } = await import('node:module')
    const loaded = new Set()
    registerHooks({ resolve(name, context, next) { const found = next(name, context); loaded.add(found.url); return found } })
    await import(${JSON.stringify(import.meta.resolve('./server.ts'))})
    console.log(JSON.stringify([...loaded]))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program],
    { maxBuffer: 1 << 20 },
  )
  const loaded = JSON.parse(stdout) as string[]
  assert.ok(loaded.some((url) => url.endsWith('/answer/answerer.ts')))
  assert.deepEqual(
    loaded.filter((url) =>
      /node_modules\/(zod|pg|prom-client|tldts|undici)\/|packages\/(contract|domain|platform)\/src\/index\.ts|node:http2/.test(
        url,
      ),
    ),
    [],
  )
})
