import type { Keyed } from '@fairway/edge-lua'
import { type Config, memoryOfMachine } from '@fairway/platform'

const MB = 1_048_576
/** Workers read a document whole while their visitors wait. */
const LARGEST_DOCUMENT = 4 * MB
/** From here on nothing more is taken: what was taken has to fit again after a start, in whatever order. */
const FULL = 0.9
/** Purges, certificates and their orders are taken where settings are not any more: who is full still needs them. */
const URGENT = /^(?:purge|tls|sni|challenge):/
const URGENT_SHARE = 1.25
const URGENT_FULL = 0.95

/** What an organisation, or the house, changes of what is held. */
type Claim = { owner: string | null; documents: readonly Keyed<object>[]; removed: readonly string[] }

/** Counts what lies in the memory that all customers' documents share, and says what has no room there. */
export type PolicyRoom = {
  /** Bytes of all that is held. */
  bytes(): number
  /** Takes changes into account that nginx has. */
  take(claim: Claim): void
  /** Why these may not be taken together, as a sentence; null when they may. What makes something smaller always may. */
  refusal(claims: readonly Claim[], room: { sizeMb: number; sharePercent: number }): string | null
}

export function policyRoom(): PolicyRoom {
  const held = new Map<string, { owner: string | null; bytes: number }>()
  const ofOwner = new Map<string | null, number>()
  let total = 0
  const put = (key: string, owner: string | null, bytes: number) => {
    drop(key)
    held.set(key, { owner, bytes })
    ofOwner.set(owner, (ofOwner.get(owner) ?? 0) + bytes)
    total += bytes
  }
  const drop = (key: string) => {
    const was = held.get(key)
    if (!was) return
    held.delete(key)
    total -= was.bytes
    const left = (ofOwner.get(was.owner) ?? 0) - was.bytes
    if (left > 0) ofOwner.set(was.owner, left)
    else ofOwner.delete(was.owner)
  }
  return {
    bytes: () => total,
    take({ owner, documents, removed }) {
      for (const key of removed) drop(key)
      for (const one of documents) put(one.key, owner, bytesOf(one))
    },
    refusal(claims, { sizeMb, sharePercent }) {
      const more = new Map<string | null, number>()
      const add = (owner: string | null, bytes: number) => more.set(owner, (more.get(owner) ?? 0) + bytes)
      for (const { owner, documents, removed } of claims) {
        for (const one of documents) {
          const bytes = bytesOf(one)
          if (bytes > LARGEST_DOCUMENT)
            return `${one.key} takes ${amount(bytes)} of an edge's memory; ${amount(LARGEST_DOCUMENT)} is the most`
          add(owner, bytes)
        }
        for (const key of new Set([...documents.map((one) => one.key), ...removed])) {
          const was = held.get(key)
          if (was) add(was.owner, -was.bytes)
        }
      }
      const isUrgent = claims.every(({ documents }) => documents.every(({ key }) => URGENT.test(key)))
      const share = ((sizeMb * MB * sharePercent) / 100) * (isUrgent ? URGENT_SHARE : 1)
      let all = total
      for (const [owner, bytes] of more) {
        all += bytes
        const own = (ofOwner.get(owner) ?? 0) + bytes
        if (owner !== null && bytes > 0 && own > share)
          return `All that this organisation has set takes ${amount(own)} of an edge's memory; ${amount(share)} is its share`
      }
      return all > total && all > sizeMb * MB * (isUrgent ? URGENT_FULL : FULL)
        ? `The edge has no room for more settings: ${amount(total)} of ${sizeMb} MB are taken (FAIRWAY_EDGE_POLICIES_MB)`
        : null
    },
  }
}

const amount = (bytes: number): string => `${(bytes / MB).toFixed(1)} MB`

/** Shared memory for what customers have set, in MB: never less than what was taken before needs. */
export function policiesMb(
  { edgePoliciesMb }: Pick<Config, 'edgePoliciesMb'>,
  heldBytes: number,
  machineBytes = memoryOfMachine().totalBytes,
): number {
  const wanted = edgePoliciesMb || Math.max(128, Math.floor(machineBytes / 16 / MB))
  return Math.max(wanted, Math.ceil(heldBytes / FULL / MB))
}

const measured = new WeakMap<object, number>()

/** What a document takes of nginx's shared memory: its text and its stamp, each in a slot of the allocator. */
export function bytesOf({ key, stamp, document }: Keyed<object>): number {
  let bytes = measured.get(document)
  if (bytes === undefined) {
    const text = JSON.stringify(document)
    // The encoder there writes a stroke as two.
    bytes = slotOf(key.length + 5 + Buffer.byteLength(text) + (text.split('/').length - 1))
    measured.set(document, bytes)
  }
  return bytes + slotOf(key.length + 6 + stamp.length)
}

const ENTRY_BYTES = 80
/** Below half a page powers of two, beyond that whole pages. */
function slotOf(bytes: number): number {
  const whole = bytes + ENTRY_BYTES
  return whole <= 2048 ? 2 ** Math.ceil(Math.log2(whole)) : Math.ceil(whole / 4096) * 4096
}
