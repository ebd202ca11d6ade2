import { z } from 'zod'

export const PULSE_TABS = ['dynamic', 'static'] as const
export type PulseTab = (typeof PULSE_TABS)[number]
export const SNIPPET_WAYS = ['script', 'tagManager', 'npm'] as const
export type SnippetWay = (typeof SNIPPET_WAYS)[number]

export const PulseSearch = z.object({ tab: z.enum(PULSE_TABS).optional().catch(undefined) })
export const SnippetSearch = PulseSearch.extend({ way: z.enum(SNIPPET_WAYS).optional().catch(undefined) })
