import { domains } from '@fairway/contract'
import type { Domain } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { SwitchRow } from '../../ui/forms/switch-row.tsx'
import { DeliveryCard } from '../general-settings/delivery-card.tsx'

/** One cache between the CDNs and the origin. */
export function TieredTab({ domain }: { domain: Domain }) {
  const { t } = useTranslation('cache-control')
  const show = useSnackbar()
  const mayEdit = useCanCall(domains.routes.update)
  const place = { site: domain.siteId, domain: domain.id }
  const save = useChange(domains.routes.update, {
    onDone: ({ data }) =>
      show('tiered', {
        message: t(data.settings.tieredCache ? 'tiered.nowOn' : 'tiered.nowOff'),
        undo: () => save.mutate({ ...place, settings: { tieredCache: !data.settings.tieredCache } }),
      }),
  })
  const { tieredCache } = domain.settings
  return (
    <>
      <Card>
        <SwitchRow
          label={t('tiered.title')}
          text={t('tiered.text')}
          checked={tieredCache}
          disabled={!mayEdit || save.isPending}
          onChange={() => save.mutate({ ...place, settings: { tieredCache: !tieredCache } })}
        />
      </Card>
      <DeliveryCard input={place} saved />
    </>
  )
}
