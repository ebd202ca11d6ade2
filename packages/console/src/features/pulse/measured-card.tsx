import type { PulseFigures } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'
import { Card } from '../../ui/page/card.tsx'
import classes from './pulse.module.css'

const PARTS = ['firstByteMs', 'roundTripMs', 'connectMs', 'tlsMs'] as const

/** What browsers measured of each CDN in a day, its parts kept apart. */
export function MeasuredCard({ figures, away }: { figures: PulseFigures | undefined; away: boolean }) {
  const { t } = useTranslation('pulse')
  const format = useFormat()
  const ms = (value: number | null) => (value === null ? '—' : format.milliseconds(value))
  return (
    <Card title={t('measured')} hint={t('measuredHint')} flush>
      {figures === undefined ? (
        away ? (
          <p className={classes.empty}>{t('away')}</p>
        ) : (
          <Skeleton height={160} />
        )
      ) : figures.cdns.length === 0 ? (
        <p className={classes.empty}>{t('measuredNone')}</p>
      ) : (
        <FlushTable
          label={t('measured')}
          head={[
            { key: 'cdn', text: t('column.cdn') },
            { key: 'samples', text: t('column.samples'), number: true, wide: true },
            { key: 'availability', text: t('column.availability'), number: true },
            ...PARTS.map((key) => ({
              key,
              text: t(`column.${key}`),
              number: true as const,
              ...(key === 'firstByteMs' ? {} : { wide: true as const }),
            })),
            { key: 'mbps', text: t('column.mbps'), number: true, wide: true },
          ]}
        >
          {figures.cdns.map((cdn) => (
            <tr key={cdn.cdnId}>
              <th scope="row">
                <CdnName name={cdn.name} series={cdn.series} />
              </th>
              <td className="num" data-number data-wide>
                {format.number(cdn.samples)}
              </td>
              <td className="num" data-number>
                {format.percent(cdn.availability)}
              </td>
              {PARTS.map((key) => (
                <td key={key} className="num" data-number {...(key === 'firstByteMs' ? {} : { 'data-wide': true })}>
                  {ms(cdn[key])}
                </td>
              ))}
              <td className="num" data-number data-wide>
                {cdn.mbps === null ? '—' : t('mbps', { number: format.number(cdn.mbps) })}
              </td>
            </tr>
          ))}
        </FlushTable>
      )}
      {figures?.splitSince && (
        <p className={classes.under}>{t('splitSince', { at: format.exact(Date.parse(figures.splitSince)) })}</p>
      )}
    </Card>
  )
}
