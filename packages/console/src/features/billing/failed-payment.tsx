import { type BillingCustomer, billing, isDeclineCode } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import classes from './billing.module.css'
import { useBillingChange } from './use-billing-change.ts'
import { useMoney } from './use-money.ts'

/** Why a charge failed, what happens next, and the two ways out: another card, or another try. */
export function FailedPayment({ customer, onCard }: { customer: BillingCustomer; onCard: () => void }) {
  const { t } = useTranslation(['billing', 'errors'])
  const format = useFormat()
  const money = useMoney(customer.currency.code)
  const show = useSnackbar()
  const canRetry = useCanCall(billing.routes.retryPayment)
  const { data } = useRead(billing.routes.paymentFailed, {})
  const retry = useBillingChange(billing.routes.retryPayment, () => show('payment', { message: t('failed.paid') }))
  if (!data?.failed || !data.invoice) return null
  const { number, dueMinor } = data.invoice
  // Of a contract, or let go by the operator: the account is open.
  const isOpen = customer.status === 'active'
  const isDue = isOpen && data.declineCode === null
  const facts = { amount: money(dueMinor), number }
  return (
    <>
      {retry.error && <FailureNotice title={t('failed.again')} error={retry.error} />}
      <Notice
        tone={isOpen ? 'warn' : 'bad'}
        title={
          isDue ? t('failed.due', facts) : t(customer.status === 'locked' ? 'failed.locked' : 'failed.title', facts)
        }
        action={
          canRetry && (
            <div className={classes.buttons}>
              <Button variant="default" size="xs" onClick={onCard}>
                {t('card.replace')}
              </Button>
              <Button size="xs" loading={retry.isPending} disabled={!customer.card} onClick={() => retry.mutate({})}>
                {t('failed.pay')}
              </Button>
            </div>
          )
        }
      >
        {data.declineCode !== null && isDeclineCode(data.declineCode) && (
          <>{t(`errors:errorMessage.${data.declineCode}`)} </>
        )}
        {data.nextAttemptAt !== null
          ? t('failed.next', { date: format.date(Date.parse(data.nextAttemptAt)), count: data.attemptsLeft })
          : t(isOpen ? 'failed.asked' : 'failed.last')}
        {data.servingStopsAt !== null && (
          <> {t('failed.stops', { date: format.date(Date.parse(data.servingStopsAt)) })}</>
        )}
      </Notice>
    </>
  )
}
