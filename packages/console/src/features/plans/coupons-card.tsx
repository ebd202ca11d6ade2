import { type RouteOutput, plans } from '@fairway/contract'
import { parseMoney } from '@fairway/domain'
import { Button, Select, Skeleton, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { useMoney } from '../billing/use-money.ts'
import classes from './plans.module.css'
import { usePlansChange } from './use-plans-change.ts'

const CURRENCY = 'USD'

/** Coupons: what they give, how often they were used, and the end of one. */
export function CouponsCard() {
  const { t } = useTranslation('plans')
  const format = useFormat()
  const { data } = useRead(plans.routes.coupons, {})
  const end = usePlansChange(plans.routes.endCoupon, () => {})
  return (
    <Card title={t('coupons')}>
      <div className={classes.stack}>
        {!data && <Skeleton height={80} />}
        {data?.data.map((coupon) => (
          <div key={coupon.code} className={classes.row}>
            <div>
              <span className={classes.name}>{coupon.code}</span>{' '}
              {!coupon.active && <Pill tone="neutral">{t('ended')}</Pill>}
              <div className={classes.quiet}>
                <Gift coupon={coupon} /> ·{' '}
                {t('redeemed', { count: coupon.redemptions, shown: format.number(coupon.redemptions) })}
              </div>
            </div>
            {coupon.active && (
              <Button
                variant="default"
                size="xs"
                aria-label={`${t('end')} ${coupon.code}`}
                onClick={() => end.mutate({ code: coupon.code })}
              >
                {t('end')}
              </Button>
            )}
          </div>
        ))}
        {data?.data.length === 0 && <p className={classes.quiet}>{t('noCoupons')}</p>}
        <NewCoupon />
      </div>
    </Card>
  )
}

const isCredit = ({ kind }: { kind: string }): boolean => kind === 'credit'

function NewCoupon() {
  const { t } = useTranslation('plans')
  const [code, setCode] = useState('')
  const [kind, setKind] = useState<'percent' | 'amount' | 'credit'>('percent')
  const [value, setValue] = useState('')
  const create = usePlansChange(plans.routes.createCoupon, () => {
    setCode('')
    setValue('')
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const amountMinor = parseMoney(value, CURRENCY)
    if (kind === 'percent') create.mutate({ kind, code, percent: Number(value) })
    else if (amountMinor !== null) create.mutate({ kind, code, amountMinor, currency: CURRENCY })
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      {create.error && <FailureNotice title={t('notSaved')} error={create.error} />}
      <div className={classes.line}>
        <TextInput
          className={classes.grow}
          label={t('code')}
          value={code}
          maxLength={32}
          onChange={(event) => setCode(event.currentTarget.value.toUpperCase())}
        />
        <Select
          className={classes.grow}
          label={t('kind')}
          data={(['percent', 'amount', 'credit'] as const).map((one) => ({
            value: one,
            label: t(`couponKind.${one}`),
          }))}
          value={kind}
          onChange={(next) => setKind(next === 'amount' || next === 'credit' ? next : 'percent')}
          allowDeselect={false}
        />
        <TextInput
          className={classes.short}
          label={kind === 'percent' ? '%' : CURRENCY}
          inputMode="decimal"
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={create.isPending} disabled={code.length < 3 || value === ''}>
          {t('create')}
        </Button>
      </div>
    </form>
  )
}

type Coupon = RouteOutput<typeof plans.routes.coupons>['data'][number]

function Gift({ coupon }: { coupon: Coupon }) {
  const { t } = useTranslation('plans')
  const money = useMoney(CURRENCY)
  if (coupon.percent !== null) return t('percentOff', { percent: coupon.percent })
  const gives = { amount: money(coupon.amountMinor ?? 0) }
  return isCredit(coupon) ? t('creditOf', gives) : t('amountOff', gives)
}
