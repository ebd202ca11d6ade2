/** An organisation that its owner closes is served for so many days more, in which it can be taken back. */
const CLOSES_AFTER_DAYS = 7
/** Whoever closed an organisation is written to about its last invoices for so long, and is forgotten then. */
export const LAST_LETTERS_DAYS = 62
/** What stands where the name or the address of somebody stood whose account is deleted. */
export const ERASED_PERSON = 'deleted account'

const DAY_MS = 86_400_000

export const closesAt = (now: Date): Date => new Date(now.getTime() + CLOSES_AFTER_DAYS * DAY_MS)

/**
 * Why an organisation cannot be closed: one that holds an operator is the house's own, and customers must not lose the
 * people who look after them.
 */
export const closingProblem = (its: { holdsOperator: boolean; lookedAfter: number }): 1486 | 1487 | null =>
  its.holdsOperator ? 1487 : its.lookedAfter > 0 ? 1486 : null
