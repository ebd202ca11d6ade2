import type { Tx } from '@fairway/platform'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const idsOf = (values: readonly string[]): string[] => [...new Set(values)].filter((value) => UUID.test(value))

/** Names of rules and endpoints, and what entries of access lists say, by id. Row security leaves out what is somebody else's. */
export async function ruleNames(tx: Tx, values: readonly string[]): Promise<Map<string, string>> {
  const ids = idsOf(values)
  if (ids.length === 0) return new Map()
  const rows = await tx.query<{ id: string; name: string }>(
    `SELECT id, name FROM security_rule WHERE id = ANY($1::uuid[]) UNION ALL SELECT id, value FROM access_entry WHERE id = ANY($1::uuid[])
     UNION ALL SELECT (e->>'id')::uuid, (e->>'method') || ' ' || (e->>'path') FROM api_schema, jsonb_array_elements(endpoints) e WHERE (e->>'id')::uuid = ANY($1::uuid[])`,
    [ids],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export async function domainNames(tx: Tx, values: readonly string[]): Promise<Map<string, string>> {
  const ids = idsOf(values)
  if (ids.length === 0) return new Map()
  const rows = await tx.query<{ id: string; name: string }>('SELECT id, name FROM domain WHERE id = ANY($1::uuid[])', [
    ids,
  ])
  return new Map(rows.map(({ id, name }) => [id, name]))
}
