import type { HostPort } from '@fairway/platform'

/** Takes apart what `AddressAndPort` of the contract has let in. */
export function addressOf(text: string): HostPort {
  const colon = text.lastIndexOf(':')
  return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) }
}
