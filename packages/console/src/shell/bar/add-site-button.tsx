import { addSite } from '@fairway/contract'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../ui/marks/links.tsx'
import classes from './add-site-button.module.css'
import { useAccount, useCanCall } from '../access/session.ts'

/** In every top bar; a demonstration organisation has none. */
export function AddSiteButton() {
  const { t } = useTranslation('shell')
  const canAdd = useCanCall(addSite.routes.create)
  if (useAccount().sandboxMode || !canAdd) return null
  return (
    <LinkButton
      to="/add-site"
      variant="default"
      size="xs"
      className={classes.button}
      leftSection={<IconPlus size={15} stroke={1.9} aria-hidden />}
    >
      <span className={classes.words}>{t('addSite')}</span>
    </LinkButton>
  )
}
