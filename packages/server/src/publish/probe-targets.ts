import type { ProbeTargets } from '@fairway/contract'
import type { Config, Tx } from '@fairway/platform'
import type { Built } from './built.ts'
import { contentVersion } from './publication.ts'
import { testObjects } from './test-objects.ts'

/** Where an organisation's CDNs are probed: each once, through one of its domains. Key: organisation id. */
export async function buildProbeTargets(tx: Tx, key: string, config: Config): Promise<Built> {
  const targets = (await testObjects(tx, key, config)).map(({ cdnId, house, host, address, port, path }) => ({
    cdnId,
    host,
    address,
    port,
    path,
    tls: false,
    house,
  }))
  const content = (version: number): ProbeTargets => ({ organizationId: key, version, targets })
  const version = await contentVersion(tx, 'probe-targets', key, content)
  return { version, organizationId: key, body: content(version) }
}
