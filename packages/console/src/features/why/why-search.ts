import { z } from 'zod'

/**
 * What opens the Why panel, and makes it shareable: the visitor's address, and the host name asked for when the page
 * does not say it.
 */
export const WhySearch = z.object({
  why: z.string().max(64).optional().catch(undefined),
  whyName: z.string().max(253).optional().catch(undefined),
})
export type WhySearch = z.infer<typeof WhySearch>
