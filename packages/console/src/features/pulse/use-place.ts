import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { PulseTab, SnippetWay } from './search.ts'

type Search = { tab?: PulseTab | undefined; way?: SnippetWay | undefined }

/** The two screens stand below a site and without one; what is chosen on them is in the address of both. */
export function usePlace() {
  const { site, domain } = useParams({ strict: false })
  const { tab, way }: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  return {
    site,
    tab: tab ?? 'dynamic',
    way: way ?? 'script',
    choose: (change: Search) =>
      void navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace: true }),
    link: (page: 'pulse' | 'add-beacon-code', search: Search = {}) =>
      site === undefined
        ? ({ to: page === 'pulse' ? '/dem/pulse' : '/dem/pulse/add-beacon-code', search } as const)
        : ({
            to: page === 'pulse' ? '/$site/{-$domain}/dem/pulse' : '/$site/{-$domain}/dem/pulse/add-beacon-code',
            params: { site, domain },
            search,
          } as const),
  }
}
