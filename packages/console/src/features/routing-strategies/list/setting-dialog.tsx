import { DataLevel, routingStrategies, type SteeringSetting } from '@fairway/contract'
import { Button, MultiSelect, NumberInput, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../api/api-error.ts'
import { useRead } from '../../../api/queries.ts'
import { useChange } from '../../../api/use-change.ts'
import { validationText } from '../../../i18n/validation.ts'
import { FailureNotice } from '../../../ui/forms/failure-notice.tsx'
import { SwitchRow } from '../../../ui/forms/switch-row.tsx'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { useSnackbar } from '../../../ui/layers/snackbar.tsx'
import type { Place } from '../strategies-read.ts'
import classes from './setting-dialog.module.css'

const NUMBERS = [
  { key: 'minimumSamples', min: 1, max: 10_000, mayBeEmpty: false },
  { key: 'marginPercent', min: 0, max: 50, mayBeEmpty: false },
  { key: 'maxAgeSeconds', min: 30, max: 3600, mayBeEmpty: true },
  { key: 'ttlSeconds', min: 30, max: 86_400, mayBeEmpty: true },
  { key: 'fallbackTtlSeconds', min: 30, max: 86_400, mayBeEmpty: true },
] as const

type SettingDialogProps = { place: Place; onClose: () => void }

/** How a domain's decisions read measurements, and how long answers are kept. */
export function SettingDialog({ place, onClose }: SettingDialogProps) {
  const { t } = useTranslation(['routing-strategies', 'shell', 'validation'])
  const show = useSnackbar()
  const { data, error } = useRead(routingStrategies.routes.setting, place)
  const [changes, setChanges] = useState<Partial<SteeringSetting>>({})
  const put = useChange(routingStrategies.routes.putSetting, {
    subject: null,
    onDone: () => {
      show('steering-setting', { message: t('setting.done') })
      onClose()
    },
  })
  const set = (change: Partial<SteeringSetting>) => setChanges((before) => ({ ...before, ...change }))
  const shown = data && { ...data, ...changes }
  const problems = put.error instanceof ApiError ? put.error.fields : []
  const problemOf = (key: string) => {
    const found = problems.find(({ path }) => path.split('.')[0] === key)
    return found && (validationText(t, found.message) ?? found.message)
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('setting.title')}
      size={560}
      tall
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button
            loading={put.isPending}
            disabled={!data}
            onClick={() => (Object.keys(changes).length === 0 ? onClose() : put.mutate({ ...place, ...changes }))}
          >
            {t('shell:save.save')}
          </Button>
        </>
      }
    >
      <div className={classes.root}>
        {error && <FailureNotice title={t('setting.away')} error={error} />}
        {!shown ? (
          !error && <Skeleton height={360} />
        ) : (
          <>
            <div className={classes.numbers}>
              {NUMBERS.map(({ key, min, max, mayBeEmpty }) => (
                <NumberInput
                  key={key}
                  label={t(`setting.${key}`)}
                  description={t(`setting.about.${key}`)}
                  value={shown[key] ?? ''}
                  min={min}
                  max={max}
                  allowDecimal={key === 'marginPercent'}
                  placeholder={mayBeEmpty ? t(`setting.usual.${key}`) : ''}
                  error={problemOf(key)}
                  onChange={(value) => {
                    if (typeof value === 'number') set(only(key, value))
                    else if (mayBeEmpty && value === '') set(only(key, null))
                  }}
                />
              ))}
            </div>
            <MultiSelect
              label={t('setting.levels')}
              description={t('setting.about.levels')}
              placeholder={shown.levels === null ? t('setting.usual.levels') : ''}
              data={DataLevel.options.map((value) => ({ value, label: t(`setting.level.${value}`) }))}
              value={shown.levels ?? []}
              error={problemOf('levels')}
              onChange={(chosen) => {
                const levels = DataLevel.options.filter((one) => chosen.includes(one))
                set({ levels: levels.length === 0 ? null : levels })
              }}
            />
            <SwitchRow
              label={t('setting.significance')}
              text={t('setting.about.significance')}
              checked={shown.significance}
              onChange={(significance) => set({ significance })}
            />
          </>
        )}
        {put.error && problems.length === 0 && <FailureNotice title={t('setting.failed')} error={put.error} />}
      </div>
    </Dialog>
  )
}

function only<K extends keyof SteeringSetting>(key: K, value: SteeringSetting[K]): Partial<SteeringSetting> {
  const change: Partial<SteeringSetting> = {}
  change[key] = value
  return change
}
