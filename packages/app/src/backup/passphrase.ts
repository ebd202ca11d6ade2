import fs from 'node:fs'
import { BackupError, type Config, checkPassphrase } from '@fairway/platform'

/** The passphrase that the settings name. @throws BackupError when there is none, or it is too short. */
export function backupPassphrase({ backupPassphraseFile, backupPassphrase: own }: Config): string {
  if (backupPassphraseFile === '') return checkPassphrase(own)
  try {
    return checkPassphrase(fs.readFileSync(backupPassphraseFile, 'utf8').split(/\r?\n/)[0] ?? '')
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw new BackupError(`The file of the passphrase, ${backupPassphraseFile}, cannot be read.`, { cause: error })
  }
}
