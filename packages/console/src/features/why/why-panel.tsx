import { useSearch } from '@tanstack/react-router'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import type { WhyPanelProps } from './why-drawer.tsx'
import { WhySearch } from './why-search.ts'

const WhyDrawer = onDemand(async () => (await import('./why-drawer.tsx')).WhyDrawer)

/**
 * *Why this CDN?* for a visitor: opened by `?why=<address>` of the page (whose search schema takes in `WhySearch`), so
 * the address bar can be shared.
 * The node that answers DNS is asked, so it says what a visitor gets.
 */
export function WhyPanel(props: WhyPanelProps) {
  const { why } = WhySearch.parse(useSearch({ strict: false }))
  return <WhyDrawer {...props} opened={why !== undefined} />
}
