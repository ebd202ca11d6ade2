import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApiUnderTest } from './testing/api-under-test.ts'

const api = await startApiUnderTest()
after(() => api[Symbol.asyncDispose]())

/** What is hardly ever removed, and then by operators. */
const LASTING = ['addon', 'cdn_offer', 'coupon', 'invoice', 'organization', 'partner', 'plan']

test('what is removed is found by an index wherever it is referred to: no table is read whole for it', async () => {
  const unindexed = await api.database.system((tx) =>
    tx.query<{ reference: string }>(
      `SELECT c.conrelid::regclass || ' (' || string_agg(a.attname, ', ' ORDER BY k.place) || ') to ' || c.confrelid::regclass AS reference
       FROM pg_constraint c, unnest(c.conkey) WITH ORDINALITY AS k (number, place), pg_attribute a
       WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace AND c.confrelid::regclass::text <> ALL ($1)
         AND a.attrelid = c.conrelid AND a.attnum = k.number
         AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indkey[0] = ANY (c.conkey))
       GROUP BY c.oid, c.conrelid, c.confrelid ORDER BY 1`,
      [LASTING],
    ),
  )
  assert.deepEqual(
    unindexed.map(({ reference }) => reference),
    [],
  )
})
