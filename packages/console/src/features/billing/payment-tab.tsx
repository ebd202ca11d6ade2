import { type BillingCustomer, billing } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconCreditCard } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import classes from './billing.module.css'
import { CreditCard } from './credit-card.tsx'
import { FailedPayment } from './failed-payment.tsx'
import { useBillingChange } from './use-billing-change.ts'

/** Something renews each month that the card pays. */
const STILL_NEEDED = 7404
/** The card is to pay for what is on, open or used. */
const STILL_OWED = 7402

const CardDialog = onDemand(async () => (await import('./card-dialog.tsx')).CardDialog)

/** The card, the billing address, the credit; first of all what keeps from being paid. */
export function PaymentTab() {
  const { data, error, refetch } = useRead(billing.routes.me, {})
  const [adding, setAdding] = useState(false)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={280} radius="lg" />
  return (
    <div className={classes.stack}>
      <FailedPayment customer={data} onCard={() => setAdding(true)} />
      <div className={classes.columns}>
        <div className={classes.stack}>
          <CardCard customer={data} onAdd={() => setAdding(true)} />
          {data.address && <AddressCard customer={data} />}
        </div>
        <CreditCard />
      </div>
      <CardDialog opened={adding} onClose={() => setAdding(false)} address={data.address} />
    </div>
  )
}

function CardCard({ customer: { card }, onAdd }: { customer: BillingCustomer; onAdd: () => void }) {
  const { t } = useTranslation('billing')
  const canEdit = useCanCall(billing.routes.setPayment)
  const [removing, setRemoving] = useState(false)
  const remove = useBillingChange(billing.routes.removeCard, () => setRemoving(false))
  // Told once, with what it means; who goes on then knows it.
  const code = remove.error instanceof ApiError ? remove.error.code : null
  const isNeeded = code === STILL_NEEDED
  return (
    <Card title={t('card.title')}>
      <div className={classes.card}>
        <IconCreditCard size={22} stroke={1.5} aria-hidden />
        <div className={classes.grow}>
          {card ? <span className={classes.cardNumber}>{card.maskedNumber}</span> : t('card.none')}
          <div className={classes.quiet}>
            {card
              ? t('card.expires', {
                  brand: t(`brand.${brandKey(card.brand)}`),
                  month: String(card.expiryMonth).padStart(2, '0'),
                  year: card.expiryYear,
                })
              : t('card.noneText')}
          </div>
        </div>
        {card?.expired && <Pill tone="bad">{t('card.expired')}</Pill>}
        {canEdit && (
          <div className={classes.buttons}>
            {card && (
              <Button variant="default" onClick={() => setRemoving(true)}>
                {t('card.remove')}
              </Button>
            )}
            <Button {...(card ? { variant: 'default' } : {})} onClick={onAdd}>
              {t(card ? 'card.replace' : 'card.add')}
            </Button>
          </div>
        )}
      </div>
      <Confirm
        opened={removing}
        onClose={() => {
          setRemoving(false)
          remove.reset()
        }}
        title={t('card.removeTitle')}
        verb={t(isNeeded ? 'card.removeAnyway' : 'card.remove')}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ confirmed: isNeeded })}
      >
        {code === STILL_OWED && (
          <Notice tone="bad" title={t('card.notRemoved')}>
            {t('card.stillOwed')}
          </Notice>
        )}
        {remove.error && !isNeeded && code !== STILL_OWED && (
          <FailureNotice title={t('card.notRemoved')} error={remove.error} />
        )}
        {isNeeded && (
          <Notice tone="warn" title={t('card.stillNeeded')}>
            {t('card.stillNeededText')}
          </Notice>
        )}
        <p>{t('card.removeText')}</p>
      </Confirm>
    </Card>
  )
}

const BRANDS = ['visa', 'mastercard', 'amex', 'discover', 'diners', 'jcb', 'unionpay'] as const
const brandKey = (brand: string): (typeof BRANDS)[number] | 'other' => BRANDS.find((one) => one === brand) ?? 'other'

function AddressCard({ customer: { address } }: { customer: BillingCustomer }) {
  const { t } = useTranslation('billing')
  const format = useFormat()
  if (!address) return null
  const lines = [
    `${address.firstName} ${address.lastName}`,
    address.company,
    address.billingAddr1,
    address.billingAddr2,
    [address.billingZip, address.billingCity, address.billingState].filter(Boolean).join(' '),
    format.country(address.billingCountry),
    address.taxId,
  ]
  return (
    <Card title={t('address.title')}>
      {lines.filter(Boolean).map((text) => (
        <div key={text}>{text}</div>
      ))}
    </Card>
  )
}
