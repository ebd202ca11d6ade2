import type { Site } from '@fairway/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { siteRead } from '../../shell/scope/scope.ts'

export type Draft = { site: Site; search: { zone_id: string; zone_name: string } }

/** The site of the step that the address names; its loader has made sure that there is one. */
export function useDraft(): Draft {
  const { zone_id } = useSearch({ strict: false })
  if (zone_id === undefined) throw new Error('useDraft is for steps of a site')
  const site = useSuspenseQuery(siteRead(zone_id)).data.data.find(({ id }) => id === zone_id)
  if (!site) throw new Error('useDraft is for steps of a site')
  return { site, search: { zone_id: site.id, zone_name: site.domainName } }
}
