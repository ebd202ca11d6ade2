import { z } from 'zod'
import { HostName } from './formats/fqdn.ts'
import { feature, get, post, put } from './route.ts'

/** What a name of the partner's takes the place of. `links`: the host name of the console, to which letters lead. */
export const WHITE_LABEL_USES = ['links', 'nameservers', 'cname', 'sender'] as const
export const WhiteLabelUse = z.enum(WHITE_LABEL_USES)
export type WhiteLabelUse = z.infer<typeof WhiteLabelUse>

/** `unknown`: nobody has looked yet, or nobody could be asked. */
export const WhiteLabelState = z.enum(['unknown', 'missing', 'wrong', 'good'])
export type WhiteLabelState = z.infer<typeof WhiteLabelState>

/** A DNS record that a partner has to set, and what the world's DNS says of it. */
export const WhiteLabelRecord = z.object({
  id: z.string(),
  use: WhiteLabelUse,
  name: z.string(),
  type: z.enum(['NS', 'A', 'AAAA', 'CNAME', 'TXT']),
  /** Several are several records of this name and type. */
  values: z.array(z.string()),
  /**
   * Where it is set: with the delegation at the parent or registrar, in the partner's own DNS, or nowhere, since our
   * name servers answer it themselves once the zone leads to them.
   */
  place: z.enum(['parent', 'own', 'answered']),
  /** Advice only when false: nothing waits for it. */
  required: z.boolean(),
  state: WhiteLabelState,
  seen: z.array(z.string()),
  checkedAt: z.iso.datetime().nullable(),
})
export type WhiteLabelRecord = z.infer<typeof WhiteLabelRecord>

/** A name of the installation's that customers of the partner see. */
export const WhiteLabelLeak = z.object({
  use: WhiteLabelUse,
  /**
   * `not-set`: the partner has named none of its own. `not-ready`: its records are not all good. `earlier`: given to
   * organisations before, which keep it.
   */
  reason: z.enum(['not-set', 'not-ready', 'earlier']),
  /** What they see. */
  shown: z.string(),
  /** How many organisations see it, for `earlier`. */
  organizations: z.int(),
})
export type WhiteLabelLeak = z.infer<typeof WhiteLabelLeak>

export const WhiteLabelSettings = z.object({
  /** Zone of the nameserver names `ns1`, `ns2`, … and of nothing else, delegated to them. */
  serviceDomain: HostName.nullable(),
  /** Zone under which CDN names are given: at or below the service domain, or another one that is delegated here. */
  cnameHost: HostName.nullable(),
  senderAddress: z.email().max(254).nullable(),
  /** The company's name when there is none. */
  senderName: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .regex(/^[^\p{Cc}"<>]*$/u, 'validation.invalid')
    .nullable(),
})
export type WhiteLabelSettings = z.infer<typeof WhiteLabelSettings>

export const WhiteLabel = WhiteLabelSettings.extend({
  partner: z.string(),
  companyName: z.string(),
  /** The installation's own brand: its names are those that others hide. */
  isDefault: z.boolean(),
  /** From when the partner's own are given out; null while the installation's are. */
  since: z.object({
    nameservers: z.iso.datetime().nullable(),
    cname: z.iso.datetime().nullable(),
    sender: z.iso.datetime().nullable(),
  }),
  records: z.array(WhiteLabelRecord),
  leaks: z.array(WhiteLabelLeak),
})
export type WhiteLabel = z.infer<typeof WhiteLabel>

const own = { permission: 'operator', scope: 'partner', out: WhiteLabel } as const

/** Names of a partner in place of the installation's, for the operator and the partner's own people. */
export const whiteLabel = feature('white-label', {
  get: get('/operator/v2/white-label/{partner}/', {
    ...own,
    errors: [],
    summary: "A partner's own names, each DNS record that it has to set with what was seen, and what still leaks.",
  }),
  own: get('/operator/v2/white-label/', {
    permission: 'operator',
    scope: 'partner',
    out: z.object({ data: z.array(WhiteLabel) }),
    errors: [],
    summary: 'The partners that the caller looks after: all for the operator.',
  }),
  update: put('/operator/v2/white-label/{partner}/', {
    ...own,
    in: WhiteLabelSettings,
    errors: [7491],
    audit: 'whiteLabel.update',
    changes: [],
    summary: 'Sets the names. They are given out once the records were seen right, not before.',
  }),
  check: post('/operator/v2/white-label/{partner}/check/', {
    ...own,
    errors: [],
    audit: null,
    changes: [],
    summary: 'Has the records looked at now; the worker writes what it sees.',
  }),
  newKey: post('/operator/v2/white-label/{partner}/dkim/', {
    ...own,
    errors: [7409],
    audit: 'whiteLabel.newKey',
    changes: [],
    summary:
      'Makes another key for letters, under another selector; until its record is there the old sender is not used.',
  }),
})
