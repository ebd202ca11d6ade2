import { z } from 'zod'

/** ISO 4217 code. */
export const Currency = z.string().regex(/^[A-Z]{3}$/, 'validation.regex')

/** An amount in the currency's smallest unit: 4900 is USD 49.00, and JPY 4,900. */
export const MinorAmount = z.int()

/** Text in each language of the product. */
export const LocalText = z.object({
  en: z.string().trim().min(1).max(200),
  zhHant: z.string().trim().min(1).max(200),
  zhHans: z.string().trim().min(1).max(200),
})
export type LocalText = z.infer<typeof LocalText>
