import { crsRules, CrsSettings, LIMITS } from '@fairway/contract'
import { NumberInput, Skeleton } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { SwitchRow } from '../../ui/forms/switch-row.tsx'
import { SaveBar } from '../../ui/layers/save-bar.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { diffRows } from '../../ui/marks/diff-view.tsx'
import { Card } from '../../ui/page/card.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useUndoVersion } from '../versions/use-undo-version.ts'
import classes from './crs-rules.module.css'
import { Labelled } from './labelled.tsx'

const DraftEffect = lazy(async () => ({
  default: (await import('../web-security/draft-effect.tsx')).DraftEffect,
}))

type Props = { place: Place; saved: CrsSettings; ruleSet: string }
const LEVELS = ['1', '2', '3', '4'] as const
const SETS = ['xss', 'sqlInjection', 'genericInjection'] as const

/** Which sets are asked, how strictly, and what becomes of what they find. Kept as a draft until it is saved. */
export function SettingsForm({ place, saved, ruleSet }: Props) {
  const { t } = useTranslation('crs-rules')
  const mayEdit = useCanCall(crsRules.routes.update)
  const show = useSnackbar()
  const undo = useUndoVersion(place.site)
  const [draft, setDraft] = useState<Partial<CrsSettings>>({})
  const now = { ...saved, ...draft }
  const update = useChange(crsRules.routes.update, {
    subject: null,
    onDone: ({ meta }) => {
      setDraft({})
      show('crs settings', { message: t('saved'), ...undo(meta.version) })
    },
  })
  const set = (change: Partial<CrsSettings>) => setDraft((before) => ({ ...before, ...change }))
  const isValid = CrsSettings.safeParse(now).success
  const off = !mayEdit || !now.enabled
  return (
    <>
      {update.error && <FailureNotice title={t('notSaved')} error={update.error} />}
      <div className={classes.columns}>
        <Card title={t('sets.title')} hint={ruleSet}>
          <div className={classes.fields}>
            <SwitchRow
              label={t('field.enabled')}
              text={t('help.enabled')}
              checked={now.enabled}
              disabled={!mayEdit}
              onChange={(enabled) => set({ enabled })}
            />
            {SETS.map((name) => (
              <SwitchRow
                key={name}
                label={t(`set.${name}`)}
                text={t(`setMeaning.${name}`)}
                checked={now.full || now.sets[name]}
                disabled={off || now.full}
                onChange={(on) => set({ sets: { ...now.sets, [name]: on } })}
              />
            ))}
            <SwitchRow
              label={t('field.full')}
              text={t('help.full')}
              checked={now.full}
              disabled={off}
              onChange={(full) => set({ full })}
            />
          </div>
        </Card>
        <Card title={t('strictness')}>
          <div className={classes.fields}>
            <Labelled label={t('field.mode')} help={t(`modeMeaning.${now.mode}`)}>
              <Segmented
                label={t('field.mode')}
                value={now.mode}
                onChange={(mode) => set({ mode })}
                options={(['block', 'simulate'] as const).map((value) => ({
                  value,
                  label: t(`mode.${value}`),
                  disabled: off,
                }))}
              />
            </Labelled>
            <Labelled label={t('field.paranoiaLevel')} help={t(`levelMeaning.${now.paranoiaLevel}`)}>
              <Segmented
                label={t('field.paranoiaLevel')}
                value={LEVELS.find((one) => one === String(now.paranoiaLevel)) ?? '1'}
                onChange={(level) => set({ paranoiaLevel: Number(level) })}
                options={LEVELS.map((value) => ({ value, label: value, disabled: off }))}
              />
            </Labelled>
            <NumberInput
              label={t('field.threshold')}
              description={t('help.threshold')}
              value={now.threshold}
              disabled={off}
              min={LIMITS.crs.threshold.min}
              max={LIMITS.crs.threshold.max}
              allowDecimal={false}
              onChange={(value) => set({ threshold: Number(value) })}
            />
            <NumberInput
              label={t('field.bodyLimitKb')}
              description={`${t('help.bodyLimitKb')} ${t('help.fields', { most: LIMITS.crs.arguments.toLocaleString() })} ${t('help.coded')}`}
              value={now.bodyLimitKb}
              disabled={off}
              min={LIMITS.crs.bodyLimitKb.min}
              max={LIMITS.crs.bodyLimitKb.max}
              allowDecimal={false}
              suffix=" KiB"
              onChange={(value) => set({ bodyLimitKb: Number(value) })}
            />
            <Labelled label={t('field.longBodies')} help={t(`longMeaning.${now.longBodies}`)}>
              <Segmented
                label={t('field.longBodies')}
                value={now.longBodies}
                onChange={(longBodies) => set({ longBodies })}
                options={(['inspect-beginning', 'block'] as const).map((value) => ({
                  value,
                  label: t(`long.${value}`),
                  disabled: off,
                }))}
              />
            </Labelled>
            <Labelled label={t('field.onFailure')} help={t(`failureMeaning.${now.onFailure}`)}>
              <Segmented
                label={t('field.onFailure')}
                value={now.onFailure}
                onChange={(onFailure) => set({ onFailure })}
                options={(['pass', 'block'] as const).map((value) => ({
                  value,
                  label: t(`failure.${value}`),
                  disabled: off,
                }))}
              />
            </Labelled>
          </div>
        </Card>
      </div>
      {/* A node is asked for what the rules find: not before there is something to compare. */}
      {Object.keys(draft).length > 0 && (
        <Suspense fallback={<Skeleton height={240} radius="lg" />}>
          <DraftEffect place={place} draft={isValid ? { part: 'crs-rules', settings: draft } : null} />
        </Suspense>
      )}
      <SaveBar
        changes={diffRows(
          flat(saved),
          flat(now),
          (_field, value) => t(`said.${String(value)}`, { defaultValue: String(value) }),
          (field) => t(field in saved.sets ? `set.${field}` : `field.${field}`),
        )}
        busy={update.isPending || !isValid}
        onSave={() => update.mutate({ ...place, ...draft })}
        onDiscard={() => setDraft({})}
      />
    </>
  )
}

const flat = ({ sets, ...rest }: CrsSettings) => ({ ...rest, ...sets })
