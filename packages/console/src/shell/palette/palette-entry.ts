import type { IconMoon } from '@tabler/icons-react'

export type PaletteEntry = {
  /** Stable between visits: it is what *recent* remembers. */
  id: string
  group: 'actions' | 'pages' | 'records' | 'sites' | 'domains'
  label: string
  hint: string
  /** More words to find it by. */
  words?: string
  icon?: typeof IconMoon
  run: () => void
}
