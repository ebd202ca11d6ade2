import { vsrRules } from '@fairway/contract'
import type { RouteOutput, VsrRule } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useToggle } from '../../api/use-toggle.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { CellSwitch } from '../../ui/data-table/cell-controls.tsx'
import { type Place, vsrRead } from '../routing-strategies/strategies-read.ts'

/** Turns a rule on or off at once, with Undo. */
export function VsrSwitch({ place, rule }: { place: Place; rule: VsrRule }) {
  const { t } = useTranslation('vsr-rules')
  const toggle = useToggle()
  const canEdit = useCanCall(vsrRules.routes.update)
  const { id, name, filter, cdnId, mimickedAddress } = rule
  const flip = (on: boolean) =>
    void toggle<typeof vsrRules.routes.update, RouteOutput<typeof vsrRules.routes.list>>(
      {
        route: vsrRules.routes.update,
        input: (enabled) => ({ ...place, id, name, filter, cdnId, mimickedAddress, enabled }),
        shownBy: vsrRead(place).queryKey,
        optimistic: (data, enabled) => ({
          ...data,
          data: data.data.map((row) => (row.id === id ? { ...row, enabled } : row)),
        }),
        subject: `vsr ${id}`,
        said: (enabled) => t(enabled ? 'turnedOn' : 'turnedOff', { name }),
      },
      on,
    )
  return (
    <CellSwitch
      checked={rule.enabled}
      disabled={!canEdit}
      aria-label={t('switch', { name })}
      onChange={(event) => flip(event.currentTarget.checked)}
    />
  )
}
