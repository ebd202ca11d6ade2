import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import type { Domain, Site } from '@fairway/contract'
import { useState } from 'react'
import { domainsRead, siteToOpenRead } from '../../shell/scope/scope.ts'
import type { Place } from '../routing-strategies/strategies-read.ts'

export type Watched = {
  site: Site | undefined
  domains: readonly Domain[]
  domain: Domain | undefined
  place: Place | null
  choose: (id: string) => void
}

/** The steered domain whose visitors are watched: of the site used last its main name, unless another is chosen. */
export function useWatchedDomain(): Watched {
  const site = useSuspenseQuery(siteToOpenRead(useQueryClient())).data ?? undefined
  const { data } = useQuery({ ...domainsRead(site?.id ?? ''), enabled: site !== undefined })
  const [chosen, choose] = useState<string | null>(null)
  const domains = (data?.data ?? []).filter(({ cdnIds }) => cdnIds.length > 0)
  const domain =
    domains.find(({ id }) => id === chosen) ??
    domains.find(({ name }) => name === `www.${site?.domainName}` || name === site?.domainName) ??
    domains[0]
  return { site, domains, domain, place: site && domain ? { site: site.id, domain: domain.id } : null, choose }
}
