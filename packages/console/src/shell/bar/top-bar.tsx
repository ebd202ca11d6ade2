import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconMenu2, IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Bell } from '../../features/notifications/bell.tsx'
import { Logo } from '../../ui/look/logo.tsx'
import { AccountMenu } from './account-menu.tsx'
import { AddSiteButton } from './add-site-button.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { PALETTE_KEYS, openPalette } from '../palette/palette-store.ts'
import { usePartner } from '../partner.ts'
import { SchemeMenu } from './scheme-menu.tsx'
import classes from './top-bar.module.css'

type TopBarProps = { onOpenNav: () => void; onOpenHelp: () => void }

export function TopBar({ onOpenNav, onOpenHelp }: TopBarProps) {
  const { t } = useTranslation('shell')
  const name = usePartner()?.companyName ?? ''
  return (
    <header className={classes.bar}>
      <ActionIcon className={classes.menu} aria-label={t('openNavigation')} onClick={onOpenNav}>
        <IconMenu2 size={18} stroke={1.65} />
      </ActionIcon>
      <Link to="/home" className={classes.home} aria-label={t('goHome', { name })}>
        <Logo name={name} />
      </Link>
      <UnstyledButton className={classes.search} onClick={openPalette} aria-keyshortcuts="Control+K">
        <IconSearch size={16} stroke={1.65} aria-hidden />
        <span className={classes.searchText}>{t('search')}</span>
        <kbd className={classes.keys}>{PALETTE_KEYS}</kbd>
      </UnstyledButton>
      <div className={classes.tools}>
        <AddSiteButton />
        <LanguageMenu />
        <SchemeMenu />
        <Bell />
        <AccountMenu onOpenHelp={onOpenHelp} />
      </div>
    </header>
  )
}
