import { z } from 'zod'

/** Continent codes of the product; `00` is "other", used when nothing is known about an address. */
export const Continent = z.enum(['AF', 'AS', 'EU', 'NA', 'OC', 'SA', '00'])
export type Continent = z.infer<typeof Continent>

/** A network is one of China's groups or an autonomous system, written `AS<number>`. */
export const NetworkKey = z.string().regex(/^(CT|CU|CM|CRT|CER|AS[1-9]\d{0,9})$/)

/**
 * A place in the world by one string, the key of every score and filter:
 * `world`, `continent:AS`, `country:JP`, `region:US-CA`, `city:US-CA-San Jose`.
 * A city of a country without known regions is `city:SG--Singapore`.
 */
export const PlaceKey = z
  .string()
  .max(120)
  .regex(
    /^(world|continent:(AF|AS|EU|NA|OC|SA|00)|country:[A-Z]{2}|region:[A-Z]{2}-[^-|]+|city:[A-Z]{2}-[^-|]*-[^|]+)$/,
  )

/** What is known about where an address is; `null` means unknown, never "none". */
export const Location = z.object({
  continent: Continent,
  /** ISO 3166-1 alpha-2; HK, MO and TW stand for themselves. */
  country: z.string().length(2).nullable(),
  /** Code within the country: US state letters, Chinese province digits, otherwise the name. */
  region: z.string().nullable(),
  city: z.string().nullable(),
  /** `CT`… inside China when the network is one of the groups, else `AS<number>`. */
  network: NetworkKey.nullable(),
  asn: z.int().positive().nullable(),
})
export type Location = z.infer<typeof Location>

/** Who asks: the address (or the network address of the client subnet) and how many bits of it are known. */
export const Visitor = z.object({
  address: z.string(),
  prefixLength: z.int().min(0).max(128),
  location: Location,
})
export type Visitor = z.infer<typeof Visitor>
