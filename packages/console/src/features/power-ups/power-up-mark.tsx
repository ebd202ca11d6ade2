import type { PowerUp, PowerUpCategory } from '@fairway/contract'
import {
  IconBuildingPavilion,
  IconLifebuoy,
  IconMap2,
  IconMapPin,
  IconMovie,
  IconPlug,
  IconPuzzle,
  IconScale,
  IconServer,
  IconServer2,
  IconShield,
  IconWorld,
  IconWorldWww,
} from '@tabler/icons-react'
import { seriesStyle } from '../../ui/charts/series.ts'
import classes from './power-ups.module.css'

const ICONS: Record<PowerUpCategory, typeof IconWorld> = {
  'basic-cdn': IconServer2,
  'global-cdn': IconWorld,
  'regional-cdn': IconMapPin,
  'china-cdn': IconBuildingPavilion,
  'china-rim': IconMap2,
  'custom-cdn': IconPlug,
  'origin-server': IconServer,
  dns: IconWorldWww,
  'smart-load-balancing': IconScale,
  'origin-shield': IconShield,
  'support-package': IconLifebuoy,
  stream: IconMovie,
  other: IconPuzzle,
}

/** Its picture, or the sign of its category in the CDN's colour. */
export function PowerUpMark({
  powerUp: { logo, category, series },
}: {
  powerUp: Pick<PowerUp, 'logo' | 'category' | 'series'>
}) {
  if (logo !== null)
    return (
      <span className={classes.mark} data-picture>
        <img src={logo} alt="" />
      </span>
    )
  const Icon = ICONS[category]
  return (
    <span
      className={classes.mark}
      data-series={series !== null || undefined}
      {...(series === null ? {} : { style: seriesStyle(series) })}
      aria-hidden
    >
      <Icon size={20} stroke={1.6} />
    </span>
  )
}
