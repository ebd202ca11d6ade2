import { cdnManagement } from '@fairway/contract'
import type { DomainCdn, RouteOutput } from '@fairway/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useToggle } from '../../api/use-toggle.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { CellSwitch } from '../../ui/data-table/cell-controls.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { type Place, domainCdnsRead } from '../routing-strategies/strategies-read.ts'

/** Below this a CDN answers so few that nobody needs to be asked. */
const NOTICEABLE_PERCENT = 1

/** Takes a CDN in or out of use, with Undo; before visitors are moved away it says how many. */
export function EnableCdn({
  place,
  cdn: { id, name, enabled },
  share,
}: {
  place: Place
  cdn: DomainCdn
  /** Null while it is not known: then it is asked, too. */
  share: number | null
}) {
  const { t } = useTranslation('cdn-management')
  const format = useFormat()
  const toggle = useToggle()
  const canEdit = useCanCall(cdnManagement.routes.update)
  const [asking, setAsking] = useState(false)
  const flip = (on: boolean) =>
    void toggle<typeof cdnManagement.routes.update, RouteOutput<typeof cdnManagement.routes.list>>(
      {
        route: cdnManagement.routes.update,
        input: (next) => ({ ...place, id, enabled: next }),
        shownBy: domainCdnsRead(place).queryKey,
        optimistic: (data, next) => ({
          ...data,
          data: data.data.map((row) => (row.id === id ? { ...row, enabled: next } : row)),
        }),
        subject: `cdn ${id}`,
        said: (next) => t(next ? 'turnedOn' : 'turnedOff', { name }),
      },
      on,
    )
  return (
    <>
      <CellSwitch
        checked={enabled}
        disabled={!canEdit}
        aria-label={t('switch', { name })}
        onChange={(event) =>
          event.currentTarget.checked || (share !== null && share < NOTICEABLE_PERCENT)
            ? flip(event.currentTarget.checked)
            : setAsking(true)
        }
      />
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('off.title', { name })}
        verb={t('off.verb')}
        onConfirm={() => {
          setAsking(false)
          flip(false)
        }}
      >
        <p>
          {share === null
            ? t('off.textUnknown', { name })
            : t('off.text', { name, share: format.percent(Math.round(share)) })}
        </p>
      </Confirm>
    </>
  )
}
