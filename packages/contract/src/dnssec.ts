import { z } from 'zod'
import { changed, feature, get, post } from './route.ts'

/**
 * `off`; `waiting` signs and waits for the parent's DS; `secured` by it; `withdrawing` still signs until the parent has
 * taken its DS away and nobody can remember it.
 */
export const DnssecState = z.enum(['off', 'waiting', 'secured', 'withdrawing'])
export type DnssecState = z.infer<typeof DnssecState>

/** What a registrar asks for, in both ways that registrars ask. */
export const DnssecKey = z.object({
  id: z.string(),
  tag: z.int(),
  /**
   * `published`: in the zone until every resolver knows it. `ready`: to be announced to the parent. `active`: signs.
   * `retired`: signs no more, and stays until nobody needs it.
   */
  state: z.enum(['published', 'ready', 'active', 'retired']),
  since: z.iso.datetime(),
  flags: z.int(),
  algorithm: z.int(),
  digestType: z.int(),
  /** SHA-256 in hexadecimal. */
  digest: z.string(),
  /** Base64. */
  publicKey: z.string(),
  /** The parent has its DS. */
  atParent: z.boolean(),
})
export type DnssecKey = z.infer<typeof DnssecKey>

export const Dnssec = z.object({
  state: DnssecState,
  since: z.iso.datetime().nullable(),
  keys: z.array(DnssecKey),
  /**
   * What the parent said when it was asked last; `ds` are its DS records, `unknown` of them belong to no key of the
   * zone.
   */
  parent: z.object({
    ds: z.array(z.string()),
    unknown: z.int(),
    checkedAt: z.iso.datetime().nullable(),
    answered: z.boolean(),
  }),
  /** When the step that is waited for by the clock alone is due. */
  dueAt: z.iso.datetime().nullable(),
})
export type Dnssec = z.infer<typeof Dnssec>

const out = changed(Dnssec)

/**
 * Signing of a site's zone (RFC 9364). Every step waits until no resolver can be left with a signature or a key that
 * does not fit.
 */
export const dnssec = feature('dnssec', {
  get: get('/mdns/v2/zones/{site}/dnssec/', { out: Dnssec, permission: 'ViewSite', errors: [] }),
  enable: post('/mdns/v2/zones/{site}/dnssec/enable/', {
    out,
    permission: 'EditSite',
    errors: [900112, 900113],
    audit: 'dnssec.enable',
    changes: ['dns-zone'],
    summary:
      'Makes a key and signs the zone; it is secured when the parent has the DS. While the DS is being withdrawn it is kept instead.',
  }),
  disable: post('/mdns/v2/zones/{site}/dnssec/disable/', {
    out,
    permission: 'EditSite',
    errors: [900112],
    audit: 'dnssec.disable',
    changes: ['dns-zone'],
    summary: 'Asks the parent to take the DS away. The zone stays signed until it has and no resolver remembers it.',
  }),
  roll: post('/mdns/v2/zones/{site}/dnssec/roll/', {
    out,
    permission: 'EditSite',
    errors: [900112],
    audit: 'dnssec.roll',
    changes: ['dns-zone'],
    summary: 'Begins to change the key for a new one; only of a secured zone, one change at a time.',
  }),
  check: post('/mdns/v2/zones/{site}/dnssec/check/', {
    out: z.object({}),
    permission: 'EditSite',
    errors: [],
    audit: null,
    changes: [],
    summary: 'Asks the parent now.',
  }),
})
