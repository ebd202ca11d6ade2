import { routingStrategies } from '@fairway/contract'
import type { RoutingStrategy } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useToggle } from '../../../api/use-toggle.ts'
import { useCanCall } from '../../../shell/access/session.ts'
import { CellSwitch } from '../../../ui/data-table/cell-controls.tsx'
import { type Place, type Strategies, strategiesRead } from '../strategies-read.ts'

/** Turns a strategy on or off at once, with Undo. */
export function EnableSwitch({ place, strategy: { id, name, enabled } }: { place: Place; strategy: RoutingStrategy }) {
  const { t } = useTranslation('routing-strategies')
  const toggle = useToggle()
  const canEdit = useCanCall(routingStrategies.routes.enable)
  const flip = (on: boolean) =>
    void toggle<typeof routingStrategies.routes.enable, Strategies>(
      {
        route: routingStrategies.routes.enable,
        input: (next) => ({ ...place, id, enabled: next }),
        shownBy: strategiesRead(place).queryKey,
        optimistic: (data, next) => ({
          ...data,
          data: data.data.map((row) => (row.id === id ? { ...row, enabled: next } : row)),
        }),
        subject: `strategy ${id}`,
        said: (next) => t(next ? 'turnedOn' : 'turnedOff', { name }),
      },
      on,
    )
  return (
    <CellSwitch
      checked={enabled}
      disabled={!canEdit}
      aria-label={t('switch', { name })}
      onChange={(event) => flip(event.currentTarget.checked)}
    />
  )
}
