import { type CdnDriver, type DriverContext, type Observation, TryLater } from './driver.ts'

type EdgeVerbs = Pick<CdnDriver, 'create' | 'observe' | 'apply' | 'remove' | 'purge'>

/**
 * How everything lives that our own edge nodes serve: it is there when they have acknowledged it. `also` asks for what
 * else must be there.
 */
export function onTheEdge(
  driver: () => Pick<CdnDriver, 'capabilities' | 'purgesPerMinute'>,
  also: (context: DriverContext, slug: string) => Promise<Observation> = async () => ({ state: 'operational' }),
): EdgeVerbs {
  const publish: CdnDriver['create'] = async (context, { siteId, domainId }) => {
    await context.publishToEdge(siteId, domainId, true)
  }
  return {
    create: publish,
    apply: publish,
    async observe(context, { siteId, domainId, version, slug }) {
      if (!(await context.edgeHolds(siteId, domainId))) return { state: 'gone' }
      const site = observationOf(await context.edgeAcknowledged(siteId, version))
      return site.state === 'operational' ? also(context, slug) : site
    },
    async purge(context, { domainId, cdnId, slug }, { kind, version }) {
      const perMinute = driver().purgesPerMinute(slug)
      const pauseMs = perMinute === null ? 0 : await context.purgePauseMs(cdnId, perMinute)
      if (pauseMs > 0) throw new TryLater(`It takes ${perMinute} purges a minute`, pauseMs)
      const said = await context.purgesAcknowledged(domainId, version)
      if (said.state === 'confirmed')
        return { state: 'done', everything: kind === 'tag' && !driver().capabilities(slug).purgeTag }
      return said.state === 'waiting' ? { state: 'in-progress', why: said.why } : { state: 'failed', why: said.why }
    },
    async remove(context, { siteId, domainId }) {
      const version = await context.publishToEdge(siteId, domainId, false)
      return (await context.edgeAcknowledged(siteId, version)).state === 'confirmed' ? 'done' : 'in-progress'
    },
  }
}

/** What nodes have acknowledged, as a state of the CDN. */
export function observationOf(acknowledged: Awaited<ReturnType<DriverContext['edgeAcknowledged']>>): Observation {
  if (acknowledged.state === 'confirmed') return { state: 'operational' }
  return acknowledged.state === 'waiting'
    ? { state: 'deploying', detail: acknowledged.why }
    : { state: 'failed', detail: acknowledged.why }
}
