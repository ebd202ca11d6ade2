import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { systemEnvironment } from '@fairway/platform'
import { isExecutable, programFolders } from '../nginx/program.ts'

const run = promisify(execFile)

/** Debian's Caddy, which speaks HTTP/3 and takes a JSON configuration from its standard input; null where there is none. */
export async function findCaddy(folders = programFolders()): Promise<string | null> {
  const binary = folders
    .filter(Boolean)
    .map((folder) => path.join(folder, 'caddy'))
    .find((file) => isExecutable(file))
  if (!binary) return null
  try {
    // Other programs have had the name; the first with HTTP/3 among its protocols is 2.6.
    const { stdout } = await run(binary, ['version'], { env: systemEnvironment(), timeout: 10_000 })
    const [, major = '0', minor = '0'] = /v?(\d+)\.(\d+)/.exec(stdout) ?? []
    return Number(major) === 2 && Number(minor) >= 6 ? binary : null
  } catch {
    return null
  }
}
