import { z } from 'zod'

export const DETAIL_TABS = ['introduction', 'installed', 'rates'] as const

export const OpenPowerUp = {
  open: z.string().max(60).optional().catch(undefined),
  tab: z.enum(DETAIL_TABS).optional().catch(undefined),
}
