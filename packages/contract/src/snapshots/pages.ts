import { z } from 'zod'

export const PageLanguage = z.enum(['en', 'zhHant', 'zhHans'])
export type PageLanguage = z.infer<typeof PageLanguage>

/** Pages that the edge shows in a website's name: a site's own, or a brand's. */
export const EdgePages = z.object({
  organizationId: z.string().nullable(),
  version: z.int(),
  pages: z.array(
    z.object({
      /** What domains name it by. */
      key: z.string(),
      /** Its text by language, or under `any` when there is one for all. */
      texts: z.partialRecord(z.enum(['any', ...PageLanguage.options]), z.string()),
    }),
  ),
})
export type EdgePages = z.infer<typeof EdgePages>
