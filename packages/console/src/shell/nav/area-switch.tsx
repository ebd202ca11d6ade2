import { useTranslation } from 'react-i18next'
import classes from './left-nav.module.css'

const AREAS = ['own', 'operator'] as const

/** Between one's own sites and what an operator looks after; only the navigation changes, the page stays. */
export function AreaSwitch({
  area,
  onChoose,
}: {
  area: (typeof AREAS)[number]
  onChoose: (area: (typeof AREAS)[number]) => void
}) {
  const { t } = useTranslation('shell')
  return (
    <div className={classes.areas} role="group" aria-label={t('nav.areas')}>
      {AREAS.map((one) => (
        <button
          key={one}
          type="button"
          className={classes.area}
          aria-pressed={one === area}
          onClick={() => onChoose(one)}
        >
          {t(`nav.area.${one}`)}
        </button>
      ))}
    </div>
  )
}
