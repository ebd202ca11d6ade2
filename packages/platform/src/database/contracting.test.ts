import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { contractionsOf, unusedSince } from './contracting.ts'

const NARROWS: [sql: string, why: RegExp][] = [
  ['ALTER TABLE site DROP COLUMN note;', /takes away/],
  ['ALTER TABLE site DROP note;', /takes away/],
  ['alter table site\n  add column a int,\n  drop column b', /takes away/],
  ['DROP TABLE IF EXISTS site CASCADE;', /takes away/],
  ['ALTER TABLE site RENAME TO website;', /renames/],
  ['ALTER TABLE site RENAME COLUMN a TO b;', /renames/],
  ['ALTER TABLE site ALTER COLUMN a TYPE bigint;', /type/],
  ['ALTER TABLE site ALTER a SET DATA TYPE text USING a::text;', /type/],
  ['ALTER TABLE site ALTER COLUMN a SET NOT NULL;', /refuses rows/],
  ['ALTER TABLE site ALTER COLUMN a DROP DEFAULT;', /refuses rows/],
  ['ALTER TABLE site ADD COLUMN a text NOT NULL;', /does not give/],
  ['ALTER TABLE site ADD COLUMN a int DEFAULT 1, ADD b int NOT NULL CHECK (b IN (1, 2));', /does not give/],
  ['TRUNCATE site;', /removes/],
  ['REVOKE SELECT ON site FROM fairway_app;', /rights/],
  ['/* DROP */ DROP /* now */ TABLE -- really\n site;', /takes away/],
]
for (const [sql, why] of NARROWS)
  test(`the release before could not go on after: ${sql}`, () => {
    const [found, ...more] = contractionsOf(`CREATE TABLE other (id int);\n${sql}`)
    assert.match(found?.why ?? '', why)
    assert.deepEqual(more, [])
  })

const WIDENS = [
  'CREATE TABLE a (id int NOT NULL); ALTER TABLE a ALTER COLUMN id SET NOT NULL',
  'ALTER TABLE site ADD COLUMN a text',
  "ALTER TABLE site ADD COLUMN a text NOT NULL DEFAULT ''",
  'ALTER TABLE site ADD COLUMN a int GENERATED ALWAYS AS (b * 2) STORED NOT NULL',
  'ALTER TABLE site DROP CONSTRAINT site_kind_check, ADD CONSTRAINT site_kind_check CHECK (kind IN (1, 2))',
  'ALTER TABLE site ALTER COLUMN a DROP NOT NULL',
  'DROP INDEX site_idx',
  "-- DROP TABLE site\nCOMMENT ON TABLE site IS 'do not DROP TABLE it; ever'",
  'DO $do$ BEGIN EXECUTE format($$SELECT 1; DROP TABLE x$$); END $do$',
  'GRANT SELECT ON site TO fairway_app',
]
for (const sql of WIDENS)
  test(`the release before goes on after: ${sql}`, () => assert.deepEqual(contractionsOf(sql), []))

test('a release is named by its number and with what it stopped using', () => {
  assert.equal(unusedSince('-- Why.\n-- Unused since 2.41.0: site.note\nALTER TABLE site DROP COLUMN note'), '2.41.0')
  for (const header of ['-- Unused since 2.41.0:', '-- unused since then: x', 'SELECT 1 -- Unused since 2.41.0: x'])
    assert.equal(unusedSince(header), null)
})

test('whatever is written, it is read to its end', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("'", '$', '-', '/', '*', ';', ' ', 'DROP TABLE a', '\n', '(') }),
      (sql) => Array.isArray(contractionsOf(sql)),
    ),
  )
})
