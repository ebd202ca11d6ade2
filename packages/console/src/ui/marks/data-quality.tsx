import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import classes from './data-quality.module.css'

/** Samples from which a figure is steady rather than only allowed to decide. */
const PLENTY = 200

export type Quality = 'none' | 'few' | 'enough' | 'plenty'

/** How far a figure can be trusted by the number of its samples; `minimum` is the domain's setting. */
export function qualityOf(samples: number, minimum: number): Quality {
  if (samples === 0) return 'none'
  if (samples < minimum) return 'few'
  return samples < Math.max(PLENTY, minimum * 2) ? 'enough' : 'plenty'
}

type DataQualityProps = {
  samples: number
  minimum?: number
  /** Only the number beside the bars; the words are in the tooltip and for screen readers. */ brief?: boolean
}

/** What stands beside every measured figure: how many samples it is made of. */
export function DataQuality({ samples, minimum = 20, brief = false }: DataQualityProps) {
  const { t } = useTranslation('charts')
  const format = useFormat()
  const quality = qualityOf(samples, minimum)
  const count = t('samples', { count: samples, number: format.compact(samples) })
  const words = t(`quality.${quality}`, { minimum: format.number(minimum) })
  return (
    <span className={classes.root} data-quality={quality} title={`${count} · ${words}`}>
      <svg className={classes.bars} viewBox="0 0 11 10" width="11" height="10" aria-hidden="true">
        <rect x="0" y="6" width="3" height="4" rx="1" />
        <rect x="4" y="3" width="3" height="7" rx="1" />
        <rect x="8" y="0" width="3" height="10" rx="1" />
      </svg>
      <span className="num">
        {brief ? format.compact(samples) : count}
        <span className="sr-only">
          {brief ? `: ${count}` : ''}, {words}
        </span>
      </span>
    </span>
  )
}
