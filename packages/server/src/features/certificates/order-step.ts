import type { CertificateDetails } from '@fairway/contract'
import {
  AuthorityAway,
  AuthorityRefusal,
  type AcmeAccount,
  type CertificateAuthority,
  type Challenge,
  type ProofType,
} from '@fairway/drivers'
import { orderBackOffMs, renewalAt } from '@fairway/domain'
import type { CertificateRow } from './store.ts'

/** What one look at an order led to. `again` is when to look next, ms from now; `away` why nobody could be asked. */
export type Step<P extends ProofType> =
  | { to: 'publish'; orderUrl: string; challenge: P; challenges: Extract<Challenge, { type: P }>[] }
  | { to: 'validate' }
  | { to: 'stay'; again: number; away?: string }
  | { to: 'deploy'; chainPem: string; details: CertificateDetails; renewAt: Date }
  /** Not now: the order starts afresh then. `heldUntil`: nor does the authority take others of the account before. */
  | { to: 'later'; hindrance: 'waiting' | 'failed'; problem: string; at: Date | null; heldUntil?: Date }

/** What of an order's row its steps go by. */
export type OrderRow = Pick<
  CertificateRow,
  'names' | 'step' | 'order_url' | 'order_began_at' | 'attempts' | 'chain_pem'
>

export type StepNeeds<P extends ProofType> = {
  row: OrderRow
  /** How a new order is proven, and the one under way is. */
  proof: { next: P; current: P }
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
/** How long all orders wait for a limit of the account where the authority does not say. */
const HELD_MS = 5 * 60_000
/** Authorities count no limit over more than a week; one that says a later day is asked again by then. */
const LIMIT_LONGEST_MS = 7 * 86_400_000

/**
 * Takes an order one step further. Each step may be repeated after a crash: what the authority has done already, it
 * says.
 */
export async function orderStep<P extends ProofType>(needs: StepNeeds<P>): Promise<Step<P>> {
  const { row, now } = needs
  try {
    if (row.order_began_at && now.getTime() - row.order_began_at.getTime() > ORDER_LONGEST_MS)
      throw new AuthorityRefusal('The order did not come to an end within 30 minutes.', {
        isLimit: false,
        retryAt: null,
      })
    if (row.step === 'publish') return await publishStep(needs)
    return await (row.step === 'validate' ? validateStep(needs) : newOrder(needs))
  } catch (error) {
    if (error instanceof AuthorityAway)
      return { to: 'stay', again: Math.min(60_000, 2_000 * 2 ** Math.min(row.attempts, 5)), away: error.message }
    if (error instanceof AuthorityRefusal) return refused(error, row, now)
    throw error
  }
}

async function newOrder<P extends ProofType>({ row, proof, authority, account }: StepNeeds<P>): Promise<Step<P>> {
  const { url, challenges } = await authority.order(await account(), row.names, proof.next, row.chain_pem)
  return { to: 'publish', orderUrl: url, challenge: proof.next, challenges }
}

async function publishStep<P extends ProofType>(needs: StepNeeds<P>): Promise<Step<P>> {
  const { row, proof, authority, account, isPublished } = needs
  if (!(await isPublished())) return { to: 'stay', again: POLL_MS.publish }
  await authority.challengesAreMet(await account(), row.order_url ?? '', proof.current)
  return { to: 'validate' }
}

async function validateStep<P extends ProofType>(needs: StepNeeds<P>): Promise<Step<P>> {
  const { row, authority, account, keyPem, detailsOf } = needs
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
  const life = { notBefore: Date.parse(details.notBefore), notAfter: Date.parse(details.notAfter) }
  return { to: 'deploy', chainPem, details, renewAt: new Date(renewalAt(life, window)) }
}

function refused({ message, isLimit, retryAt, isOfAccount }: AuthorityRefusal, row: OrderRow, now: Date): Step<never> {
  const attempts = row.attempts + 1
  const again = new Date(
    retryAt === null ? now.getTime() + orderBackOffMs(attempts) : Math.min(retryAt, now.getTime() + LIMIT_LONGEST_MS),
  )
  if (isLimit) {
    // Others do not wait for how often this one has failed.
    const heldUntil = isOfAccount ? { heldUntil: new Date(retryAt ?? now.getTime() + HELD_MS) } : {}
    return { to: 'later', hindrance: 'waiting', problem: message, at: again, ...heldUntil }
  }
  // What is served now is renewed until it ends; a first order that keeps failing waits for a person.
  const isHopeless = attempts >= GIVE_UP_AFTER && row.chain_pem === null
  return { to: 'later', hindrance: 'failed', problem: message, at: isHopeless ? null : again }
}
