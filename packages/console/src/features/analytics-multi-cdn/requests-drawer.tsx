import { analyticsMultiCdn, type LoggedRequest } from '@fairway/contract'
import { Skeleton, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { timeLabels } from '../../ui/charts/time-labels.ts'
import type { TimeSpan } from '../../ui/charts/time-series-model.ts'
import { Copy } from '../../ui/marks/copy.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import classes from './requests-drawer.module.css'
import type { TrafficPlace } from './traffic-place.ts'
import { useValueName } from './use-value-name.ts'

const SHOWN = 100
/** Ids of one process begin alike. */
const ID_SHOWN = 8

type Props = { opened: boolean; onClose: () => void; place: TrafficPlace; span: TimeSpan; path: string | undefined }

/** The single requests behind a point or a path, newest first. Every request is logged; nothing is drawn by lot. */
export function RequestsDrawer({ opened, onClose, place, span, path }: Props) {
  const { t } = useTranslation('analytics-multi-cdn')
  const format = useFormat()
  const [id, setId] = useState('')
  const { seconds: _seconds, until: _until, ...filter } = place
  const query = useRead(
    analyticsMultiCdn.routes.requests,
    {
      ...filter,
      from: Math.floor(span.from / 1000),
      until: Math.ceil(span.to / 1000),
      limit: SHOWN,
      ...(path === undefined ? {} : { path }),
      ...(id.trim() === '' ? {} : { request: id.trim() }),
    },
    { enabled: opened },
  )
  const found = query.data
  const labels = timeLabels(format, span)
  return (
    <SideDrawer opened={opened} onClose={onClose} title={path ?? t('raw.title')} size={720}>
      <div className={classes.root}>
        <p className={classes.meaning}>
          {t('raw.window', { from: labels.moment(span.from), until: labels.moment(span.to) })} {t('raw.meaning')}
        </p>
        <TextInput
          size="xs"
          label={t('raw.id')}
          description={t('raw.idHelp')}
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: classes.id }}
        />
        {!found &&
          (query.error ? (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          ) : (
            <Skeleton height={320} radius="sm" />
          ))}
        {found?.total === 0 && <EmptyTeach title={t('raw.empty')} text={t('raw.emptyText')} />}
        {found !== undefined && found.total > 0 && (
          <>
            <p className={classes.count} role="status">
              {found.total > found.data.length
                ? t('raw.newest', {
                    shown: format.number(found.data.length),
                    count: found.total,
                    number: format.number(found.total),
                  })
                : t('raw.all', { count: found.total, number: format.number(found.total) })}
            </p>
            <ul className={classes.list} data-dimmed={query.isPlaceholderData || undefined}>
              {found.data.map((row, index) => (
                <Request key={`${row.id} ${index}`} row={row} />
              ))}
            </ul>
          </>
        )}
      </div>
    </SideDrawer>
  )
}

function Request({ row }: { row: LoggedRequest }) {
  const { t } = useTranslation('analytics-multi-cdn')
  const format = useFormat()
  const { cdnOf, nameOf } = useValueName()
  const cdn = cdnOf(row.cdnId)
  return (
    <li className={classes.request}>
      <div className={classes.line}>
        <span className="num" title={format.exact(row.at)}>
          {format.timeOfDay(row.at)}
        </span>
        <span className={classes.status} data-class={row.status < 100 ? 5 : Math.floor(row.status / 100)}>
          {row.status < 100 ? t('raw.none') : row.status}
        </span>
        <code className={classes.path} title={`${row.host}${row.path}`}>
          {row.method} {row.host}
          {row.path}
        </code>
      </div>
      <div className={classes.facts}>
        <span>
          {nameOf('cache', row.cacheStatus)}
          {row.why !== '' && `: ${t(`why.${row.why}`, { defaultValue: row.why })}`}
        </span>
        <CdnName name={cdn.name} series={cdn.series} />
        <span className="num">{format.bytes(row.bytes)}</span>
        <span className="num">{format.milliseconds(row.ms)}</span>
        <span>{row.country === '' ? t('unknownCountry') : format.country(row.country)}</span>
        <code title={t('raw.cut')}>{row.client}</code>
        {row.id !== '' && (
          <span className={classes.copied}>
            <code title={row.id}>…{row.id.slice(-ID_SHOWN)}</code>
            <Copy value={row.id} />
          </span>
        )}
      </div>
    </li>
  )
}
