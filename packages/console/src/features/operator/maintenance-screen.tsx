import { type Maintenance, operatorArea } from '@fairway/contract'
import { Skeleton, Switch, Textarea } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Card } from '../../ui/page/card.tsx'
import { diffRows } from '../../ui/marks/diff-view.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { SaveBar } from '../../ui/layers/save-bar.tsx'
import classes from './operator.module.css'
import { useRefreshing } from './use-refreshing.ts'

const LANGUAGES = [
  ['en', 'English'],
  ['zhHant', '繁體中文'],
  ['zhHans', '简体中文'],
] as const
const MOST = 500

/** Closes the console for everyone, with a word to the visitors in their language, and tells of a new version. */
export function MaintenanceScreen() {
  const { t } = useTranslation('operator')
  const { data, error, refetch } = useRead(operatorArea.routes.maintenance, {})
  const [draft, setDraft] = useState<Maintenance | null>(null)
  useEffect(() => {
    if (data) setDraft((before) => before ?? data)
  }, [data])
  const save = useRefreshing(operatorArea.routes.setMaintenance, '/operator/v2/', (saved) => setDraft(saved))
  const flat = ({ maintenanceMode, newVersion, text }: Maintenance) => ({ maintenanceMode, newVersion, ...text })
  const changes =
    data && draft
      ? diffRows(
          flat(data),
          flat(draft),
          (_field, value) => (typeof value === 'boolean' ? t(value ? 'on' : 'off') : String(value)),
          (field) => t(`maintenance.field.${field}`),
        )
      : []
  return (
    <>
      <PageHeader title={t('maintenance.title')} meaning={t('maintenance.meaning')} />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!draft && !error && <Skeleton height={320} radius="lg" />}
      {draft && (
        <>
          <Card title={t('maintenance.mode')}>
            <div className={classes.form}>
              <Switch
                label={t('maintenance.field.maintenanceMode')}
                description={t('maintenance.modeText')}
                checked={draft.maintenanceMode}
                onChange={(event) => setDraft({ ...draft, maintenanceMode: event.currentTarget.checked })}
              />
              {LANGUAGES.map(([locale, label]) => (
                <Textarea
                  key={locale}
                  lang={{ en: 'en', zhHant: 'zh-Hant', zhHans: 'zh-Hans' }[locale]}
                  label={t('maintenance.words', { language: label })}
                  autosize
                  minRows={2}
                  maxRows={6}
                  maxLength={MOST}
                  value={draft.text[locale]}
                  onChange={(event) =>
                    setDraft({ ...draft, text: { ...draft.text, [locale]: event.currentTarget.value } })
                  }
                />
              ))}
            </div>
          </Card>
          <Card title={t('maintenance.version')}>
            <div className={classes.form}>
              <Switch
                label={t('maintenance.field.newVersion')}
                description={t('maintenance.versionText')}
                checked={draft.newVersion}
                onChange={(event) => setDraft({ ...draft, newVersion: event.currentTarget.checked })}
              />
            </div>
          </Card>
          <SaveBar
            changes={changes}
            busy={save.isPending}
            onSave={() => save.mutate(draft)}
            onDiscard={() => setDraft(data ?? null)}
          />
        </>
      )}
    </>
  )
}
