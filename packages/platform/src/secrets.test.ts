import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { secret } from './secrets.ts'

test('a secret is made once, for its owner alone; one that a power cut left empty is told, and not made anew', (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-secrets-'))
  t.after(() => fs.rmSync(home, { recursive: true }))
  const made = secret({ home }, 'sealing-key')
  assert.match(made, /^[\w-]{43}$/)
  assert.equal(secret({ home }, 'sealing-key'), made)
  const file = path.join(home, 'secrets', 'sealing-key')
  assert.equal(fs.statSync(file).mode & 0o777, 0o600)
  fs.truncateSync(file)
  assert.throws(() => secret({ home }, 'sealing-key'), /sealing-key is empty/)
  assert.equal(fs.statSync(file).size, 0)
})
