import { demDecisions, demPerformance } from '@fairway/analytics'
import { analyticsDem } from '@fairway/contract'
import { askStore } from '../../http/ask-store.ts'
import { slice } from '../../http/register.ts'
import { marksOf } from './marks.ts'

export const analyticsDemSlice = slice(analyticsDem, {
  async performance(context, { seconds, until, country, source }) {
    const { actor, services, now } = context
    const report = await askStore(
      demPerformance(services.events, {
        organizationId: actor.organizationId,
        source,
        country,
        seconds,
        until,
        now: now.getTime(),
      }),
    )
    return { ...report, marks: await marksOf(context, seconds, until) }
  },

  async decisions(context, { seconds, until, country, domain }) {
    const { actor, services, site, now } = context
    const report = await askStore(
      demDecisions(services.events, {
        organizationId: actor.organizationId,
        siteId: site.id,
        domainId: domain,
        country,
        seconds,
        until,
        now: now.getTime(),
      }),
    )
    return { ...report, marks: await marksOf(context, seconds, until) }
  },
})
