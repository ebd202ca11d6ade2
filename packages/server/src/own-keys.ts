import { ConfigError, type Config, type Tx, sealingMark } from '@fairway/platform'

/**
 * A machine that has other keys than the installation would be well, and what customers save through it would be
 * noise to all others for good.
 *
 * @throws ConfigError when the key here is not the one of the first start
 */
export async function refuseOtherKeys(tx: Tx, config: Config): Promise<void> {
  const mark = sealingMark(config)
  await tx.query('UPDATE installation SET sealed_by = $1 WHERE sealed_by IS NULL', [mark])
  const [row] = await tx.query<{ sealed_by: string | null }>('SELECT sealed_by FROM installation')
  if (!row || row.sealed_by === null || row.sealed_by === mark) return
  throw new ConfigError(
    `${config.home}/secrets/sealing-key is not the key of this database, whose secrets it could not read. Stop this machine, put the folder secrets of one that works in its place, and start again. Where that key is lost for good: UPDATE installation SET sealed_by = NULL`,
  )
}
