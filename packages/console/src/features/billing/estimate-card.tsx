import { type Estimate, billing } from '@fairway/contract'
import { parseMoney, decimalText, minorDigits } from '@fairway/domain'
import { Button, Radio, Skeleton, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import classes from './billing.module.css'
import { useBillingChange } from './use-billing-change.ts'
import { useLocalText, useMoney } from './use-money.ts'

/** The month as it stands and as it will end, and the limit that it may not pass. */
export function EstimateCard() {
  const { t } = useTranslation('billing')
  const format = useFormat()
  const text = useLocalText()
  const { data, error, refetch } = useRead(billing.routes.estimates, {})
  const money = useMoney(data?.currency ?? 'USD')
  const canSet = useCanCall(billing.routes.setCap)
  const [editing, setEditing] = useState(false)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={260} radius="lg" />
  const { cap } = data
  return (
    <Card
      title={t('estimate.title')}
      end={
        canSet && (
          <Button variant="default" size="xs" onClick={() => setEditing(true)}>
            {t('cap.edit')}
          </Button>
        )
      }
    >
      <div className={classes.stack}>
        <div>
          <span className={classes.figure}>{money(data.spentMinor)}</span>
          <div className={classes.quiet}>
            {t('estimate.forecast', {
              amount: money(data.forecastMinor),
              date: format.date(Date.parse(data.until) - 1),
            })}
          </div>
        </div>
        {data.lines.map((line) => (
          <div key={`${line.kind} ${line.itemId} ${line.amountMinor}`} className={classes.meterLine}>
            <span>{text(line.name)}</span>
            <span className={classes.number}>{money(line.amountMinor)}</span>
          </div>
        ))}
        {data.lines.length === 0 && <p className={classes.quiet}>{t('estimate.nothing')}</p>}
        <dl className={classes.facts}>
          <dt>{t('cap.title')}</dt>
          <dd>
            {cap.capMinor === null ? t('cap.none') : money(cap.capMinor)}
            {cap.capMinor !== null && <span className={classes.quiet}> · {t(`cap.short.${cap.action}`)}</span>}
          </dd>
          {data.creditMinor > 0 && (
            <>
              <dt>{t('credit.title')}</dt>
              <dd>{money(data.creditMinor)}</dd>
            </>
          )}
        </dl>
        {cap.reachedAt !== null && (
          <Notice tone="bad" title={t('cap.reached')}>
            {t(cap.servingStopped ? 'cap.reachedStopped' : 'cap.reachedText')}
          </Notice>
        )}
        {cap.reachedAt === null && cap.expectedAt !== null && (
          <Notice tone="warn">{t('cap.expected', { date: format.date(Date.parse(cap.expectedAt)) })}</Notice>
        )}
      </div>
      {editing && <CapDialog estimate={data} onClose={() => setEditing(false)} />}
    </Card>
  )
}

function CapDialog({ estimate: { cap, currency }, onClose }: { estimate: Estimate; onClose: () => void }) {
  const { t } = useTranslation('billing')
  const show = useSnackbar()
  const [amount, setAmount] = useState(cap.capMinor === null ? '' : decimalText(cap.capMinor, minorDigits(currency)))
  const [action, setAction] = useState(cap.action)
  const [wrong, setWrong] = useState(false)
  const save = useBillingChange(billing.routes.setCap, () => {
    show('cap', { message: t('cap.saved') })
    onClose()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const capMinor = amount.trim() === '' ? null : parseMoney(amount, currency)
    setWrong(amount.trim() !== '' && capMinor === null)
    if (amount.trim() === '' || capMinor !== null) save.mutate({ capMinor, action })
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('cap.title')}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" form="cap-form" loading={save.isPending}>
            {t('cap.save')}
          </Button>
        </>
      }
    >
      <form id="cap-form" className={classes.form} onSubmit={submit}>
        {save.error && <FailureNotice title={t('cap.notSaved')} error={save.error} />}
        <TextInput
          label={t('cap.amount', { currency })}
          description={t('cap.amountHelp')}
          inputMode="decimal"
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
          error={wrong ? t('cap.wrong') : null}
          data-autofocus
        />
        <Radio.Group
          label={t('cap.action')}
          value={action}
          onChange={(next) => setAction(next === 'stop' ? 'stop' : 'continue')}
        >
          <div className={classes.stack}>
            <Radio value="continue" label={t('cap.continue')} description={t('cap.continueText')} mt="xs" />
            <Radio value="stop" label={t('cap.stop')} description={t('cap.stopText')} />
          </div>
        </Radio.Group>
      </form>
    </Dialog>
  )
}
