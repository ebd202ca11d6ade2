import { randomFrom } from './random.ts'

/**
 * Networks from all over the address space, always the same for a seed: IPv4 of many lengths, and IPv6 where registries
 * give it out.
 */
export function randomNetworks(count: number, seed: number): string[] {
  const random = randomFrom(seed)
  const networks = new Set<string>()
  while (networks.size < count) networks.add(random() < 0.85 ? ipv4(random) : ipv6(random))
  return [...networks]
}

const IPV4_LENGTHS = [24, 24, 24, 24, 24, 24, 32, 20, 16, 12]
const IPV6_HEADS = [0x2001, 0x2400, 0x2600, 0x2800, 0x2a00, 0x2c00]
const IPV6_LENGTHS = [48, 48, 48, 56, 40, 32]

function ipv4(random: () => number): string {
  const length = pick(IPV4_LENGTHS, random)
  const bits = Math.floor(random() * 2 ** 32)
  const network = Math.floor(bits / 2 ** (32 - length)) * 2 ** (32 - length)
  return `${[24, 16, 8, 0].map((shift) => (network >>> shift) & 255).join('.')}/${length}`
}

function ipv6(random: () => number): string {
  const length = pick(IPV6_LENGTHS, random)
  const groups = [
    pick(IPV6_HEADS, random) + Math.floor(random() * 16),
    ...Array.from({ length: 3 }, () => Math.floor(random() * 65_536)),
  ]
  const kept = groups.map((group, at) => {
    const bits = Math.min(16, Math.max(0, length - at * 16))
    return Math.floor(group / 2 ** (16 - bits)) * 2 ** (16 - bits)
  })
  return `${kept.map((group) => group.toString(16)).join(':')}::/${length}`
}

function pick<T>(choices: readonly T[], random: () => number): T {
  const chosen = choices[Math.floor(random() * choices.length)]
  if (chosen === undefined) throw new Error('nothing to pick from')
  return chosen
}
