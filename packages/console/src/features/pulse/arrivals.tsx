import type { PulseFigures, PulseSeen } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Age } from '../../ui/marks/age.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { StatRow } from '../../ui/page/stat-card.tsx'

type Told = { live: PulseSeen | null; figures: PulseFigures | undefined }

/** The newest beacon, by whoever knows: the collector as it happens, the store from before. */
function newestAt({ live, figures }: Told): string | null {
  const stored = figures?.newestAt ?? null
  if (live?.lastAt == null) return stored
  const seen = new Date(live.lastAt).toISOString()
  return stored !== null && stored > seen ? stored : seen
}

export function ArrivalPill(told: Told) {
  const { t } = useTranslation('pulse')
  if (told.live === null && told.figures === undefined) return null
  return newestAt(told) === null ? (
    <Pill tone="warn">{t('arrival.none')}</Pill>
  ) : (
    <Pill tone="ok">{t('arrival.some')}</Pill>
  )
}

/** What has arrived, and what the script costs a page. */
export function Arrivals({ live, figures, away }: Told & { away: boolean }) {
  const { t } = useTranslation('pulse')
  const format = useFormat()
  const newest = newestAt({ live, figures })
  const load = figures?.load
  // Unknown is not zero: while nothing is told there is a blank, without a measurement a dash.
  const told = (value: string | undefined) => (figures === undefined ? (away ? '—' : null) : (value ?? '—'))
  const pages = load && load.pages > 0 ? t('stat.ofPages', { number: format.number(load.pages) }) : undefined
  return (
    <>
      {away && <Notice tone="warn">{t('away')}</Notice>}
      <StatRow
        label={t('stat.label')}
        stats={[
          {
            id: 'last',
            label: t('stat.last'),
            value: newest === null ? told(undefined) : <Age at={newest} />,
            ...(live ? { note: t('stat.live', { number: format.number(live.beacons) }) } : {}),
          },
          { label: t('stat.beacons'), value: told(figures && format.number(figures.beacons)), note: t('stat.day') },
          {
            label: t('stat.requests'),
            value: told(load?.requests ? format.number(load.requests.median) : undefined),
            ...(pages === undefined ? {} : { note: pages }),
          },
          {
            label: t('stat.bytes'),
            value: told(load?.bytes ? format.bytes(load.bytes.median) : undefined),
            note: t('stat.median'),
          },
          {
            label: t('stat.task'),
            value: told(load?.longestTaskMs ? format.milliseconds(load.longestTaskMs.p95) : undefined),
            note: t('stat.p95'),
          },
        ]}
      />
    </>
  )
}
