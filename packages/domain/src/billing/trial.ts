const DAY_MS = 86_400_000

export type TrialTerms = {
  startedAt: number | null
  days: number
  creditLeftMinor: number
  /** Usage of the running month that no invoice has taken yet. */ openMinor: number
}
export type TrialState = {
  over: 'days' | 'credit' | null
  endsAt: number | null
  daysLeft: number
  creditLeftMinor: number
}

/**
 * A trial ends with its days or with its credit, whichever comes first. Without days it lasts as long as the credit.
 */
export function trialState({ startedAt, days, creditLeftMinor, openMinor }: TrialTerms, now: number): TrialState {
  const endsAt = startedAt === null || days === 0 ? null : startedAt + days * DAY_MS
  const remaining = Math.max(0, creditLeftMinor - openMinor)
  const over =
    endsAt !== null && now >= endsAt ? 'days' : startedAt !== null && openMinor > 0 && remaining === 0 ? 'credit' : null
  return {
    over,
    endsAt,
    daysLeft: endsAt === null ? days : Math.max(0, Math.ceil((endsAt - now) / DAY_MS)),
    creditLeftMinor: remaining,
  }
}
