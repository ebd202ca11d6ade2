import { Button, Skeleton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '../../api/api-error.ts'
import { useFormat } from '../../i18n/format.ts'
import { useScope } from '../../shell/scope/scope.ts'
import { Card } from '../../ui/page/card.tsx'
import { TimeSeries } from '../../ui/charts/time-series.tsx'
import type { ChartLine, Mark, TimeSpan } from '../../ui/charts/time-series-model.ts'
import type { Look } from '../../ui/charts/time-series-option.ts'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import type { Comparison } from './compare-model.ts'
import { CdnFigures } from './cdn-figures.tsx'
import { chartCsv, downloadText } from './csv.ts'
import { CountryMap } from './country-map.tsx'
import { CountryTable } from './country-table.tsx'
import type { CdnFigure, CountryRow } from './report-model.ts'
import { SavePicture } from './save-picture.tsx'
import classes from './report-view.module.css'

type ReportViewProps = {
  query: { error: ApiError | null; refetch: () => unknown; isPlaceholderData: boolean }
  figures: CdnFigure[] | undefined
  /** What is compared, in the place of a figure and a line for each CDN. */
  compared: Comparison | undefined
  countries: CountryRow[] | undefined
  marks: readonly Mark[]
  chart: {
    name: string
    lines: readonly ChartLine[]
    span: TimeSpan
    intervalMs: number
    scale: 'zero' | 'close'
    look: Look
  }
  words: { map: string; table: string; csvName: string }
  formatValue: (value: number) => string
  formatAxis?: (value: number) => string
  /** The key figure, when it is another one than the chart's. */
  formatFigure?: (value: number) => string
  deltaUnit: 'percent' | 'points'
  /** Null when neither direction is good. */
  isUpGood: boolean | null
  /** Counts beside figures are answers, not samples. */
  countsAreAnswers?: boolean
  country: string | undefined
  onCountry: (country: string) => void
  onZoom: (span: TimeSpan) => void
}

/** The shape all tabs share: key figures, the line over time, the map and the countries. */
export function ReportView(props: ReportViewProps) {
  const {
    query,
    figures,
    compared,
    countries,
    marks,
    chart,
    words,
    formatValue,
    formatAxis,
    formatFigure = formatValue,
    deltaUnit,
    isUpGood,
    countsAreAnswers = false,
    country,
    onCountry,
    onZoom,
  } = props
  const { t } = useTranslation('analytics-dem')
  const format = useFormat()
  const { site, domain } = useScope()
  if (!figures || !countries) {
    return query.error ? (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <div className={classes.waiting} aria-busy="true">
        <Skeleton height={128} radius="lg" />
        <Skeleton height={340} radius="lg" />
        <Skeleton height={380} radius="lg" />
      </div>
    )
  }
  const lines = compared?.lines ?? chart.lines
  // Lines of several places do not add up to anything.
  const look = compared ? 'lines' : chart.look
  const failovers = marks.filter(({ kind }) => kind === 'failover').length
  const isEmpty = figures.every(({ samples }) => samples === 0)
  const save = () =>
    downloadText(
      `${domain?.name ?? site.domainName}-${words.csvName}.csv`,
      chartCsv(lines, words.csvName, compared ? 'line' : 'cdn'),
      'text/csv',
    )
  if (isEmpty)
    return (
      <Card>
        <EmptyTeach title={t('empty.title')} text={t(country === undefined ? 'empty.text' : 'empty.textCountry')} />
      </Card>
    )
  return (
    <div className={classes.root} data-dimmed={query.isPlaceholderData || undefined}>
      {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      <CdnFigures
        figures={compared?.figures ?? figures}
        formatFigure={formatFigure}
        deltaUnit={deltaUnit}
        isUpGood={isUpGood}
        countsAreAnswers={countsAreAnswers}
      />
      <Card
        title={chart.name}
        hint={t('interval', { length: format.seconds(chart.intervalMs / 1000) })}
        end={
          <>
            {failovers > 0 && <Pill tone="info">{t('failovers', { count: failovers })}</Pill>}
            <Button variant="default" size="xs" leftSection={<IconDownload size={14} stroke={1.65} />} onClick={save}>
              {t('export')}
            </Button>
            <SavePicture
              chart={{ ...chart, lines, look, marks }}
              formatAxis={formatAxis ?? formatValue}
              fileName={`${domain?.name ?? site.domainName}-${words.csvName}.png`}
              about={domain?.name ?? site.domainName}
            />
          </>
        }
      >
        <TimeSeries
          {...chart}
          lines={lines}
          look={look}
          marks={marks}
          formatValue={formatValue}
          {...(formatAxis ? { formatAxis } : {})}
          height={260}
          onZoom={onZoom}
        />
      </Card>
      <div className={classes.columns}>
        <CountryMap
          name={words.map}
          rows={countries}
          formatValue={formatValue}
          country={country}
          onCountry={onCountry}
          weighted={countsAreAnswers}
        />
        <CountryTable
          name={words.table}
          rows={countries}
          formatValue={countsAreAnswers ? format.compact : formatValue}
          country={country}
          onCountry={onCountry}
          countsAreAnswers={countsAreAnswers}
        />
      </div>
    </div>
  )
}
