import { ConfigError, type Config, type Tx, sealingMark, unseal } from '@fairway/platform'
import { CERTIFICATE_KEYS } from './features/certificates/seal-purpose.ts'
import { ZONE_KEYS } from './publish/zone-signing.ts'

/** Some of what is there, the oldest: what a machine with other keys has sealed came later. */
const SEALED = `(SELECT $1 AS purpose, sealed_key AS sealed FROM certificate WHERE sealed_key IS NOT NULL ORDER BY valid_from LIMIT 3)
  UNION ALL (SELECT $2, private_key_sealed FROM zone_key ORDER BY created_at LIMIT 3)
  UNION ALL (SELECT 'totp', secret FROM totp ORDER BY created_at LIMIT 3)`

/**
 * A machine that has other keys than the installation would be well, and what customers save through it would be
 * noise to all others for good. The first that starts after an upgrade leaves its mark once it has opened what is
 * there; an empty mark is an operator's word that the key is lost, and takes whatever starts next.
 *
 * @throws ConfigError when the key here is not the one of the mark, or opens nothing of what is there
 */
export async function refuseOtherKeys(tx: Tx, config: Config): Promise<void> {
  const mark = sealingMark(config)
  const [row] = await tx.query<{ sealed_by: string | null }>('SELECT sealed_by FROM installation')
  if (!row || row.sealed_by === mark) return
  if (row.sealed_by !== '' && (row.sealed_by !== null || !(await opensSome(tx, config))))
    throw new ConfigError(
      `${config.home}/secrets/sealing-key is not the key of this database, whose secrets it cannot read. Stop this machine, put its folder secrets aside and that of a machine that works in its place, and start again. Where that key is lost for good, so that what it sealed has to be saved anew: UPDATE installation SET sealed_by = ''`,
    )
  await tx.query(`UPDATE installation SET sealed_by = $1 WHERE sealed_by IS NULL OR sealed_by = ''`, [mark])
}

/** Also where nothing is sealed yet. */
async function opensSome(tx: Tx, config: Config): Promise<boolean> {
  const rows = await tx.query<{ purpose: string; sealed: string }>(SEALED, [CERTIFICATE_KEYS, ZONE_KEYS])
  return rows.length === 0 || rows.some(({ purpose, sealed }) => opens(config, purpose, sealed))
}

function opens(config: Config, purpose: string, sealed: string): boolean {
  try {
    unseal(config, purpose, sealed)
    return true
  } catch {
    return false
  }
}
