import fs from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Config } from './config.ts'
import { Problem } from './problem.ts'

let trusted = ''

/**
 * Lets this process trust the authorities that `FAIRWAY_API_CA_FILE` names, beside the usual ones. Has to be called
 * before the first connection to the API; once is enough.
 * @throws Problem when there are none in the file
 */
export function trustApiAuthorities({ apiCaFile: file }: Pick<Config, 'apiCaFile'>): void {
  if (file === '' || file === trusted) return
  try {
    const more = fs.readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
    if (!more) throw new Error('it holds no certificate')
    setDefaultCACertificates([...getCACertificates('default'), ...more])
    trusted = file
  } catch (error) {
    throw new Problem(
      `${file} cannot be used (${error instanceof Error ? error.message : String(error)}). Change FAIRWAY_API_CA_FILE.`,
      { cause: error },
    )
  }
}
