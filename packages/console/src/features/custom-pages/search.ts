import { z } from 'zod'

export const PagesSearch = z.object({
  tab: z.enum(['pages', 'domains']).optional().catch(undefined),
  search: z.string().max(200).optional().catch(undefined),
  sort: z.string().max(40).optional().catch(undefined),
  /** The page that is open. */
  show: z.uuid().optional().catch(undefined),
  /** What is open of it: its text, what visitors see, or what it was before. */
  part: z.enum(['text', 'preview', 'history']).optional().catch(undefined),
  /** The drawer for a new page is open. */
  add: z.boolean().optional().catch(undefined),
  /** The domain whose pages are chosen. */
  use: z.uuid().optional().catch(undefined),
  /** The brand's own pages are shown. */
  brand: z.boolean().optional().catch(undefined),
})
