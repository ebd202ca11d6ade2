import type { ReactNode } from 'react'

/** What both ways to a new certificate are given: the site, what stands above the fields, and what follows. */
export type FormProps = {
  site: { id: string; domainName: string }
  before: ReactNode
  opened: boolean
  onClose: () => void
  onMade: (id: string) => void
}
