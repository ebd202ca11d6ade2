import { isIP } from 'node:net'
import os from 'node:os'
import { canonicalIpv6, isPublicAddress } from '@fairway/domain/lean'
import type { Config } from './config.ts'
import { isPublishable } from './publishable-address.ts'

/** Roles that the world finds by the addresses in the zones of the house. */
export type FoundRole = 'dns' | 'edge'

/** Of one machine, and of one set in DNS of each family. */
const MOST_ADDRESSES = 8

/** Stands for all addresses of a machine. */
export const isWildcard = (host: string): boolean => isIP(host) !== 0 && ['0.0.0.0', '::'].includes(canonicalIpv6(host))

export const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.')

/** Whether this machine itself has the address: who calls from there is on it. */
export const isOwnAddress = (address: string): boolean =>
  isLoopback(address) ||
  Object.values(os.networkInterfaces()).some((all) => all?.some((one) => one.address === address) ?? false)

type Asked = Pick<Config, 'dnsListen' | 'dnsAddresses' | 'edgeHttp' | 'edgeAddresses'>
type Interfaces = ReturnType<typeof os.networkInterfaces>

const settingsOf = (config: Asked, role: FoundRole) =>
  role === 'dns'
    ? { listen: config.dnsListen, named: config.dnsAddresses }
    : { listen: config.edgeHttp, named: config.edgeAddresses }

/**
 * Addresses of both families at which the world reaches this machine's name server or edge: those that the settings
 * name, or the one that it listens at; where that is all of them, the public ones of the machine. At most 8, none twice.
 */
export function ownAddresses(
  config: Asked,
  role: FoundRole,
  interfaces: Interfaces = os.networkInterfaces(),
): string[] {
  const { listen, named } = settingsOf(config, role)
  const found =
    named.length > 0 ? named : isWildcard(listen.host) ? publicOnes(listen.host, role, interfaces) : [listen.host]
  return [...new Set(found.filter(isPublishable).map(canonicalIpv6))].slice(0, MOST_ADDRESSES)
}

/**
 * In one order, whatever the order of the interfaces is. A name server at `[::]` has both families, nginx the newer one
 * alone.
 */
const publicOnes = (wildcard: string, role: FoundRole, interfaces: Interfaces): string[] =>
  Object.values(interfaces)
    .flatMap((all) => all ?? [])
    .map(({ address }) => address)
    .filter(
      (address) =>
        isPublicAddress(address) && (isIP(address) === isIP(wildcard) || (role === 'dns' && isIP(wildcard) === 6)),
    )
    .sort()

type Webrtc = Pick<Config, 'webrtcListen' | 'webrtcAddresses' | 'publicUrl'>

/** Whether who has the console may reach it: the settings alone say so, on every machine the same. */
export const isWebrtcOffered = (config: Webrtc): boolean =>
  config.webrtcListen !== null && webrtcTrouble(config) === null

/** Why it is not offered though it listens, in words. */
export function webrtcTrouble({ webrtcListen, webrtcAddresses: named, publicUrl }: Webrtc): string | null {
  if (webrtcListen === null) return null
  const told = named.length > 0 ? named : [webrtcListen.host]
  const host = (URL.parse(publicUrl)?.hostname ?? '').replace(/^\[|\]$/g, '')
  if (host === 'localhost' || isLoopback(host) || !told.every(isLoopback)) return null
  return `live streams are not taken by WebRTC: ${told.join(', ')} is told to browsers, which reach only themselves by it, while the console is at ${publicUrl}. Name the addresses that they reach this machine by in FAIRWAY_WEBRTC_ADDRESSES, or leave FAIRWAY_WEBRTC_LISTEN empty`
}

/** Addresses at which whoever sends by WebRTC reaches this machine; none where it is not offered, or nothing says which. */
export function webrtcAddresses(config: Webrtc, interfaces: Interfaces = os.networkInterfaces()): string[] {
  const { webrtcListen, webrtcAddresses: named } = config
  if (webrtcListen === null || !isWebrtcOffered(config)) return []
  if (named.length > 0) return named
  const { host } = webrtcListen
  return isWildcard(host) ? publicOnes(host, 'dns', interfaces).slice(0, MOST_ADDRESSES) : [host]
}

/** What keeps the world from finding this machine's role, in words; null when nothing is known to. */
export function addressTrouble(config: Asked, role: FoundRole, { isPublic }: { isPublic: boolean }): string | null {
  const [what, setting] =
    role === 'dns' ? (['name server', 'FAIRWAY_DNS_ADDRESSES'] as const) : (['edge', 'FAIRWAY_EDGE_ADDRESSES'] as const)
  const found = ownAddresses(config, role)
  if (found.length === 0)
    return `no address of this machine's ${what} is published: it listens at ${settingsOf(config, role).listen.host}, and no interface has a public address. Name those that the world reaches it by in ${setting}`
  if (!isPublic) return null
  if (found.every(isLoopback))
    return `${found.join(', ')} is published for this machine's ${what}, which no other machine reaches. Set where it listens, or ${setting}`
  // Whoever names a private one means it.
  return settingsOf(config, role).named.length === 0 && !found.every(isPublicAddress)
    ? `${found.join(', ')} is published for this machine's ${what}, which the internet does not reach. Name the addresses that the world reaches it by in ${setting}, or this one if that is meant`
    : null
}

/** Where this machine reaches what it listens at itself. */
export const localHost = (host: string): string => (isWildcard(host) ? (isIP(host) === 6 ? '::1' : '127.0.0.1') : host)

/**
 * Where the installation looks at its own edge without asking DNS; null where only the published names lead to what
 * visitors reach.
 */
export const edgeHost = ({ edgeHttp, edgeAddresses }: Pick<Config, 'edgeHttp' | 'edgeAddresses'>): string | null =>
  edgeAddresses.length > 0 || isWildcard(edgeHttp.host) ? null : edgeHttp.host

/** Whether visitors of the edge are on this machine only. */
export const isEdgeLocal = ({ edgeHttp, edgeAddresses }: Pick<Config, 'edgeHttp' | 'edgeAddresses'>): boolean =>
  (edgeAddresses.length > 0 ? edgeAddresses : [edgeHttp.host]).every((address) => address.startsWith('127.'))
