import { z } from 'zod'
import { AppToken, MfaCode, WebAuthnJson } from './auth.ts'
import { del, feature, get, patch, post } from './route.ts'

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  /** Host name that it was made for. */
  relyingParty: z.string(),
  /** It is kept by an account of the maker's and survives the device. */
  backedUp: z.boolean(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
})
export type Passkey = z.infer<typeof Passkey>

const Name = z.string().trim().min(1).max(60)

export const passkeys = feature('passkeys', {
  list: get('/account/v2/passkeys/', {
    out: z.object({ data: z.array(Passkey) }),
    inSession: true,
    permission: 'signed-in',
    errors: [],
  }),
  options: post('/account/v2/passkeys/options/', {
    in: z.object({ password: z.string().max(200).optional(), code: MfaCode.optional() }),
    out: z.object({ ceremony: z.string(), options: WebAuthnJson }),
    personal: true,
    permission: 'signed-in',
    errors: [2523],
    audit: null,
    changes: [],
    summary: 'What the browser makes a passkey from; needs the password or a code.',
  }),
  create: post('/account/v2/passkeys/', {
    in: z.object({ ceremony: AppToken, name: Name, response: WebAuthnJson }),
    out: Passkey,
    personal: true,
    permission: 'signed-in',
    errors: [1575, 7491],
    audit: 'passkey.create',
    changes: [],
  }),
  rename: patch('/account/v2/passkeys/{id}/', {
    in: z.object({ name: Name }),
    out: Passkey,
    personal: true,
    permission: 'signed-in',
    errors: [],
    audit: 'passkey.rename',
    changes: [],
  }),
  remove: del('/account/v2/passkeys/{id}/', {
    out: z.object({ id: z.string() }),
    personal: true,
    permission: 'signed-in',
    errors: [],
    audit: 'passkey.remove',
    changes: [],
  }),
})
