import { pulse } from '@fairway/contract'
import { urlOf, type Config, type Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { beaconSettings } from './beacon-settings.ts'
import { ownPulse, updatePulse, type PulseRow } from './store.ts'

export const pulseSlice = slice(pulse, {
  async get({ tx, actor, services }) {
    return present(tx, services.config, await existing(tx, actor.organizationId))
  },

  async update({ tx, actor, services, change }, { startDelaySeconds, repeatDelaySeconds, batchNumber }) {
    const before = await existing(tx, actor.organizationId)
    await updatePulse(tx, actor.organizationId, { startDelaySeconds, repeatDelaySeconds, batchNumber })
    const after = await existing(tx, actor.organizationId)
    change.record({ entity: 'pulse', id: actor.organizationId, label: 'Beacon settings', before, after })
    return present(tx, services.config, after)
  },
})

async function existing(tx: Tx, organizationId: string): Promise<PulseRow> {
  const row = await ownPulse(tx, organizationId)
  if (!row) throw new Failure(404)
  return row
}

async function present(tx: Tx, config: Config, row: PulseRow) {
  // The key is made of letters, digits, dash and underscore, so it needs no escaping.
  return {
    key: row.key,
    tag: `<script async src="${urlOf(config.collectorListen)}/b.js" data-key="${row.key}"></script>`,
    settings: await beaconSettings(tx, config, row),
  }
}
