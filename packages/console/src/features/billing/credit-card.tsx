import { billing } from '@fairway/contract'
import { Button, Skeleton, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import classes from './billing.module.css'
import { useBillingChange } from './use-billing-change.ts'
import { useMoney } from './use-money.ts'

/** What is there before any card is charged, and the coupons that run. */
export function CreditCard() {
  const { t } = useTranslation('billing')
  const format = useFormat()
  const { data } = useRead(billing.routes.credit, {})
  const { data: coupons } = useRead(billing.routes.coupons, {})
  const money = useMoney(data?.currency ?? 'USD')
  const canRedeem = useCanCall(billing.routes.redeemCoupon)
  return (
    <Card title={t('credit.title')}>
      {!data && <Skeleton height={64} />}
      {data && (
        <div className={classes.stack}>
          <div>
            <span className={classes.figure}>{money(data.balanceMinor)}</span>
            <div className={classes.quiet}>{t('credit.meaning')}</div>
          </div>
          {data.grants
            .filter((grant) => grant.leftMinor > 0)
            .map((grant) => (
              <div key={grant.id} className={classes.meterLine}>
                <span>
                  {t(`credit.kind.${grant.kind}`)}
                  {grant.note !== '' && <span className={classes.quiet}> · {grant.note}</span>}
                </span>
                <span className={classes.number}>
                  {money(grant.leftMinor)}
                  {grant.expiresAt !== null && (
                    <span className={classes.quiet}>
                      {' '}
                      · {t('credit.until', { date: format.date(Date.parse(grant.expiresAt)) })}
                    </span>
                  )}
                </span>
              </div>
            ))}
          {coupons?.data
            .filter(({ kind }) => kind !== 'credit')
            .map((coupon) => (
              <div key={coupon.code} className={classes.meterLine}>
                <span>{t('coupon.one', { code: coupon.code })}</span>
                <span className={classes.quiet}>
                  {coupon.percent !== null
                    ? t('coupon.percent', { percent: coupon.percent })
                    : money(coupon.amountMinor ?? 0)}
                  {coupon.endsAt !== null && (
                    <> · {t('credit.until', { date: format.date(Date.parse(coupon.endsAt)) })}</>
                  )}
                </span>
              </div>
            ))}
          {canRedeem && <Redeem />}
        </div>
      )}
    </Card>
  )
}

function Redeem() {
  const { t } = useTranslation(['billing', 'errors'])
  const [code, setCode] = useState('')
  const redeem = useBillingChange(billing.routes.redeemCoupon, () => setCode(''))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim().length >= 3) redeem.mutate({ code })
  }
  return (
    <form className={classes.inline} onSubmit={submit}>
      <TextInput
        className={classes.grow}
        aria-label={t('coupon.code')}
        placeholder={t('coupon.code')}
        value={code}
        maxLength={32}
        error={redeem.error ? failureText(t, redeem.error) : null}
        onChange={(event) => {
          setCode(event.currentTarget.value)
          redeem.reset()
        }}
      />
      <Button type="submit" variant="default" loading={redeem.isPending}>
        {t('coupon.redeem')}
      </Button>
    </form>
  )
}
