import { type PulseSettings, pulse } from '@fairway/contract'
import { Button, NumberInput, Switch } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { LeaveGuard } from '../../ui/layers/leave-guard.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Card } from '../../ui/page/card.tsx'
import classes from './pulse.module.css'

const LIMITS = { startDelaySeconds: [2, 60], repeatDelaySeconds: [10, 60], batchNumber: [0, 50] } as const
const FIELDS = ['startDelaySeconds', 'repeatDelaySeconds', 'batchNumber'] as const
type Draft = Record<(typeof FIELDS)[number], number | ''> & { throughput: boolean }

const draftOf = ({ settings, throughput }: PulseSettings): Draft => ({
  startDelaySeconds: settings.startDelaySeconds,
  repeatDelaySeconds: settings.repeatDelaySeconds,
  batchNumber: settings.batchNumber,
  throughput,
})
const isInside = (field: (typeof FIELDS)[number], value: number | ''): value is number =>
  value !== '' && value >= LIMITS[field][0] && value <= LIMITS[field][1]

/** When the script measures, and how often. */
export function SettingsForm({ of, isStatic }: { of: PulseSettings; isStatic: boolean }) {
  const { t } = useTranslation('pulse')
  const show = useSnackbar()
  const mayEdit = useCanCall(pulse.routes.update)
  const [draft, setDraft] = useState(() => draftOf(of))
  const save = useChange(pulse.routes.update, {
    onDone: (saved) => {
      setDraft(draftOf(saved))
      show('pulse', { message: t('saved') })
    },
  })
  const { startDelaySeconds, repeatDelaySeconds, batchNumber, throughput } = draft
  const isValid = FIELDS.every((field) => isInside(field, draft[field]))
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(of))
  return (
    <Card title={t('settings')} hint={t(isStatic ? 'settingsStatic' : 'settingsDynamic')}>
      <form
        className={classes.fields}
        noValidate
        aria-label={t('settings')}
        onSubmit={(event) => {
          event.preventDefault()
          if (startDelaySeconds === '' || repeatDelaySeconds === '' || batchNumber === '' || !isValid) return
          save.mutate({ startDelaySeconds, repeatDelaySeconds, batchNumber, throughput })
        }}
      >
        {FIELDS.map((field) => (
          <NumberInput
            key={field}
            label={t(`field.${field}`)}
            description={t(`help.${field}`, { min: LIMITS[field][0], max: LIMITS[field][1] })}
            value={draft[field]}
            onChange={(value) => setDraft({ ...draft, [field]: typeof value === 'number' ? value : '' })}
            min={LIMITS[field][0]}
            max={LIMITS[field][1]}
            clampBehavior="none"
            allowDecimal={false}
            disabled={!mayEdit}
            error={
              isInside(field, draft[field]) ? null : t('between', { min: LIMITS[field][0], max: LIMITS[field][1] })
            }
          />
        ))}
        <Switch
          label={t('field.throughput')}
          description={t('help.throughput')}
          checked={throughput}
          disabled={!mayEdit}
          onChange={({ currentTarget }) => setDraft({ ...draft, throughput: currentTarget.checked })}
        />
        {isChanged && mayEdit && (
          <div className={classes.foot}>
            <Button variant="default" onClick={() => setDraft(draftOf(of))}>
              {t('discard')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t('save')}
            </Button>
          </div>
        )}
      </form>
      <LeaveGuard when={isChanged && mayEdit && !save.isPending} />
    </Card>
  )
}
