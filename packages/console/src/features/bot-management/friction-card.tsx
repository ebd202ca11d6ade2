import { botManagement, type ChallengeFriction } from '@fairway/contract'
import { costsPeople } from '@fairway/domain'
import { Skeleton, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import settings from '../general-settings/screen.module.css'
import { SettingRow } from '../general-settings/setting-row.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import classes from './bot-management.module.css'

const COLUMNS = ['people', 'gaveUp', 'challenged'] as const

/** What challenges cost people, by rule, and whether those that they give up become easier by themselves. */
export function FrictionCard({ place }: { place: Place }) {
  const { t } = useTranslation('bot-management')
  const { data, error, refetch } = useRead(botManagement.routes.friction, place)
  const mayEdit = useCanCall(botManagement.routes.setFriction)
  const save = useChange(botManagement.routes.setFriction, { subject: null })
  return (
    <Card title={t('friction.title')} hint={t('friction.hint')} flush>
      {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton height={160} />)}
      {save.error && <FailureNotice title={t('notSaved')} error={save.error} />}
      {data && (
        <>
          <ul className={settings.rows}>
            <SettingRow name={t('friction.softening')} why={t('friction.why')}>
              <Switch
                checked={save.isPending ? save.variables.softening : data.softening}
                disabled={!mayEdit || save.isPending}
                onChange={({ currentTarget }) => save.mutate({ ...place, softening: currentTarget.checked })}
                aria-label={t('friction.softening')}
              />
            </SettingRow>
          </ul>
          {data.data.length === 0 ? (
            <EmptyTeach title={t('friction.empty')} text={t('friction.emptyText')} />
          ) : (
            <FlushTable
              label={t('friction.title')}
              head={[
                { key: 'rule', text: t('friction.rule') },
                { key: 'mode', text: t('friction.mode') },
                ...COLUMNS.map((key) => ({ key, text: t(`friction.${key}`), number: true as const })),
              ]}
            >
              {data.data.map((one) => (
                <Row key={one.rule} one={one} />
              ))}
            </FlushTable>
          )}
        </>
      )}
    </Card>
  )
}

function Row({ one: { name, mode, softened, lastDay } }: { one: ChallengeFriction }) {
  const { t } = useTranslation('bot-management')
  const format = useFormat()
  return (
    <tr>
      <th scope="row">{name ?? t('field.securityLevel')}</th>
      <td>
        {t(`mode.${mode}`)}
        {softened && (
          <>
            {' '}
            <Pill tone="warn">
              {t('friction.now', {
                mode: softened.mode === null ? t('friction.nobody') : t(`mode.${softened.mode}`),
              })}
            </Pill>
            <small className={classes.since}>
              {t('friction.since', {
                time: format.exact(Date.parse(softened.since)),
                gaveUp: format.number(softened.gaveUp),
                people: format.number(softened.people),
              })}
            </small>
          </>
        )}
        {mode === 'human' && lastDay !== null && costsPeople(lastDay) && (
          <small className={classes.since}>{t('friction.offer')}</small>
        )}
      </td>
      {COLUMNS.map((key) => (
        <td key={key} data-number>
          {lastDay === null ? '—' : format.number(lastDay[key])}
        </td>
      ))}
    </tr>
  )
}
