import { Button, Skeleton } from '@mantine/core'
import { IconMap, IconTable } from '@tabler/icons-react'
import { Suspense, lazy, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { paintCountries } from './map-model.ts'
import { seriesStyle } from './series.ts'
import type { WorldMapProps } from './world-map-props.ts'
import { WorldTable } from './world-table.tsx'
import classes from './world-map.module.css'

const Canvas = lazy(() => import('./world-map-canvas.tsx').then(({ WorldMapCanvas }) => ({ default: WorldMapCanvas })))

/**
 * Countries in the colour of the CDN that wins them; the same as a table on request. A country whose winner changes
 * pulses once.
 */
export function WorldMap(props: WorldMapProps) {
  const { name, countries, legend, strengthBy = 'total', withoutLegend = false } = props
  const { t } = useTranslation('charts')
  const format = useFormat()
  const [asTable, setAsTable] = useState(false)
  const paints = useMemo(() => paintCountries(countries, strengthBy), [countries, strengthBy])
  const won = legend
    .map(({ key, name: cdn }) => ({
      cdn,
      count: [...paints.values()].filter(({ winner }) => winner.key === key).length,
    }))
    .filter(({ count }) => count > 0)
  const sentence = [
    name,
    ...won.map(({ cdn, count }) => t('winsCountries', { name: cdn, count, number: format.number(count) })),
  ].join('. ')

  return (
    <div className={classes.root}>
      {asTable ? (
        <WorldTable {...props} paints={paints} />
      ) : (
        <Suspense fallback={<Skeleton className={classes.waiting} radius="sm" />}>
          <Canvas {...props} paints={paints} label={sentence} />
        </Suspense>
      )}
      <div className={classes.foot}>
        <ul className={classes.legend} aria-label={t('legend')}>
          {!withoutLegend &&
            legend.map(({ key, name: cdn, series }) => (
              <li key={key} style={seriesStyle(series)}>
                <span className={classes.dot} aria-hidden="true" />
                {cdn}
              </li>
            ))}
          {strengthBy === 'total' && (
            <li className={classes.scale}>
              {t('fewer')}
              <span className={classes.ramp} aria-hidden="true" />
              {t('more')}
            </li>
          )}
        </ul>
        <Button
          variant="subtle"
          size="xs"
          leftSection={asTable ? <IconMap size={15} stroke={1.65} /> : <IconTable size={15} stroke={1.65} />}
          onClick={() => setAsTable(!asTable)}
        >
          {t(asTable ? 'showAsMap' : 'showAsTable')}
        </Button>
      </div>
    </div>
  )
}
