import { ApiPath, apiSchema, LIMITS } from '@fairway/contract'
import type { ApiSchema, ApiSchemaMode } from '@fairway/contract'
import { Button, Switch, TagsInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { validationText } from '../../i18n/validation.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Card } from '../../ui/page/card.tsx'
import { SettingRow } from '../general-settings/setting-row.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useUndoVersion } from '../versions/use-undo-version.ts'
import classes from './api-schema.module.css'
import { EffectDialog } from './effect-dialog.tsx'

const MODES = ['off', 'simulate', 'block'] as const

/** Whether it is learned, what the API is, and what becomes of requests that do not fit. */
export function SchemaSettings({ place, schema }: { place: Place; schema: ApiSchema }) {
  const { t } = useTranslation(['api-schema', 'validation'])
  const format = useFormat()
  const show = useSnackbar()
  const undo = useUndoVersion(place.site)
  const mayEdit = useCanCall(apiSchema.routes.update)
  const [wanted, setWanted] = useState<ApiSchemaMode | null>(null)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const update = useChange(apiSchema.routes.update, {
    onDone: ({ meta }) => {
      setWanted(null)
      show('api-schema', { message: t('saved'), ...undo(meta.version) })
    },
  })
  const { inForce } = schema
  const choose = (mode: ApiSchemaMode) => (mode === 'off' ? update.mutate({ ...place, mode }) : setWanted(mode))
  const setPaths = (paths: string[]) => {
    const wrong = paths.map((path) => ApiPath.safeParse(path)).find(({ success }) => !success)
    setProblem(paths.length === 0 ? 'validation.required' : wrong?.error?.issues[0]?.message)
    if (paths.length > 0 && !wrong) update.mutate({ ...place, paths })
  }
  return (
    <Card flush title={t('settings')}>
      <ul className={classes.rows}>
        <SettingRow name={t('field.learning')} why={t('why.learning')}>
          <Switch
            aria-label={t('field.learning')}
            checked={schema.learning}
            disabled={!mayEdit || update.isPending}
            onChange={({ currentTarget }) => update.mutate({ ...place, learning: currentTarget.checked })}
          />
        </SettingRow>
        <SettingRow name={t('field.paths')} why={t('why.paths')}>
          <TagsInput
            className={classes.paths}
            aria-label={t('field.paths')}
            value={schema.paths}
            maxTags={LIMITS.apiSchema.paths}
            disabled={!mayEdit || update.isPending}
            error={validationText(t, problem)}
            onChange={setPaths}
          />
        </SettingRow>
        <SettingRow
          name={t('field.mode')}
          why={
            inForce === null
              ? t('why.noSchema')
              : t(`modeText.${schema.mode}`, { count: inForce.endpoints, date: format.date(Date.parse(inForce.since)) })
          }
        >
          <Segmented
            label={t('field.mode')}
            value={schema.mode}
            onChange={choose}
            options={MODES.map((value) => ({
              value,
              label: t(`mode.${value}`),
              disabled: !mayEdit || update.isPending || (inForce === null && value !== 'off'),
            }))}
          />
        </SettingRow>
      </ul>
      {wanted !== null && (
        <EffectDialog
          place={place}
          onClose={() => setWanted(null)}
          actions={
            <>
              {wanted === 'block' && schema.mode === 'off' && (
                <Button
                  variant="default"
                  loading={update.isPending}
                  onClick={() => update.mutate({ ...place, mode: 'simulate' })}
                >
                  {t('effect.simulateFirst')}
                </Button>
              )}
              <Button
                {...(wanted === 'block' ? { color: 'red' } : {})}
                loading={update.isPending}
                onClick={() => update.mutate({ ...place, mode: wanted })}
              >
                {t(`effect.do.${wanted}`)}
              </Button>
            </>
          }
        />
      )}
    </Card>
  )
}
