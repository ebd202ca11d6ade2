import { z } from 'zod'

/** An IPv4 or IPv6 network, or a single address. Host bits must be zero only where the domain layer asks for it. */
export const Cidr = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()])

/** An IPv4 or IPv6 address. */
export const IpAddress = z.union([z.ipv4(), z.ipv6()])
