import type { OriginInput } from '@fairway/contract'
import { canonicalIpv6, isBogon, isIpv4, isIpv6 } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { isHouseName } from '../names/house-zones.ts'
import { isSteeredName } from '../dns-records/store.ts'

type Addresses = Pick<OriginInput, 'address' | 'port' | 'protocol' | 'spareAddresses' | 'fallbackAddress'>

/**
 * The edge connects to what is written here: neither into our own machine and networks, nor around in a circle. @throws
 * Failure 400 that names each wrong field
 */
export async function checkOrigin({ tx, domain, services }: Context, origin: Addresses): Promise<void> {
  const spare = origin.spareAddresses ?? []
  const entries = [
    { path: 'origin.address', address: origin.address },
    ...spare.map((address, index) => ({ path: `origin.spareAddresses.${index}`, address })),
    ...(origin.fallbackAddress ? [{ path: 'origin.fallbackAddress', address: origin.fallbackAddress }] : []),
  ]
  const fields: { path: string; message: string }[] = []
  for (const [index, { path, address }] of entries.entries()) {
    const wrong = await originProblem({ tx, services }, domain.name, address, portOf(origin))
    if (wrong !== null) fields.push({ path, message: wrong })
    else if (entries.findIndex((one) => canonicalIpv6(one.address) === canonicalIpv6(address)) !== index)
      fields.push({ path, message: 'validation.duplicateValue' })
    // An origin is a set of addresses or a set of names; only its fallback may be of the other kind.
    else if (path.startsWith('origin.spare') && isIp(address) !== isIp(origin.address))
      fields.push({ path, message: 'validation.originType' })
  }
  if (fields.length > 0) throw new Failure(400, { fields })
}

/** Why the edge would not fetch the domain from this address. */
export async function originProblem(
  { tx, services: { config, gate } }: Pick<Context, 'tx' | 'services'>,
  domainName: string,
  address: string,
  port: number,
): Promise<'validation.bogonIpCheck' | 'validation.cnameLoop' | null> {
  if (isBogon(address) && !gate.reaches(address, port)) return 'validation.bogonIpCheck'
  if (address === domainName || (await isHouseName(tx, config, address)) || (await isSteeredName(tx, address)))
    return 'validation.cnameLoop'
  return null
}

const isIp = (text: string): boolean => isIpv4(text) || isIpv6(text)

/** 0 is the usual port of the protocol. */
export const portOf = ({ port, protocol }: Pick<Addresses, 'port' | 'protocol'>): number =>
  port || (protocol === 'https' ? 443 : 80)
