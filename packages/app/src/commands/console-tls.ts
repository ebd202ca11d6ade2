import path from 'node:path'
import { type Config, controlRequest, runDir } from '@fairway/platform'

/**
 * What the API of this machine has to say of the console's certificate; null when that is as it should be.
 * @throws Error when the API does not answer
 */
export async function saidOfTls(config: Config): Promise<string | null> {
  const answer = await controlRequest(`unix:${path.join(runDir(config), 'api.sock')}`, 'GET', '/readyz')
  const { reasons } = answer as { reasons: string[] }
  return reasons.find((reason) => reason.startsWith('TLS: '))?.slice('TLS: '.length) ?? null
}
