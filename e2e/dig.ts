import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const FILE = '/usr/bin/dig'

/**
 * The answer section's values as `dig +short` prints them, in order, last dots cut. @throws Error when dig could not
 * get an answer
 */
export async function dig(
  server: { host: string; port: number },
  name: string,
  type: string,
  ...options: string[]
): Promise<string[]> {
  const { stdout } = await promisify(execFile)(FILE, [
    `@${server.host}`,
    '-p',
    String(server.port),
    '+short',
    '+tries=1',
    '+time=2',
    ...options,
    name,
    type,
  ])
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.replace(/\.$/, ''))
}
