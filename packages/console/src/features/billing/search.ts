import { z } from 'zod'

export const BILLING_TABS = ['invoice', 'payment', 'plan'] as const

export type BillingTab = (typeof BILLING_TABS)[number]

export const isBillingTab = (text: string | undefined): text is BillingTab => BILLING_TABS.some((tab) => tab === text)

export const BillingSearch = z.object({
  status: z.enum(['posted', 'unpaid', 'paid']).optional().catch(undefined),
  /** The open invoice. */
  invoice: z.string().max(60).optional().catch(undefined),
  month: z.literal('previous').optional().catch(undefined),
})
export type BillingSearch = z.infer<typeof BillingSearch>

export const ChosenPlanSearch = z.object({ plan: z.string().max(60).optional().catch(undefined) })
