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
  const canSwitch = useCanCall(vsrRules.routes.enable)
  // What the plan has no more is switched off, and not on again.
  const canSwitchOn = useCanCall(vsrRules.routes.update)
  const { id, name } = rule
  const flip = (on: boolean) =>
    void toggle<typeof vsrRules.routes.enable, RouteOutput<typeof vsrRules.routes.list>>(
      {
        route: vsrRules.routes.enable,
        input: (enabled) => ({ ...place, id, enabled }),
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
      disabled={!(rule.enabled ? canSwitch : canSwitchOn)}
      aria-label={t('switch', { name })}
      onChange={(event) => flip(event.currentTarget.checked)}
    />
  )
}
