import { z } from 'zod'

/** The disk that holds a node's home. `scarce`: it refuses what can wait; `full`: an API there refuses changes. */
export const DISK_LEVELS = ['enough', 'scarce', 'full'] as const
const Bytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
export const NodeDisk = z.object({ freeBytes: Bytes, totalBytes: Bytes, level: z.enum(DISK_LEVELS) })
export type NodeDisk = z.infer<typeof NodeDisk>
