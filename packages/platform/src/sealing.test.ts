import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { seal, unseal } from './sealing.ts'

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-seal-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))

test('what was sealed opens again, and says nothing of itself', () => {
  const sealed = seal({ home }, 'totp', 'JBSWY3DPEHPK3PXP')
  assert.equal(unseal({ home }, 'totp', sealed), 'JBSWY3DPEHPK3PXP')
  assert.ok(!sealed.includes('JBSWY3DPEHPK3PXP'))
  assert.notEqual(seal({ home }, 'totp', 'JBSWY3DPEHPK3PXP'), sealed)
})

test('another purpose, another installation or a changed text opens nothing', () => {
  const sealed = seal({ home }, 'totp', 'secret')
  const other = path.join(home, 'other')
  const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA')
  for (const open of [
    () => unseal({ home }, 'byo', sealed),
    () => unseal({ home: other }, 'totp', sealed),
    () => unseal({ home }, 'totp', changed),
    () => unseal({ home }, 'totp', 'v1.'),
  ])
    assert.throws(open)
})
