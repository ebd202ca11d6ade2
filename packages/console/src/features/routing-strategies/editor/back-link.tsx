import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useScope } from '../../../shell/scope/scope.ts'
import classes from './strategy-editor.module.css'

/** The way back to the list that a form belongs to. */
export function BackLink({ tab }: { tab?: 'vsr' }) {
  const { t } = useTranslation('routing-strategies')
  const { site, domain } = useScope()
  return (
    <Link
      className={classes.back}
      to="/$site/{-$domain}/dem/routing-strategies"
      params={{ site: site.domainName, domain: domain?.name }}
      search={{ tab }}
    >
      <IconArrowLeft size={15} stroke={1.8} aria-hidden />
      {t(tab === 'vsr' ? 'tab.vsr' : 'title')}
    </Link>
  )
}
