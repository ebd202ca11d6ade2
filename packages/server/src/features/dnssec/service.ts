import { dnssec, type Dnssec } from '@fairway/contract'
import { dnssecStep } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { hasPrimary } from '../dns-primary/store.ts'
import { factsOf } from './facts.ts'
import { dnssecOf, insertDnssec, insertKey, keysOf, lookNow, setState } from './store.ts'
import { ALGORITHM, DIGEST_SHA256, FLAGS, dsDigest, isDsOf, newZoneKey } from './zone-keys.ts'

export const dnssecSlice = slice(dnssec, {
  get: (context) => present(context),

  async enable(context) {
    const { tx, actor, site, services } = context
    const row = await dnssecOf(tx, site.id, true)
    if (row && row.state !== 'withdrawing') throw new Failure(900112)
    if (await hasPrimary(tx, site.id)) throw new Failure(900113)
    const before = await present(context)
    if (row) await setState(tx, site.id, 'waiting')
    else {
      await insertDnssec(tx, actor.organizationId, site.id)
      await insertKey(tx, {
        organizationId: actor.organizationId,
        siteId: site.id,
        state: 'active',
        ...newZoneKey(services.config),
      })
    }
    return receipt(context, before, row ? 'Keep DNSSEC' : 'Turn on DNSSEC')
  },

  async disable(context) {
    const row = await dnssecOf(context.tx, context.site.id, true)
    if (!row || row.state === 'withdrawing') throw new Failure(900112)
    const before = await present(context)
    await setState(context.tx, context.site.id, 'withdrawing')
    return receipt(context, before, 'Turn off DNSSEC')
  },

  async roll(context) {
    const { tx, actor, site, services } = context
    const row = await dnssecOf(tx, site.id, true)
    const keys = await keysOf(tx, site.id)
    if (row?.state !== 'secured' || keys.length > 1) throw new Failure(900112)
    const before = await present(context)
    await insertKey(tx, {
      organizationId: actor.organizationId,
      siteId: site.id,
      state: 'published',
      ...newZoneKey(
        services.config,
        keys.map(({ tag }) => tag),
      ),
    })
    await lookNow(tx, site.id)
    return receipt(context, before, 'Change the DNSSEC key')
  },

  async check({ tx, site }) {
    await lookNow(tx, site.id)
    return {}
  },
})

async function present({ tx, site, now }: Pick<Context, 'tx' | 'site' | 'now'>): Promise<Dnssec> {
  const row = await dnssecOf(tx, site.id)
  if (!row)
    return {
      state: 'off',
      since: null,
      keys: [],
      parent: { ds: [], unknown: 0, checkedAt: null, answered: true },
      dueAt: null,
    }
  const keys = await keysOf(tx, site.id)
  const ds = row.ds_absent_since === null ? row.parent_ds : []
  const step = dnssecStep(factsOf(row, keys, site.domain_name, row.problem === null, now))
  return {
    state: row.state,
    since: row.state_since.toISOString(),
    keys: keys.map((key) => ({
      id: key.id,
      tag: key.tag,
      state: key.state,
      since: key.state_since.toISOString(),
      flags: FLAGS,
      algorithm: ALGORITHM,
      digestType: DIGEST_SHA256,
      digest: dsDigest(site.domain_name, key.public_key, DIGEST_SHA256) ?? '',
      publicKey: key.public_key,
      atParent: ds.some((one) => isDsOf(one, site.domain_name, { tag: key.tag, publicKey: key.public_key })),
    })),
    parent: {
      ds,
      unknown: ds.filter(
        (one) => !keys.some((key) => isDsOf(one, site.domain_name, { tag: key.tag, publicKey: key.public_key })),
      ).length,
      checkedAt: row.checked_at?.toISOString() ?? null,
      answered: row.problem === null,
    },
    dueAt: step.do === 'nothing' && step.dueAt !== null ? new Date(step.dueAt).toISOString() : null,
  }
}

async function receipt(context: Context, before: Dnssec, title: string) {
  const { site, change } = context
  const data = await present(context)
  const shown = ({ state, keys }: Dnssec) => ({ state, keys: keys.map(({ tag }) => tag) })
  change.title = title
  change.record({ entity: 'dnssec', id: site.id, label: site.domain_name, before: shown(before), after: shown(data) })
  return { data, meta: { version: await change.version() } }
}
