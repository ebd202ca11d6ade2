import { ViewId, streamAnalytics } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'
import { FilterBar } from '../../ui/filters/filter-bar.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Nobody } from './audience-screen.tsx'
import type { Change } from './search.ts'
import { FRESH_MS, StreamPage, placeOf } from './stream-page.tsx'
import classes from './stream-analytics.module.css'
import { useStreamTexts } from './use-texts.ts'

/** Single views, the newest first; found by their number. */
export function StreamViewsScreen() {
  const { t } = useTranslation('stream-analytics')
  const format = useFormat()
  const texts = useStreamTexts()
  const search = useSearch({ from: '/shell/stream/analytics/views' })
  const navigate = useNavigate({ from: '/stream/analytics/views' })
  const onSearch: Change = (change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const { view = '', only } = search
  const place = placeOf(search)
  const isWhole = ViewId.safeParse(view).success
  const { data, error, refetch } = useRead(
    streamAnalytics.routes.views,
    { ...place, ...(isWhole ? { view } : {}), ...(only === undefined ? {} : { only }) },
    place.until === undefined ? { everyMs: FRESH_MS } : {},
  )
  const rows = data?.data.filter((row) => row.view.startsWith(view.trim().toLowerCase()))
  return (
    <StreamPage name="views" search={search} onSearch={onSearch}>
      <FilterBar
        search={view}
        onSearch={(text) => onSearch({ view: text === '' ? undefined : text })}
        placeholder={t('findView')}
        {...(data ? { count: t('newest', { count: rows?.length ?? 0, most: data.limit }) } : {})}
      >
        <Segmented
          label={t('only.label')}
          value={only ?? 'all'}
          onChange={(next) => onSearch({ only: next === 'all' ? undefined : next })}
          options={(['all', 'stalled', 'failed'] as const).map((value) => ({ value, label: t(`only.${value}`) }))}
        />
      </FilterBar>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={420} radius="lg" />}
      {rows &&
        rows.length === 0 &&
        (view === '' && only === undefined ? (
          <Nobody />
        ) : (
          <Card>
            <p className={classes.quiet}>{t('noView')}</p>
          </Card>
        ))}
      {rows && rows.length > 0 && (
        <Card title={t('viewCount')} flush>
          <FlushTable
            label={t('viewCount')}
            head={[
              { key: 'view', text: t('view') },
              { key: 'source', text: t('source') },
              { key: 'began', text: t('began'), wide: true },
              { key: 'country', text: t('country'), wide: true },
              { key: 'device', text: t('deviceOne'), wide: true },
              { key: 'watched', text: t('watched'), number: true },
              { key: 'startup', text: t('column.startup'), number: true, wide: true },
              { key: 'stalls', text: t('stalls'), number: true, wide: true },
              { key: 'score', text: t('column.score'), number: true },
            ]}
          >
            {rows.map((row) => (
              <tr key={row.view}>
                <th scope="row">
                  <Link to="/stream/analytics/views/$view" params={{ view: row.view }}>
                    <code>{row.view.slice(0, 8)}</code>
                  </Link>
                </th>
                <td>{texts.valueName('source', row.source, row.name)}</td>
                <td data-wide title={format.exact(row.beganAt)}>
                  {format.timeOfDay(row.beganAt)}
                </td>
                <td data-wide>{texts.valueName('country', row.country, null)}</td>
                <td data-wide>{texts.valueName('device', row.device, null)}</td>
                <td data-number className="num">
                  {texts.duration(row.watchedMs)}
                </td>
                <td data-number data-wide className="num">
                  {texts.startup(row.startupMs)}
                </td>
                <td data-number data-wide className="num">
                  {format.number(row.stalls)}
                </td>
                <td data-number className="num">
                  {row.error === null ? texts.score(row.score) : <Pill tone="bad">{t('failed')}</Pill>}
                </td>
              </tr>
            ))}
          </FlushTable>
        </Card>
      )}
    </StreamPage>
  )
}
