import { isAddress } from '../policy/host-text.ts'

export type Balance = 'failover' | 'round-robin' | 'ip-hash'

/**
 * The addresses to try, in turn: names replaced by what they resolve to, arranged as the domain wants (`turn` counts
 * requests, `client` is the visitor's address),
 * those that failed a moment ago last (not left out: when all have failed, one of them may be back), the fallback after
 * all of them.
 */
export function originOrder(
  addresses: string[],
  fallback: string,
  balance: Balance,
  turn: number,
  client: string,
  resolve: (name: string) => string[] | undefined,
  failedLately: (address: string) => boolean,
): string[] {
  const peers: string[] = []
  for (const address of addresses)
    for (const peer of peersOf(address, resolve)) if (!peers.includes(peer)) peers.push(peer)
  const good: string[] = []
  const doubtful: string[] = []
  for (const peer of arranged(peers, balance, turn, client)) {
    if (failedLately(peer)) doubtful.push(peer)
    else good.push(peer)
  }
  if (fallback !== '') for (const peer of peersOf(fallback, resolve)) if (!peers.includes(peer)) good.push(peer)
  for (const peer of doubtful) good.push(peer)
  return good
}

function peersOf(address: string, resolve: (name: string) => string[] | undefined): string[] {
  return isAddress(address) ? [address] : (resolve(address) ?? [])
}

export function arranged(peers: string[], balance: Balance, turn: number, client: string): string[] {
  if (balance === 'failover' || peers.length < 2) return peers
  if (balance === 'round-robin') {
    const start = turn % peers.length
    return [...peers.slice(start), ...peers.slice(0, start)]
  }
  return byRendezvous(peers, client)
}

/** Rendezvous hashing: each visitor has its own order of the peers, so one that leaves moves only its own visitors. */
function byRendezvous(peers: string[], client: string): string[] {
  const left = [...peers]
  const order: string[] = []
  while (left.length > 0) {
    let best = 0
    let bestScore = -1
    for (let i = 0; i < left.length; i++) {
      const score = mix(`${client} ${left[i] ?? ''}`)
      if (score > bestScore) {
        best = i
        bestScore = score
      }
    }
    order.push(...left.splice(best, 1))
  }
  return order
}

/** A hash in 31 bits whose steps stay below 2^53, so that Lua's numbers and JavaScript's agree. */
function mix(text: string): number {
  let state = 20_011
  for (let i = 0; i < text.length; i++) state = (state * 65_599 + text.charCodeAt(i)) % 2_147_483_647
  for (let i = 0; i < 3; i++) state = ((state * 48_271) % 2_147_483_647) + (state % 1021)
  return state
}
