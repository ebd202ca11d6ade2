import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { configExample } from '@fairway/platform'
import { CHECKOUT } from './checkout.ts'

test('the page of settings holds every setting as it is, with its meaning and default', () => {
  const page = fs.readFileSync(path.join(CHECKOUT, 'docs/settings.md'), 'utf8')
  const listed = /```conf\n([\s\S]*?)\n```/.exec(page)?.[1]
  assert.equal(listed, configExample().trimEnd(), 'docs/settings.md: put what `./fairway help settings` prints there')
})
