import { type MonitoringCdn, type MonitoringState, privateData } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'
import { Age } from '../../ui/marks/age.tsx'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import classes from './private-data.module.css'

const TONE: Record<MonitoringState, Tone> = { deploying: 'info', operational: 'ok', aside: 'warn', failed: 'bad' }
const ALL = { page_size: -1, ordering: 'name' } as const
/** The worker looks at an object within seconds while it is being deployed, otherwise once a minute. */
const SOON_MS = 3_000
const STEADY_MS = 30_000

/** The monitoring CDNs of the organisation: what browsers measure by objects of its own. */
export function PrivateDataScreen() {
  const { t } = useTranslation('private-data')
  const mayEdit = useCanCall(privateData.routes.create)
  const { data, error, refetch } = useRead(privateData.routes.list, ALL, {
    everyMs: (list) => (list?.data.some(({ state }) => state === 'deploying') ? SOON_MS : STEADY_MS),
  })
  const add = mayEdit && (
    <LinkButton
      to="/dem/private-data/$type/{-$id}"
      params={{ type: 'cdn', id: undefined }}
      leftSection={<IconPlus size={16} stroke={1.9} />}
    >
      {t('add')}
    </LinkButton>
  )
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning')} actions={data && data.data.length > 0 ? add : null} />
      <Gate route={privateData.routes.list} meaning={t('meaning')}>
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton height={320} radius="lg" />}
        {data && (
          <div className={classes.page}>
            <Card flush={data.data.length > 0}>
              {data.data.length === 0 ? (
                <EmptyTeach title={t('empty.title')} text={t('empty.text')} action={add} />
              ) : (
                <List rows={data.data} />
              )}
            </Card>
            <Card title={t('house.title')} hint={t('house.hint')}>
              <div className={classes.fields}>
                <p className={classes.quiet}>{t('house.text')}</p>
                <CodeSnippet label={t('house.label')} code={`${data.houseObject.origin}${data.houseObject.path}`} />
              </div>
            </Card>
          </div>
        )}
      </Gate>
    </>
  )
}

function List({ rows }: { rows: readonly MonitoringCdn[] }) {
  const { t } = useTranslation('private-data')
  const format = useFormat()
  return (
    <FlushTable
      label={t('title')}
      head={[
        { key: 'name', text: t('field.name') },
        { key: 'state', text: t('column.state') },
        { key: 'provider', text: t('field.provider'), wide: true },
        { key: 'for', text: t('field.track'), wide: true },
        { key: 'object', text: t('column.object'), wide: true },
        { key: 'checked', text: t('column.checked'), wide: true },
      ]}
    >
      {rows.map((row) => {
        const faults = row.findings.filter(({ state }) => state === 'fault').map(({ check }) => t(`check.${check}`))
        return (
          <tr key={row.id}>
            <th scope="row">
              <Link to="/dem/private-data/edit/$id" params={{ id: row.id }}>
                {row.name}
              </Link>
            </th>
            <td title={faults.length > 0 ? format.list(faults) : undefined}>
              <Pill tone={TONE[row.state]}>{t(`state.${row.state}`)}</Pill>
            </td>
            <td data-wide>{row.provider || '—'}</td>
            <td data-wide>{row.track === 'steer' ? (row.cdnName ?? '—') : t('track.compare')}</td>
            <td data-wide className={classes.mono}>{`${row.hostname}${row.path}`}</td>
            <td data-wide>{row.checkedAt === null ? '—' : <Age at={row.checkedAt} />}</td>
          </tr>
        )
      })}
    </FlushTable>
  )
}
