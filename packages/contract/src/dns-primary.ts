import { z } from 'zod'
import { AddressAndPort } from './formats/host-port.ts'
import { changed, del, feature, get, post, put } from './route.ts'

export const TSIG_ALGORITHMS = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const

/** Name of a key as both sides have it; its letters have no case. */
const KeyName = z
  .string()
  .trim()
  .toLowerCase()
  .max(200)
  .regex(/^[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*\.?$/, 'validation.keyName')
  .transform((name) => name.replace(/\.$/, ''))

export const DnsPrimaryInput = z.object({
  /** Where the zone is asked for, in this order. */
  servers: z.array(AddressAndPort).min(1, 'validation.required').max(4),
  /** What questions are signed with (TSIG). Without a secret the one that is known stays. */
  key: z
    .object({
      name: KeyName,
      algorithm: z.enum(TSIG_ALGORITHMS),
      secret: z
        .string()
        .trim()
        .max(400)
        .regex(/^[A-Za-z0-9+/]{8,}={0,2}$/, 'validation.base64')
        .optional(),
    })
    .nullable(),
})
export type DnsPrimaryInput = z.infer<typeof DnsPrimaryInput>

/**
 * `waiting` for the first transfer; `current`; `failing` to reach the primary, answering what was fetched last;
 * `expired` after as long as the zone's SOA says, answering nothing.
 */
export const DnsPrimaryState = z.enum(['waiting', 'current', 'failing', 'expired'])
/**
 * Why the last look failed. `signed` and `unsupported` name what the zone has that cannot be answered here. By
 * `olderSerial` it did not: the primary has a version before the one that is answered, which stays.
 */
export const DnsPrimaryProblem = z.enum([
  'noAnswer',
  'refused',
  'badSignature',
  'malformed',
  'tooLarge',
  'signed',
  'unsupported',
  'privateAddress',
  'olderSerial',
])
export type DnsPrimaryProblem = z.infer<typeof DnsPrimaryProblem>

export const DnsPrimary = z.object({
  servers: z.array(z.string()),
  key: z.object({ name: z.string(), algorithm: z.enum(TSIG_ALGORITHMS) }).nullable(),
  state: DnsPrimaryState,
  problem: DnsPrimaryProblem.nullable(),
  /** Of the version that is answered; null before the first. */
  serial: z.int().nullable(),
  /** When the primary was last reached, when it last had something new, when it last said so by itself. */
  refreshedAt: z.iso.datetime().nullable(),
  transferredAt: z.iso.datetime().nullable(),
  noticedAt: z.iso.datetime().nullable(),
  /** When it is looked at again, and when the zone expires if it cannot be reached until then. */
  dueAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
})
export type DnsPrimary = z.infer<typeof DnsPrimary>

/** A site's zone that is kept elsewhere and fetched from there (RFC 1034 4.3.5): its records cannot be changed here. */
export const dnsPrimary = feature('dns-primary', {
  get: get('/mdns/v2/zones/{site}/primary/', {
    out: z.object({ data: DnsPrimary.nullable() }),
    permission: 'ViewSite',
    errors: [],
  }),
  set: put('/mdns/v2/zones/{site}/primary/', {
    in: DnsPrimaryInput,
    out: changed(DnsPrimary),
    permission: 'EditSite',
    apiTier: 3,
    errors: [409, 900114],
    lasting: true,
    audit: 'dnsPrimary.set',
    changes: ['dns-zone'],
    summary: 'From the first transfer on the zone has the records of its primary, in place of its own.',
  }),
  refresh: post('/mdns/v2/zones/{site}/primary/refresh/', {
    out: z.object({}),
    permission: 'EditSite',
    errors: [],
    audit: null,
    changes: [],
    summary: 'Asks the primary now.',
  }),
  remove: del('/mdns/v2/zones/{site}/primary/', {
    out: changed(z.object({})),
    permission: 'EditSite',
    errors: [],
    audit: 'dnsPrimary.remove',
    changes: ['dns-zone'],
    summary: 'The records stay as they are and can be changed here again.',
  }),
})
