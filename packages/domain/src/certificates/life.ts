import type { CertificateStatus, IssueStep } from '@fairway/contract'

const DAY_MS = 86_400_000
const EXPIRING_MS = 30 * DAY_MS
/** People are told so many days before a certificate ends. */
const NOTICE_DAYS = [1, 7, 14, 30] as const

export type Life = {
  notAfter: number | null
  step: IssueStep | null
  hindrance: 'waiting' | 'failed' | null
  isRemoved: boolean
  renewsItself: boolean
  /** Nodes have confirmed one: while it is renewed, the one before. */
  isServed: boolean
}

/** The status that people see, from what is known. Times are epoch ms. */
export function certificateStatus(
  { notAfter, step, hindrance, isRemoved, renewsItself, isServed }: Life,
  now: number,
): CertificateStatus {
  if (isRemoved) return 'deleting'
  if (notAfter !== null && notAfter <= now) return 'expired'
  if (notAfter === null || !isServed)
    return hindrance === 'failed'
      ? 'inactive'
      : hindrance === 'waiting'
        ? 'waiting'
        : step === null
          ? 'inactive'
          : 'issuing'
  // Nodes refuse the one that was renewed: what they serve is the one before, whose end is near.
  if (step === 'deploy' && hindrance === 'failed') return 'expiring'
  const renewing = renewsItself && hindrance !== 'failed'
  return notAfter - now < EXPIRING_MS && !renewing ? 'expiring' : 'active'
}

/**
 * When to renew: in the middle of the window that the authority suggests (RFC 9773 4.2), else at two thirds of the
 * life. Times are epoch ms.
 */
export function renewalAt(
  life: { notBefore: number; notAfter: number },
  suggested: { start: number; end: number } | null,
): number {
  return suggested ? (suggested.start + suggested.end) / 2 : life.notBefore + ((life.notAfter - life.notBefore) * 2) / 3
}

/**
 * The notice that is due: the shortest term that has been passed, in days, 0 when it has expired; null when that was
 * told already or none is due.
 * One that renews itself unhindered is told of on its last day only: letters about what mends itself teach people not
 * to read them.
 */
export function noticeDue(
  { notAfter, hindrance, renewsItself }: Pick<Life, 'hindrance' | 'renewsItself'> & { notAfter: number },
  toldDays: number | null,
  now: number,
): number | null {
  const terms = renewsItself && hindrance === null ? NOTICE_DAYS.slice(0, 1) : NOTICE_DAYS
  const due = notAfter <= now ? 0 : (terms.find((days) => notAfter - now <= days * DAY_MS) ?? null)
  return due !== null && (toldDays === null || due < toldDays) ? due : null
}

/** Milliseconds until an order is tried again after so many failures. */
export function orderBackOffMs(attempts: number): number {
  return Math.min(6 * 3_600_000, 60_000 * 5 ** Math.max(0, attempts - 1))
}
