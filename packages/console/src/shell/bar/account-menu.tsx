import { Menu, UnstyledButton } from '@mantine/core'
import { IconAlertSquareRounded, IconBook2, IconKeyboard, IconLifebuoy, IconLogout } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { LinkMenuItem } from '../../ui/marks/links.tsx'
import classes from './account-menu.module.css'
import { HelpDeskItem } from './help-desk-item.tsx'
import { usePartner } from '../partner.ts'
import { useAccount } from '../access/session.ts'
import { useAccountPages } from './use-account-pages.ts'
import { useSignOut } from './use-sign-out.ts'

export function AccountMenu({ onOpenHelp }: { onOpenHelp: () => void }) {
  const { t } = useTranslation('shell')
  const user = useAccount()
  const partner = usePartner()
  const signOut = useSignOut()
  const pages = useAccountPages()
  const name = `${user.firstName} ${user.lastName}`.trim()
  return (
    <Menu position="bottom-end" width={248}>
      <Menu.Target>
        <UnstyledButton className={classes.avatar} aria-label={t('account.open', { initials: initials(user) })}>
          {initials(user)}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <span className={classes.name}>{name}</span>
          <span className={classes.mail}>{user.email}</span>
          <span className={classes.organization}>{user.organizationName}</span>
        </div>
        <Menu.Divider />
        {pages.map(({ key, to, icon: Icon }) =>
          key === 'myTickets' && user.helpDesk !== null ? (
            <HelpDeskItem key={key} provider={user.helpDesk} />
          ) : (
            <LinkMenuItem key={key} to={to} leftSection={<Icon size={16} stroke={1.65} />}>
              {t(`account.${key}`)}
            </LinkMenuItem>
          ),
        )}
        {user.hideFeature.includes('support') && partner?.contactEmail && (
          <Menu.Item
            component="a"
            href={`mailto:${partner.contactEmail}`}
            leftSection={<IconLifebuoy size={16} stroke={1.65} />}
          >
            {t('account.contactUs')}
          </Menu.Item>
        )}
        {pages.length > 0 && <Menu.Divider />}
        <Menu.Item leftSection={<IconKeyboard size={16} stroke={1.65} />} onClick={onOpenHelp}>
          {t('account.shortcuts')}
        </Menu.Item>
        {partner !== null && partner.apiDocumentUrl !== '' && (
          <Menu.Item
            component="a"
            href={partner.apiDocumentUrl}
            target="_blank"
            rel="noreferrer"
            leftSection={<IconBook2 size={16} stroke={1.65} />}
          >
            {t('account.apiDocument')}
          </Menu.Item>
        )}
        <LinkMenuItem to="/docs/errors" leftSection={<IconAlertSquareRounded size={16} stroke={1.65} />}>
          {t('account.errorCodes')}
        </LinkMenuItem>
        {!user.sandboxMode && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<IconLogout size={16} stroke={1.65} />} onClick={signOut}>
              {t('account.signOut')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function initials({ firstName, lastName, email }: { firstName: string; lastName: string; email: string }): string {
  const letters = [firstName, lastName].map((part) => [...part][0] ?? '').join('')
  return (letters || [...email].slice(0, 2).join('')).toUpperCase()
}
