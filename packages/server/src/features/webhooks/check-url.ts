import { lookUpWith, safeAddress } from '@fairway/drivers'
import type { Config } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'

const PATIENCE_MS = 3_000

/**
 * Refuses what would never be called: plain HTTP and private addresses, unless the installation allows them. A name
 * that has no address yet is fine. @throws Failure 400
 */
export async function checkUrl(config: Config, text: string): Promise<void> {
  const url = new URL(text)
  const allowPrivate = config.privateWebhooks === 'allow'
  if (url.protocol !== 'https:' && !allowPrivate)
    throw new Failure(400, { fields: [{ path: 'url', message: 'validation.https' }] })
  const patience = new Promise<string[]>((resolve) => setTimeout(resolve, PATIENCE_MS, []).unref())
  const lookUp = lookUpWith(config.resolver)
  const target = await safeAddress(url, { lookUp: (host) => Promise.race([lookUp(host), patience]), allowPrivate })
  if ('problem' in target && target.problem === 'private')
    throw new Failure(400, { fields: [{ path: 'url', message: 'validation.bogon' }] })
}
