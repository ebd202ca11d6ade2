import { type Passkey, passkeys } from '@fairway/contract'
import { Failure } from '../../http/failure.ts'
import { partnerOfHost } from '../../http/partner-of.ts'
import { slice } from '../../http/register.ts'
import { confirmIdentity, ownRow } from '../account/confirm-identity.ts'
import { issueToken, redeemToken } from '../auth/app-tokens.ts'
import { sendSignInAdded } from '../auth/letters.ts'
import { CEREMONY_SECONDS, asAttestation, jsonOf, originOf, relyingPartyOf, webauthn } from './ceremony.ts'
import { type PasskeyRow, deletePasskey, insertPasskey, passkeysOf, renamePasskey } from './store.ts'

export const passkeysSlice = slice(passkeys, {
  async list({ tx, actor }) {
    return { data: (await passkeysOf(tx, actor.userId)).map(present) }
  },
  async options(context, proof) {
    const { tx, actor, reply } = context
    const user = await confirmIdentity(context, proof)
    const partner = await partnerOfHost(tx, reply.request)
    const rpID = relyingPartyOf(reply.request)
    const known = (await passkeysOf(tx, actor.userId)).filter((key) => key.relying_party === rpID)
    const { generateRegistrationOptions } = await webauthn()
    const options = await generateRegistrationOptions({
      rpName: partner.company_name,
      rpID,
      userName: user.email,
      userDisplayName: `${user.first_name} ${user.last_name}`.trim(),
      userID: new TextEncoder().encode(actor.userId),
      attestationType: 'none',
      excludeCredentials: known.map((key) => ({ id: key.credential_id, transports: key.transports })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    })
    const ceremony = await issueToken(tx, {
      purpose: 'passkey',
      seconds: CEREMONY_SECONDS,
      user: { id: actor.userId, organizationId: actor.organizationId },
      data: { challenge: options.challenge },
    })
    return { ceremony, options: jsonOf(options) }
  },
  async create(context, { ceremony: token, name, response }) {
    const { tx, actor, services, reply, change, now } = context
    const ceremony = await services.database.aside((own) => redeemToken(own, 'passkey', token))
    if (ceremony.state !== 'ok' || ceremony.userId !== actor.userId || typeof ceremony.data['challenge'] !== 'string')
      throw new Failure(1575)
    const attestation = asAttestation(response)
    const { verifyRegistrationResponse } = await webauthn()
    const checked = await verifyRegistrationResponse({
      response: attestation,
      expectedChallenge: ceremony.data['challenge'],
      expectedOrigin: originOf(reply.request),
      expectedRPID: relyingPartyOf(reply.request),
      requireUserVerification: false,
    }).catch((error: unknown) => {
      throw new Failure(1575, { internal: error instanceof Error ? error.message : String(error) })
    })
    if (!checked.verified) throw new Failure(1575)
    const { credential, credentialBackedUp } = checked.registrationInfo
    const row = await insertPasskey(tx, actor.organizationId, actor.userId, {
      credential_id: credential.id,
      public_key: credential.publicKey,
      counter: credential.counter,
      transports: credential.transports ?? [],
      name,
      relying_party: relyingPartyOf(reply.request),
      backed_up: credentialBackedUp,
    })
    if (!row) throw new Failure(7491)
    const user = await ownRow(context)
    await sendSignInAdded(tx, user, user.locale, { way: 'passkey', name, ip: actor.ip, now })
    change.title = name
    change.record({ entity: 'passkey', id: row.id, label: name, before: null, after: told(row) })
    return present(row)
  },
  async rename({ tx, actor, change }, { id, name }) {
    const before = found((await passkeysOf(tx, actor.userId)).find((key) => key.id === id))
    const row = found(await renamePasskey(tx, actor.userId, id, name))
    change.record({ entity: 'passkey', id, label: name, before: told(before), after: told(row) })
    return present(row)
  },
  async remove({ tx, actor, change }, { id }) {
    const row = found(await deletePasskey(tx, actor.userId, id))
    change.record({ entity: 'passkey', id, label: row.name, before: told(row), after: null })
    return { id: row.id }
  },
})

function found(row: PasskeyRow | undefined): PasskeyRow {
  if (!row) throw new Failure(404)
  return row
}

const told = (row: PasskeyRow) => ({ name: row.name, relying_party: row.relying_party })

const present = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  relyingParty: row.relying_party,
  backedUp: row.backed_up,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})
