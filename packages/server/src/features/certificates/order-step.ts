import type { CertificateDetails, ChallengeType, IssueStep } from '@fairway/contract'
import {
  AuthorityAway,
  AuthorityRefusal,
  type AcmeAccount,
  type CertificateAuthority,
  type Challenge,
} from '@fairway/drivers'
import { challengeFor, orderBackOffMs, renewalAt } from '@fairway/domain'
import type { CertificateRow } from './store.ts'

/** What one look at an order led to. `again` is when to look next, ms from now. */
export type Step =
  | { to: 'publish'; orderUrl: string; challenge: ChallengeType; challenges: Challenge[] }
  | { to: 'validate' }
  | { to: 'stay'; again: number }
  | { to: 'deploy'; chainPem: string; details: CertificateDetails; renewAt: Date }
  /** Not now: the order starts afresh then. */
  | { to: 'later'; hindrance: 'waiting' | 'failed'; problem: string; at: Date | null }

export type StepNeeds = {
  row: CertificateRow
  authority: CertificateAuthority
  account: () => Promise<AcmeAccount>
  keyPem: string
  /** Has every name server, or edge node, that is there confirmed the version with the challenges? */
  isPublished: () => Promise<boolean>
  detailsOf: (chainPem: string) => CertificateDetails
  now: Date
}

const POLL_MS = { publish: 200, order: 1000 }
/** An order that has not come to an end by then is given up, and begun afresh later. */
const ORDER_LONGEST_MS = 30 * 60_000
const GIVE_UP_AFTER = 8

/**
 * Takes an order one step further. Each step may be repeated after a crash: what the authority has done already, it
 * says.
 */
export async function orderStep(needs: StepNeeds): Promise<Step> {
  const { row, now } = needs
  try {
    if (row.order_began_at && now.getTime() - row.order_began_at.getTime() > ORDER_LONGEST_MS)
      throw new AuthorityRefusal('The order did not come to an end within 30 minutes.', {
        isLimit: false,
        retryAt: null,
      })
    return await STEPS[row.step === 'publish' || row.step === 'validate' ? row.step : 'order'](needs)
  } catch (error) {
    if (error instanceof AuthorityAway)
      return { to: 'stay', again: Math.min(60_000, 2_000 * 2 ** Math.min(row.attempts, 5)) }
    if (error instanceof AuthorityRefusal) return refused(error, row, now)
    throw error
  }
}

const STEPS: Record<Extract<IssueStep, 'order' | 'publish' | 'validate'>, (needs: StepNeeds) => Promise<Step>> = {
  async order({ row, authority, account }) {
    // Looked at with each order: a zone may have come to our name servers since the last one, or left them.
    const challenge = challengeFor(row.names, {
      chosen: row.chosen_challenge,
      isVerified: row.dns_state === 'verified',
    })
    const { url, challenges } = await authority.order(await account(), row.names, challenge)
    return { to: 'publish', orderUrl: url, challenge, challenges }
  },

  async publish({ row, authority, account, isPublished }) {
    if (!(await isPublished())) return { to: 'stay', again: POLL_MS.publish }
    await authority.challengesAreMet(await account(), row.order_url ?? '', row.challenge ?? 'dns-01')
    return { to: 'validate' }
  },

  async validate({ row, authority, account, keyPem, detailsOf }) {
    const own = await account()
    const url = row.order_url ?? ''
    const { state, problem } = await authority.state(own, url)
    if (state === 'invalid')
      throw new AuthorityRefusal(problem ?? 'The authority has ended the order.', { isLimit: false, retryAt: null })
    if (state === 'ready') await authority.finalize(own, url, row.names, keyPem)
    if (state !== 'valid') return { to: 'stay', again: state === 'ready' ? 0 : POLL_MS.order }
    const chainPem = await authority.chain(own, url)
    const details = detailsOf(chainPem)
    const window = await authority.renewalWindow(chainPem).catch(() => null)
    return {
      to: 'deploy',
      chainPem,
      details,
      renewAt: new Date(
        renewalAt({ notBefore: Date.parse(details.notBefore), notAfter: Date.parse(details.notAfter) }, window),
      ),
    }
  },
}

function refused({ message, isLimit, retryAt }: AuthorityRefusal, row: CertificateRow, now: Date): Step {
  const attempts = row.attempts + 1
  const again = new Date(retryAt ?? now.getTime() + orderBackOffMs(attempts))
  if (isLimit) return { to: 'later', hindrance: 'waiting', problem: message, at: again }
  // What is served now is renewed until it ends; a first order that keeps failing waits for a person.
  const isHopeless = attempts >= GIVE_UP_AFTER && row.chain_pem === null
  return { to: 'later', hindrance: 'failed', problem: message, at: isHopeless ? null : again }
}
