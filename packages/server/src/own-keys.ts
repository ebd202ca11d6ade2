import { ConfigError, type Config, type Tx, sealingMark, unseal } from '@fairway/platform'
import { purposeOf } from './features/byo-cdn-keys/key-values.ts'
import { CERTIFICATE_KEYS } from './features/certificates/seal-purpose.ts'
import { sealPurpose } from './features/managed-cdn-keys/stored-keys.ts'
import { WEBHOOK_SECRETS } from './features/webhooks/secrets.ts'
import { ZONE_KEYS } from './publish/zone-signing.ts'

type Sealed = { purpose: string; sealed: string }

/** What nobody seals anew, the oldest: what a machine with other keys has sealed came later. */
const oldest = (tx: Tx) =>
  tx.query<Sealed>(
    `(SELECT $1 AS purpose, private_key_sealed AS sealed FROM zone_key ORDER BY created_at LIMIT 1)
     UNION ALL (SELECT 'totp', secret FROM totp ORDER BY created_at LIMIT 1)
     UNION ALL (SELECT $2, sealed_key FROM acme_account ORDER BY created_at LIMIT 1)`,
    [ZONE_KEYS, CERTIFICATE_KEYS],
  )

/** Sealed anew by whoever renews them. */
const certificates = (tx: Tx) =>
  tx.query<Sealed>(
    'SELECT $1 AS purpose, sealed_key AS sealed FROM certificate WHERE sealed_key IS NOT NULL ORDER BY created_at LIMIT 15',
    [CERTIFICATE_KEYS],
  )

/** And by whoever saves them. */
const secrets = (tx: Tx) =>
  tx.query<Sealed>(
    `(SELECT $1 AS purpose, secret AS sealed FROM webhook_endpoint ORDER BY created_at LIMIT 5)
     UNION ALL (SELECT $2 || id, sealed FROM byo_cdn_key ORDER BY created_at LIMIT 5)
     UNION ALL (SELECT $3 || platform, sealed FROM managed_vendor WHERE sealed IS NOT NULL ORDER BY modified_at LIMIT 5)`,
    [WEBHOOK_SECRETS, purposeOf(''), sealPurpose('')],
  )

/**
 * A machine that has other keys than the installation would be well, and what customers save through it would be
 * noise to all others for good. The first that starts after an upgrade leaves its mark once it has opened what is
 * there; an empty mark is an operator's word that the key is lost, and takes whatever starts next.
 *
 * @throws ConfigError when the key here is not the one of the mark, or does not open what is there
 */
export async function refuseOtherKeys(tx: Tx, config: Config): Promise<void> {
  const mark = sealingMark(config)
  // Of two that start at once, the second sees the mark of the first.
  const [row] = await tx.query<{ sealed_by: string | null }>('SELECT sealed_by FROM installation FOR UPDATE')
  if (!row || row.sealed_by === mark) return
  if (row.sealed_by !== '' && (row.sealed_by !== null || !(await isOfWhatIsThere(tx, config))))
    throw new ConfigError(
      `${config.home}/secrets/sealing-key is not the key of this database, whose secrets it cannot read. Stop this machine, put its folder secrets aside and that of a machine that works in its place, and start again. Where that key is lost for good, so that what it sealed has to be saved anew: UPDATE installation SET sealed_by = ''`,
    )
  await tx.query('UPDATE installation SET sealed_by = $1', [mark])
}

/** Also where nothing is sealed yet. */
async function isOfWhatIsThere(tx: Tx, config: Config): Promise<boolean> {
  const opened = (rows: readonly Sealed[]) => rows.filter((row) => opens(config, row)).length
  const firm = await oldest(tx)
  if (firm.length > 0) return opened(firm) === firm.length
  for (const find of [certificates, secrets]) {
    const rows = await find(tx)
    if (rows.length > 0) return opened(rows) > rows.length / 2
  }
  return true
}

function opens(config: Config, { purpose, sealed }: Sealed): boolean {
  try {
    unseal(config, purpose, sealed)
    return true
  } catch {
    return false
  }
}
