import { cdnManagement } from '@fairway/contract'
import type { DomainCdn } from '@fairway/contract'
import { Button, NumberInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import classes from './increment-dialog.module.css'

type IncrementDialogProps = { opened: boolean; onClose: () => void; place: Place; cdn: DomainCdn }

const FACTOR = { min: 0.1, max: 10 }
const ADD = { min: -1000, max: 1000 }

/** Favours or burdens a CDN when latencies are ranked. What charts show stays what was measured. */
export function IncrementDialog({ opened, onClose, place, cdn }: IncrementDialogProps) {
  const { t } = useTranslation(['cdn-management', 'shell'])
  const format = useFormat()
  const show = useSnackbar()
  const [factor, setFactor] = useState<number | string>(cdn.latencyFactor)
  const [addMs, setAddMs] = useState<number | string>(cdn.latencyAddMs)
  const update = useChange(cdnManagement.routes.update, {
    subject: null,
    onDone: () => {
      show(`increment ${cdn.id}`, { message: t('increment.saved', { name: cdn.name }) })
      onClose()
    },
  })
  useEffect(() => {
    if (!opened) return
    setFactor(cdn.latencyFactor)
    setAddMs(cdn.latencyAddMs)
    update.reset()
    // Only opening starts it anew: a measurement that arrives while it is open must not throw away what is typed.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [opened])
  const isNumber = typeof factor === 'number' && typeof addMs === 'number'
  const measured = cdn.health.latencyMs
  const ranked = measured !== null && isNumber ? measured * factor + addMs : null
  const isValid = isNumber && factor >= FACTOR.min && factor <= FACTOR.max && addMs >= ADD.min && addMs <= ADD.max
  const save = () => {
    if (isValid) update.mutate({ ...place, id: cdn.id, latencyFactor: factor, latencyAddMs: addMs })
  }

  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('increment.title', { name: cdn.name })}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button loading={update.isPending} onClick={save}>
            {t('increment.verb')}
          </Button>
        </>
      }
    >
      <div
        className={classes.body}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save()
        }}
      >
        {update.error && <FailureNotice title={t('increment.notSaved')} error={update.error} />}
        <p className={classes.meaning}>{t('increment.meaning')}</p>
        <div className={classes.fields}>
          <NumberInput
            label={t('increment.factor')}
            value={factor}
            onChange={setFactor}
            {...FACTOR}
            step={0.1}
            decimalScale={2}
            clampBehavior="none"
            hideControls={false}
            data-autofocus
            error={
              typeof factor === 'number' && factor >= FACTOR.min && factor <= FACTOR.max
                ? null
                : t('increment.factorWrong')
            }
          />
          <NumberInput
            label={t('increment.add')}
            value={addMs}
            onChange={setAddMs}
            {...ADD}
            step={1}
            suffix=" ms"
            allowDecimal={false}
            clampBehavior="none"
            hideControls={false}
            error={typeof addMs === 'number' && addMs >= ADD.min && addMs <= ADD.max ? null : t('increment.addWrong')}
          />
        </div>
        <p className={classes.formula} role="status">
          {measured === null ? (
            t('increment.noData')
          ) : ranked === null || ranked <= 0 ? (
            t('increment.notPositive')
          ) : (
            <>
              <span className="num">
                {format.milliseconds(measured)} × {format.number(Number(factor))} {Number(addMs) < 0 ? '−' : '+'}{' '}
                {format.milliseconds(Math.abs(Number(addMs)))} ={' '}
              </span>
              <strong className="num">{format.milliseconds(ranked)}</strong>
            </>
          )}
        </p>
      </div>
    </Dialog>
  )
}
