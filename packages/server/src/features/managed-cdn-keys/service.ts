import { isDeepStrictEqual } from 'node:util'
import { ByoPlatform, type ManagedCdnKey, managedCdnKeys } from '@fairway/contract'
import { managedKeys, testCredentials } from '@fairway/drivers'
import { seal, type Config, type Tx } from '@fairway/platform'
import { withoutConnection } from '../../http/call-transaction.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { checkedValues, secretNames, splitValues, type Values } from '../byo-cdn-keys/key-values.ts'
import { noteManagedVendors, noteVendor } from '../cdn-management/vendor-cdns.ts'
import { managedKeyOf, sealPurpose, secretsOfVendor, type VendorRow, vendorRows } from './stored-keys.ts'

export const managedCdnKeysSlice = slice(managedCdnKeys, {
  async list({ tx, services }) {
    return { data: (await vendorRows(tx)).map((row) => present(row, services.config)) }
  },

  async create({ tx, services, change }, { platform, values }) {
    if ((await vendorRows(tx, platform))[0]?.sealed)
      throw new Failure(8421, { fields: [{ path: 'platform', message: 'code:8421' }] })
    const checked = checkedValues(platform, values, {})
    // Organisations that are being made meanwhile wait, or are seen.
    await tx.query('SELECT pg_advisory_xact_lock(4713)')
    await noteVendor(tx, platform)
    await store(tx, services.config, platform, checked)
    await noteManagedVendors(tx, services.config)
    change.record({
      entity: 'managed-cdn-key',
      id: platform,
      label: platform,
      before: null,
      after: splitValues(platform, checked).open,
    })
    return shown(tx, services.config, platform)
  },

  async update({ tx, services, change }, { platform: name, values }) {
    const before = await storedRow(tx, name)
    const { platform } = before
    const secrets = secretsOfVendor(services.config, platform, before.sealed)
    const checked = checkedValues(platform, values, secrets)
    if (isDeepStrictEqual(checked, { ...before.fields, ...secrets })) return shown(tx, services.config, platform)
    await store(tx, services.config, platform, checked)
    const replaced = secretNames(platform).filter((field) => values[field])
    change.record({
      entity: 'managed-cdn-key',
      id: platform,
      label: platform,
      before: before.fields,
      after: { ...splitValues(platform, checked).open, ...(replaced.length ? { replacedSecrets: replaced } : {}) },
    })
    return shown(tx, services.config, platform)
  },

  async remove({ tx, services, change }, { platform: name }) {
    const { platform, fields, domain_count } = await storedRow(tx, name)
    // Without a key nothing could be taken away at the vendor any more.
    if (domain_count > 0 && !managedKeys(services.config)[platform]) throw new Failure(8492)
    await tx.query(
      'UPDATE managed_vendor SET fields = NULL, sealed = NULL, tested_at = NULL, test_problem = NULL, modified_at = now() WHERE platform = $1',
      [platform],
    )
    await noteManagedVendors(tx, services.config)
    change.record({ entity: 'managed-cdn-key', id: platform, label: platform, before: fields, after: null })
    return {}
  },

  async test({ tx, services, change }, { platform: name }) {
    const platform = ByoPlatform.safeParse(name).data
    const [row] = platform ? await vendorRows(tx, platform) : []
    const values = platform && (await managedKeyOf(tx, services.config, platform))
    if (!platform || !row || !values) throw new Failure(404)
    const { problem, detail } = await withoutConnection(() => testCredentials(services.config, platform, values))
    await tx.query('UPDATE managed_vendor SET tested_at = now(), test_problem = $2 WHERE platform = $1', [
      platform,
      problem,
    ])
    change.record({
      entity: 'managed-cdn-key',
      id: platform,
      label: platform,
      before: { testProblem: row.test_problem },
      after: { testProblem: problem },
    })
    return { problem, detail, key: await shown(tx, services.config, platform) }
  },
})

/** @throws Failure 404 when no key is stored: one of the settings is changed there */
async function storedRow(tx: Tx, name: string): Promise<VendorRow & { sealed: string; fields: Values }> {
  const platform = ByoPlatform.safeParse(name).data
  const [row] = platform ? await vendorRows(tx, platform) : []
  if (!row?.sealed || !row.fields) throw new Failure(404)
  return { ...row, sealed: row.sealed, fields: row.fields }
}

/** What was tested was the key before. */
async function store(tx: Tx, config: Config, platform: ByoPlatform, values: Values): Promise<void> {
  const { open, secrets } = splitValues(platform, values)
  await tx.query(
    'UPDATE managed_vendor SET fields = $2, sealed = $3, tested_at = NULL, test_problem = NULL, modified_at = now() WHERE platform = $1',
    [platform, JSON.stringify(open), seal(config, sealPurpose(platform), JSON.stringify(secrets))],
  )
}

async function shown(tx: Tx, config: Config, platform: ByoPlatform): Promise<ManagedCdnKey> {
  const [row] = await vendorRows(tx, platform)
  if (!row) throw new Failure(404)
  return present(row, config)
}

function present(row: VendorRow, config: Config): ManagedCdnKey {
  const { platform } = row
  const { open, secrets } = splitValues(
    platform,
    row.sealed === null
      ? (managedKeys(config)[platform] ?? {})
      : { ...row.fields, ...secretsOfVendor(config, platform, row.sealed) },
  )
  return {
    platform,
    source: row.sealed === null ? 'settings' : 'stored',
    fields: open,
    secretsSet: Object.keys(secrets),
    domainCount: row.domain_count,
    testedAt: row.tested_at?.toISOString() ?? null,
    testProblem: row.test_problem,
    modifiedAt: row.modified_at.toISOString(),
  }
}
