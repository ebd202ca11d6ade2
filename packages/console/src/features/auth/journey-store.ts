import { z } from 'zod'

const KEY = 'fairway.openid'
const Journey = z.object({ intent: z.enum(['login', 'signup', 'connect']), next: z.string().optional() })

/** Why this tab left for Google, for when it comes back. */
export function keepJourney(journey: z.infer<typeof Journey>): void {
  sessionStorage.setItem(KEY, JSON.stringify(journey))
}

export function takeJourney(): z.infer<typeof Journey> {
  const text = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  const parsed = Journey.safeParse(text === null ? null : JSON.parse(text))
  return parsed.success ? parsed.data : { intent: 'login' }
}
