import type { SignedIn } from '@fairway/contract'
import { z } from 'zod'

const KEY = 'fairway.second-step'
const Pending = z.object({
  ticket: z.string(),
  methods: z.array(z.enum(['totp', 'recovery', 'passkey'])),
  next: z.string().optional(),
})

/**
 * A sign-in whose second step is open: kept for this tab only, so that a reload does not begin anew. It proves no more
 * than the password did.
 */
export type PendingStep = z.infer<typeof Pending>

export function keepStep({ ticket, methods }: Pick<SignedIn, 'ticket' | 'methods'>, next: string | undefined): void {
  if (ticket !== null) sessionStorage.setItem(KEY, JSON.stringify({ ticket, methods, next }))
}

export function pendingStep(): PendingStep | null {
  try {
    return Pending.parse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'))
  } catch {
    return null
  }
}

export function forgetStep(): void {
  sessionStorage.removeItem(KEY)
}
