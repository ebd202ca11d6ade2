import { IconTools } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { currentLocale } from '../../i18n/i18n.ts'
import { BlankLayout } from '../../shell/layouts/blank-layout.tsx'
import { configRead } from '../../shell/config.ts'
import { MessagePage } from '../../shell/errors/message-page.tsx'
import classes from './screen.module.css'

/** While everything is closed. The guards lead back when it is over, without a reload. */
export function MaintenanceScreen() {
  const { t } = useTranslation('maintenance')
  const words = useQuery(configRead).data?.maintenanceText[currentLocale()]
  return (
    <BlankLayout wayIn={false}>
      <MessagePage
        title={t('title')}
        icon={<IconTools className={classes.icon} size={32} stroke={1.4} aria-hidden />}
        text={words || t('text')}
        actions={
          <Link className="link" to="/login" search={{ next: '/operator' }}>
            {t('operator')}
          </Link>
        }
      >
        <p className={classes.watch}>{t('watch')}</p>
      </MessagePage>
    </BlankLayout>
  )
}
