import { EDGE_PATHS, type ProbeTarget, type ProbeTargets } from '@fairway/contract'
import { type Config, edgeHost, type Tx } from '@fairway/platform'
import type { Built } from './built.ts'
import { contentVersion } from './publication.ts'
import { pathwaysInUse } from './stream-balance.ts'
import { testObjects } from './test-objects.ts'

/** Where an organisation's CDNs are probed: each once, through one of its domains. Key: organisation id. */
export async function buildProbeTargets(tx: Tx, key: string, config: Config): Promise<Built> {
  const measured = (await testObjects(tx, key, config)).map(
    ({ cdnId, house, host, address, port, path, others }): ProbeTarget => ({
      cdnId,
      host,
      address,
      port,
      path,
      tls: false,
      house,
      ...(house ? {} : { page: true }),
      ...(others.length > 0 ? { others } : {}),
    }),
  )
  const targets = [...measured, ...(await pathwayTargets(tx, key, config, new Set(measured.map(({ cdnId }) => cdnId))))]
  const content = (version: number): ProbeTargets => ({ organizationId: key, version, targets })
  const version = await contentVersion(tx, 'probe-targets', key, content)
  return { version, organizationId: key, body: content(version) }
}

/** Probes go out every second: nobody has more of them sent to hosts of a balancer. */
const PATHWAYS_PROBED = 50

/**
 * Pathways of videos that are not probed as CDNs of a site: our own test object, which another CDN fetches from us and
 * keeps, so that its life does not hang on ours.
 */
async function pathwayTargets(
  tx: Tx,
  organizationId: string,
  config: Config,
  probed: ReadonlySet<string>,
): Promise<ProbeTarget[]> {
  const entries = (await pathwaysInUse(tx, organizationId, config)).filter(({ pathway }) => !probed.has(pathway))
  const simulated = await tx.query<{ slug: string; address: string }>('SELECT slug, address FROM simulated_cdn')
  return entries.slice(0, PATHWAYS_PROBED).map(({ pathway, host, cdn, isHouse }) => ({
    cdnId: pathway,
    host,
    address: isHouse
      ? (simulated.find(({ slug }) => cdn?.driver === 'simulated' && slug === cdn.slug)?.address ?? edgeHost(config))
      : null,
    port: config.edgeHttp.port,
    tls: false,
    path: isHouse ? EDGE_PATHS.test : EDGE_PATHS.kept,
    house: isHouse,
  }))
}
