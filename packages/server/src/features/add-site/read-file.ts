import type { addSite, RouteOutput } from '@fairway/contract'
import { readZoneFile, targetName } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { recordPlanOf } from '../plans/maxima.ts'
import { addFound } from './found-store.ts'
import { refusePublished } from './publish-draft.ts'
import { toReview } from './scan/scan-site.ts'

/**
 * An uploaded zone file is the sure way: what the old server's owner exports is the whole zone. A file with an error
 * adds nothing.
 */
export async function readFile(
  context: Context,
  { text }: { text: string },
): Promise<RouteOutput<typeof addSite.routes.readFile>> {
  const { tx, actor, site } = context
  await refusePublished(context)
  const { records, errors } = readZoneFile(text, site.domain_name)
  if (errors.length) return { added: 0, known: 0, errors }
  const raw = records.map(({ name, type, ttlSeconds, rdata }) => ({ name: targetName(name), type, ttlSeconds, rdata }))
  const review = toReview(raw, site.domain_name, await recordPlanOf(tx, actor.organizationId))
  const added = await addFound(tx, { organizationId: actor.organizationId, siteId: site.id }, review, 'file')
  return { added, known: review.length - added, errors: [] }
}
