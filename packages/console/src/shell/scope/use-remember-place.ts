import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { domainEntryId, rememberEntry } from '../palette/recent.ts'

/** The domains that were worked on last are the first that the palette offers. */
export function useRememberPlace(): void {
  const { site, domain } = useParams({ strict: false })
  useEffect(() => {
    if (site !== undefined && domain !== undefined && domain !== 'all' && domain !== 'no-domain')
      rememberEntry(domainEntryId(site, domain))
  }, [site, domain])
}
