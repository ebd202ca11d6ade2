import { demDecisions, demPerformance } from '@fairway/analytics'
import { analyticsDem } from '@fairway/contract'
import { askStore } from '../../http/ask-store.ts'
import { slice } from '../../http/register.ts'
import { marksOf } from './marks.ts'
import { cdnsOfDomain } from './store.ts'
import { viewVerbs } from './views.ts'
import { weeklyVerbs } from './weekly-report.ts'

export const analyticsDemSlice = slice(analyticsDem, {
  ...viewVerbs,
  ...weeklyVerbs,

  async performance(context, { seconds, until, country, source, domain }) {
    const { tx, actor, services, now } = context
    // What is measured is a CDN, not a domain: a domain's figures are those of its CDNs.
    const cdnIds = domain === undefined ? undefined : await cdnsOfDomain(tx, domain)
    const report = await askStore(
      demPerformance(services.events, {
        organizationId: actor.organizationId,
        source,
        cdnIds,
        country,
        seconds,
        until,
        now: now.getTime(),
      }),
    )
    return { ...report, marks: await marksOf(context, seconds, until, cdnIds) }
  },

  async decisions(context, { seconds, until, country, domain }) {
    const { tx, actor, services, site, now } = context
    const cdnIds = domain === undefined ? undefined : await cdnsOfDomain(tx, domain)
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
    return { ...report, marks: await marksOf(context, seconds, until, cdnIds) }
  },
})
