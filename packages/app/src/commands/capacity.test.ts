import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { constantsTable } from './capacity.ts'
import { CHECKOUT } from './checkout.ts'

test('the page of capacity shows every constant as it is', () => {
  const page = fs.readFileSync(path.join(CHECKOUT, 'docs/capacity.md'), 'utf8')
  assert.ok(page.includes(constantsTable()), 'docs/capacity.md: put what `./fairway capacity --constants` prints there')
})
