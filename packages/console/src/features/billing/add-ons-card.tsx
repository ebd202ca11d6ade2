import { type AddOn, billing, plans } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import { AddOnConfirm } from './add-on-confirm.tsx'
import classes from './billing.module.css'
import { useLocalText, useMoney } from './use-money.ts'

/** What can be had beside the plan, each by itself and by the month. */
export function AddOnsCard() {
  const { t } = useTranslation('billing')
  const { data } = useRead(plans.routes.addOns, {})
  const [chosen, setChosen] = useState<AddOn | null>(null)
  return (
    <Card title={t('addOns.title')}>
      {!data && <Skeleton height={120} />}
      {data?.data.length === 0 && <p className={classes.quiet}>{t('addOns.none')}</p>}
      {data?.data.map((addOn) => (
        <AddOnRow key={addOn.id} addOn={addOn} currency={data.currency} onChoose={() => setChosen(addOn)} />
      ))}
      {chosen && <AddOnConfirm key={chosen.id} addOn={chosen} onClose={() => setChosen(null)} />}
    </Card>
  )
}

function AddOnRow({ addOn, currency, onChoose }: { addOn: AddOn; currency: string; onChoose: () => void }) {
  const { t } = useTranslation('billing')
  const format = useFormat()
  const text = useLocalText()
  const money = useMoney(currency)
  const canEdit = useCanCall(billing.routes.addAddOn)
  return (
    <div className={classes.addOn}>
      <div>
        <span className={classes.name}>{text(addOn.name)}</span>{' '}
        <span className={classes.quiet}>{t('plan.monthly', { price: money(addOn.monthlyMinor) })}</span>
        <div className={classes.quiet}>
          {addOn.since === null
            ? text(addOn.description)
            : t('addOns.since', { date: format.date(Date.parse(addOn.since)) })}
        </div>
      </div>
      {canEdit && ((addOn.compatible && !addOn.included) || addOn.since !== null) && (
        <Button
          variant="default"
          size="xs"
          aria-label={`${t(addOn.since === null ? 'addOns.add' : 'addOns.remove')} ${text(addOn.name)}`}
          onClick={onChoose}
        >
          {t(addOn.since === null ? 'addOns.add' : 'addOns.remove')}
        </Button>
      )}
      {addOn.included && <span className={classes.quiet}>{t('addOns.included')}</span>}
      {!addOn.compatible && !addOn.included && addOn.since === null && (
        <span className={classes.quiet}>{t('addOns.otherPlan')}</span>
      )}
    </div>
  )
}
