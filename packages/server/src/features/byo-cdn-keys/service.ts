import crypto from 'node:crypto'
import { type ByoCdnKey, type ByoPlatform, BYO_FIELDS, byoCdnKeys } from '@fairway/contract'
import { testCredentials } from '@fairway/drivers'
import { seal, secret, type Config } from '@fairway/platform'
import { withoutConnection } from '../../http/call-transaction.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { checkedValues, purposeOf, secretNames, secretsOf, splitValues, type Values } from './key-values.ts'
import {
  addKeyCdn,
  dropKeyCdn,
  fingerprintTaken,
  findKey,
  insertKey,
  listKeys,
  noteTest,
  updateKey,
  type ByoKeyRow,
} from './store.ts'

const ORDER = { created_at: 'created_at', name: 'lower(name)', platform: 'platform' }

export const byoCdnKeysSlice = slice(byoCdnKeys, {
  async list({ tx, services }, query) {
    const { limit, offset, meta } = pageOf(query)
    const rows = await listKeys(tx, {
      search: query.search ?? null,
      order: orderBy(query.ordering, ORDER),
      limit,
      offset,
    })
    return { data: rows.map((row) => present(row, services.config)), meta: meta(rows[0]?.total ?? 0) }
  },

  async create({ tx, actor, services, change }, { platform, name, values }) {
    const checked = checkedValues(platform, values, {})
    const id = crypto.randomUUID()
    const row = await insertKey(tx, {
      id,
      organizationId: actor.organizationId,
      platform,
      name,
      ...stored(services.config, id, platform, checked),
    })
    if (!row) throw exists()
    await addKeyCdn(tx, { organizationId: actor.organizationId, keyId: id, platform, name })
    change.record({ entity: 'byo-cdn-key', id, label: name, before: null, after: { platform, name, ...row.fields } })
    return present(row, services.config)
  },

  async update({ tx, services, change }, { id, name, values }) {
    const before = await existing(findKey(tx, id))
    const checked = checkedValues(before.platform, values, secretsOf(services.config, before))
    const key = stored(services.config, id, before.platform, checked)
    if (await fingerprintTaken(tx, key.fingerprint, id)) throw exists()
    const row = await existing(updateKey(tx, id, { name, ...key }))
    const changedSecrets = secretNames(before.platform).filter((field) => values[field])
    change.record({
      entity: 'byo-cdn-key',
      id,
      label: name,
      before: { name: before.name, ...before.fields },
      after: { name, ...row.fields, ...(changedSecrets.length ? { replacedSecrets: changedSecrets } : {}) },
    })
    return present(row, services.config)
  },

  async remove({ tx, change }, { id }) {
    const row = await existing(findKey(tx, id))
    // Without it nothing could be taken away at the vendor any more.
    if (!(await dropKeyCdn(tx, id))) throw new Failure(8492)
    await tx.query('DELETE FROM byo_cdn_key WHERE id = $1', [id])
    change.record({
      entity: 'byo-cdn-key',
      id,
      label: row.name,
      before: { platform: row.platform, name: row.name, ...row.fields },
      after: null,
    })
    return {}
  },

  async test({ tx, services, change }, { id }) {
    const row = await existing(findKey(tx, id))
    const { problem, detail } = await withoutConnection(() =>
      testCredentials(services.config, row.platform, { ...row.fields, ...secretsOf(services.config, row) }),
    )
    const after = await existing(noteTest(tx, id, problem))
    change.record({
      entity: 'byo-cdn-key',
      id,
      label: row.name,
      before: { testProblem: row.test_problem },
      after: { testProblem: problem },
    })
    return { problem, detail, key: present(after, services.config) }
  },
})

async function existing<T>(row: Promise<T | undefined>): Promise<T> {
  const found = await row
  if (found === undefined) throw new Failure(404)
  return found
}

const exists = () => new Failure(8421, { fields: [{ path: 'values', message: 'code:8421' }] })
function stored(
  config: Config,
  id: string,
  platform: ByoPlatform,
  values: Values,
): { fields: Values; sealed: string; fingerprint: string } {
  const { open, secrets } = splitValues(platform, values)
  // The same account twice is the same key, whatever else was typed; keyed, so that the stored mark cannot be guessed
  // at.
  const identity = [
    platform,
    ...BYO_FIELDS[platform]
      .filter(({ required }) => required)
      .map(({ name }) => (name === 'region' ? '' : (values[name] ?? ''))),
  ].join('\n')
  const fingerprint = crypto
    .createHmac('sha256', secret(config, 'fingerprint-key'))
    .update(identity)
    .digest('base64url')
  return { fields: open, sealed: seal(config, purposeOf(id), JSON.stringify(secrets)), fingerprint }
}

function present(row: ByoKeyRow, config: Config): ByoCdnKey {
  return {
    id: row.id,
    platform: row.platform,
    name: row.name,
    fields: row.fields,
    secretsSet: Object.keys(secretsOf(config, row)),
    testedAt: row.tested_at?.toISOString() ?? null,
    testProblem: row.test_problem,
    createdAt: row.created_at.toISOString(),
    modifiedAt: row.modified_at.toISOString(),
  }
}
