import { type AddOn, billing } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { QuoteSummary } from './quote-summary.tsx'
import { useBillingChange } from './use-billing-change.ts'
import { useLocalText } from './use-money.ts'

/** Adds an add-on for what it costs now, or ends it. */
export function AddOnConfirm({ addOn, onClose }: { addOn: AddOn; onClose: () => void }) {
  const { t } = useTranslation('billing')
  const text = useLocalText()
  const show = useSnackbar()
  const name = text(addOn.name)
  const adding = addOn.since === null
  const { data: quote } = useRead(billing.routes.addOnInfo, { addon: addOn.id }, { enabled: adding })
  const add = useBillingChange(billing.routes.addAddOn, () => {
    show('addon', { message: t('addOns.added', { name }) })
    onClose()
  })
  const remove = useBillingChange(billing.routes.removeAddOn, () => {
    show('addon', { message: t('addOns.removed', { name }) })
    onClose()
  })
  const error = add.error ?? remove.error
  return (
    <Confirm
      opened
      onClose={onClose}
      title={t(adding ? 'addOns.addTitle' : 'addOns.removeTitle', { name })}
      verb={t(adding ? 'addOns.buy' : 'addOns.remove')}
      danger={!adding}
      busy={add.isPending || remove.isPending}
      onConfirm={() => (adding ? add.mutate({ addonId: addOn.id }) : remove.mutate({ addon: addOn.id }))}
    >
      {error && <FailureNotice title={t('addOns.failed')} error={error} />}
      {adding ? (
        quote ? (
          <QuoteSummary quote={quote} />
        ) : (
          <Skeleton height={90} />
        )
      ) : (
        <>
          <p>{t('addOns.removeText')}</p>
          {addOn.ability.includes('waf.enable') && <p>{t('addOns.shieldText')}</p>}
        </>
      )}
    </Confirm>
  )
}
