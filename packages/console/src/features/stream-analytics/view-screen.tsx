import { type ViewMoment, type ViewTimeline, streamAnalytics } from '@fairway/contract'
import { Skeleton, Switch } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'

import { LinkButton } from '../../ui/marks/links.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { StatRow } from '../../ui/page/stat-card.tsx'
import { FRESH_MS } from './stream-page.tsx'
import classes from './stream-analytics.module.css'
import { useStreamTexts } from './use-texts.ts'

/** One view from its start to its end: what the player told, what the edge answered, and why it stalled. */
export function StreamViewScreen() {
  const { t } = useTranslation('stream-analytics')
  const { view = '' } = useParams({ strict: false })
  const { data, error, refetch } = useRead(streamAnalytics.routes.timeline, { view }, { everyMs: FRESH_MS })
  return (
    <>
      <PageHeader
        title={t('viewTitle', { view: view.slice(0, 8) })}
        meaning={t('viewMeaning')}
        actions={
          <LinkButton
            to="/stream/analytics/views"
            variant="default"
            leftSection={<IconArrowLeft size={16} stroke={1.65} />}
          >
            {t('views.title')}
          </LinkButton>
        }
      />
      <Gate route={streamAnalytics.routes.timeline} meaning={t('viewMeaning')}>
        <div className={classes.page}>
          {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
          {!data && !error && <Skeleton height={420} radius="lg" />}
          {data && <Timeline timeline={data} />}
        </div>
      </Gate>
    </>
  )
}

function Timeline({ timeline: { view, score, moments, segments } }: { timeline: ViewTimeline }) {
  const { t } = useTranslation('stream-analytics')
  const format = useFormat()
  const texts = useStreamTexts()
  const [withSegments, setWithSegments] = useState(false)
  const shown = moments.filter(({ kind }) => kind !== 'beat' && (withSegments || kind !== 'segment'))
  return (
    <>
      <StatRow
        label={t('figures')}
        stats={[
          {
            label: t('scoreTitle'),
            value: texts.score(score.score),
            note:
              score.failed > 0
                ? t('failed')
                : t('scoreLess', { startup: format.number(score.startup), stalls: format.number(score.stalls) }),
          },
          { label: t('chart.startupP50One'), value: texts.startup(view.startupMs) },
          {
            label: t('stalls'),
            value: format.number(view.stalls),
            note: t('stalledFor', { time: texts.wait(view.stalledMs) }),
          },
          {
            label: t('watched'),
            value: texts.duration(view.watchedMs),
            note: texts.valueName('source', view.source, view.name),
          },
          {
            label: t('country'),
            value: texts.valueName('country', view.country, null),
            note: [view.network, texts.valueName('device', view.device, null), view.player]
              .filter((word) => word !== '')
              .join(' · '),
          },
        ]}
      />
      <Card
        title={t('timeline')}
        hint={t('timelineHint', { count: segments })}
        flush
        end={
          <Switch
            size="xs"
            label={t('withSegments')}
            checked={withSegments}
            onChange={({ currentTarget }) => setWithSegments(currentTarget.checked)}
          />
        }
      >
        <FlushTable
          label={t('timeline')}
          head={[
            { key: 'at', text: t('at') },
            { key: 'what', text: t('what') },
            { key: 'more', text: t('more') },
            { key: 'cdn', text: t('cdn'), wide: true },
            { key: 'bitrate', text: t('column.bitrate'), number: true },
            { key: 'buffer', text: t('buffer'), number: true },
          ]}
        >
          {shown.map((moment, index) => (
            // Two things may happen in one millisecond.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={`${moment.at} ${moment.kind} ${index}`}>
              <td className="num" title={format.exact(moment.at)}>
                {t('after', { value: format.number(Math.round((moment.at - view.beganAt) / 100) / 10) })}
              </td>
              <th scope="row">
                <Pill tone={toneOf(moment)}>{t(`moment.${moment.kind}`)}</Pill>
              </th>
              <td>
                <More moment={moment} />
              </td>
              <td data-wide>{texts.cdnName(moment.cdn)}</td>
              <td data-number className="num">
                {texts.bitrate(moment.bitrateKbps)}
              </td>
              <td data-number className="num">
                {texts.startup(moment.bufferMs)}
              </td>
            </tr>
          ))}
        </FlushTable>
      </Card>
    </>
  )
}

const toneOf = ({ kind, isFatal, status }: ViewMoment) => {
  if (kind === 'stall' || isFatal || (status !== null && status >= 400)) return 'bad'
  if (kind === 'error') return 'warn'
  return kind === 'first' || kind === 'resume' ? 'ok' : 'neutral'
}

function More({ moment }: { moment: ViewMoment }) {
  const { t } = useTranslation('stream-analytics')
  const format = useFormat()
  const { wait, rate } = useStreamTexts()
  const { kind, ms, height, error, isFatal, cause, reasons, status, cacheStatus, bytes, throughputKbps } = moment
  if (kind === 'segment')
    return (
      <>{[String(status ?? ''), cacheStatus, bytes === null ? '' : format.bytes(bytes)].filter(Boolean).join(' · ')}</>
    )
  if (kind === 'stall')
    return (
      <>
        {t(`cause.${cause ?? 'unknown'}`)}
        {reasons.length > 0 && (
          <ul className={classes.reasons}>
            {reasons.map((reason) => (
              <li key={reason}>{t(`reason.${reason}`)}</li>
            ))}
          </ul>
        )}
      </>
    )
  if (kind === 'error')
    return (
      <>
        <code>{error}</code> {isFatal && t('errors.fatalOne')}
      </>
    )
  if (kind === 'quality') return <>{height === null ? '—' : t('lines', { value: height })}</>
  if (kind === 'steer') return <>{t('session', { session: moment.session.slice(0, 8) })}</>
  if (ms !== null) return <>{wait(ms)}</>
  return <>{throughputKbps === null ? '' : t('throughput', { value: rate(throughputKbps) })}</>
}
