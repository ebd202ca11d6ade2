import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyRead } from './every-read.ts'

test('the benchmark of the API knows what each declared read must be asked with', () => {
  const reads = everyRead({ host: 'www.example.com' })
  assert.ok(reads.length > 100)
  assert.equal(new Set(reads.map(({ name }) => name)).size, reads.length)
})
