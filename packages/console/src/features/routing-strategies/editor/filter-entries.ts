import { Cidr, NetworkKey } from '@fairway/contract'

/** Entries of a text, one per line or parted by commas or spaces; empty ones and repetitions fall out. */
export function entriesOf(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((entry) => entry !== ''))]
}

/** What is wrong in a list of CIDRs, first found first; the list is kept as it was typed. */
export function wrongCidr(cidrs: readonly string[]): string | null {
  return cidrs.find((cidr) => !Cidr.safeParse(cidr).success) ?? null
}

/** Autonomous systems as the contract writes them: `13335`, `as13335` and `AS13335` are the same. */
export function asNumbersOf(text: string): { networks: string[]; wrong: string | null } {
  const networks = entriesOf(text).map((entry) => (/^\d+$/.test(entry) ? `AS${entry}` : entry.toUpperCase()))
  return {
    networks,
    wrong: networks.find((network) => !/^AS\d/.test(network) || !NetworkKey.safeParse(network).success) ?? null,
  }
}
