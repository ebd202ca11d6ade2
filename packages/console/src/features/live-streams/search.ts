import { z } from 'zod'

export const SimulationSearch = z.object({ stream: z.string().max(64).optional().catch(undefined) })

/** Tabs of a live stream's page, as its address has them. */
export const TABS = ['preview', 'recordings', 'balancer', 'peers', 'install', 'code'] as const
