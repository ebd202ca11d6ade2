import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { ERRORS } from '@fairway/contract'

/** Those of HTTP, accounts, marketplaces, billing and keys; the other areas lie between. */
const OF_THE_SHELL = Object.keys(ERRORS)
  .map(Number)
  .filter((code) => code < 9_000 || (code >= 29_000 && code < 30_000) || code >= 909_990)

const folder = import.meta.dirname
const tests = fs
  .readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && name !== path.basename(import.meta.filename))
  .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'))
  .join('\n')

test('every code of accounts, sign-in and billing is provoked by a test at the API', () => {
  assert.ok(OF_THE_SHELL.length > 50, `${OF_THE_SHELL.length} codes`)
  assert.deepEqual(
    OF_THE_SHELL.filter((code) => !new RegExp(`\\b${code}\\b`).test(tests)),
    [],
  )
})
