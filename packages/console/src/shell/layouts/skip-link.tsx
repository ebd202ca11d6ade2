import { useTranslation } from 'react-i18next'
import classes from './skip-link.module.css'

/** First stop of the keyboard: past everything that is the same on every page. */
export function SkipLink() {
  const { t } = useTranslation('shell')
  return (
    <a className={classes.skip} href="#main">
      {t('skipToContent')}
    </a>
  )
}
