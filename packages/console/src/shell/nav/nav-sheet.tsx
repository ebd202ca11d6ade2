import { Drawer } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Logo } from '../../ui/look/logo.tsx'
import { NavList } from './nav-list.tsx'
import classes from './left-nav.module.css'
import { usePartner } from '../partner.ts'
import { PlanUsage } from './plan-usage.tsx'

/** The navigation as a sheet on narrow screens. */
export function NavSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('shell')
  const name = usePartner()?.companyName ?? ''
  return (
    <Drawer.Root
      opened={opened}
      onClose={onClose}
      position="left"
      size={272}
      transitionProps={{ transition: 'slide-right', duration: 140 }}
    >
      <Drawer.Overlay className={classes.overlay} />
      <Drawer.Content classNames={{ content: classes.sheet }} aria-label={t('nav.label')}>
        <div className={classes.sheetHead}>
          <Logo name={name} />
          <Drawer.CloseButton aria-label={t('close')} />
        </div>
        <nav aria-label={t('nav.label')}>
          <NavList place="sheet" />
          <PlanUsage />
        </nav>
      </Drawer.Content>
    </Drawer.Root>
  )
}
