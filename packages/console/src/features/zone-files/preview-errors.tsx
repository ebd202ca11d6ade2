import type { ZoneFileError } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../ui/page/notice.tsx'
import classes from './zone-files.module.css'

/** Where the file is wrong, and how. */
export function PreviewErrors({ errors }: { errors: readonly ZoneFileError[] }) {
  const { t } = useTranslation('zone-files')
  return (
    <Notice tone="bad" title={t('broken', { count: errors.length })}>
      <ul className={classes.errors} aria-label={t('errors')} tabIndex={0}>
        {errors.map(({ line, column, fault, text }) => (
          <li key={`${line} ${column} ${fault} ${text}`}>
            <span className={classes.place}>{t('place', { line, column })}</span> {t(`fault.${fault}`)}{' '}
            {text !== '' && <code>{text}</code>}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
