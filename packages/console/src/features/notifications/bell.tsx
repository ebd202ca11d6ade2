import { ActionIcon, Popover } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { Suspense, lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './bell.module.css'
import { useUnreadCount } from './use-news.ts'

/** Everything behind the bell comes when it is opened for the first time. */
const BellPanel = lazy(async () => ({ default: (await import('./bell-panel.tsx')).BellPanel }))

/** A dot while something is not read; opened, the newest of it. */
export function Bell() {
  const { t } = useTranslation('notifications')
  const [opened, setOpened] = useState(false)
  const unread = useUnreadCount()
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={380} trapFocus withRoles>
      <Popover.Target>
        <ActionIcon
          className={classes.bell}
          size={32}
          aria-label={unread > 0 ? t('bellUnread', { count: unread }) : t('bell')}
          onClick={() => setOpened(!opened)}
        >
          <IconBell size={17} stroke={1.65} />
          {unread > 0 && <span className={classes.dot} />}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel} aria-label={t('bell')}>
        <Suspense fallback={<div className={classes.waiting} aria-busy />}>
          {opened && <BellPanel unread={unread} onClose={() => setOpened(false)} />}
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
