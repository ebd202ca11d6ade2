import { teammates } from '@fairway/contract'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconUsersGroup } from '@tabler/icons-react'
import { Suspense, lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCanCall } from '../../../shell/access/session.ts'

const WhoCanPanel = lazy(() => import('./who-can-panel.tsx').then(({ WhoCanPanel: panel }) => ({ default: panel })))

/**
 * In the head of a page: *Who can do this?* for the feature that the page is about. `feature` is its name in the
 * contract.
 */
export function PageMenu({ feature }: { feature: string }) {
  const { t } = useTranslation('teammates')
  const canAsk = useCanCall(teammates.routes.whoCan)
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  if (!canAsk) return null
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="default" size={34} aria-label={t('pageMenu')}>
            <IconDots size={16} stroke={1.8} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('pageMenu')}>
          <Menu.Item leftSection={<IconUsersGroup size={15} stroke={1.65} />} onClick={() => setState('open')}>
            {t('whoCan.open')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {state !== 'never' && (
        <Suspense fallback={null}>
          <WhoCanPanel feature={feature} opened={state === 'open'} onClose={() => setState('closed')} />
        </Suspense>
      )}
    </>
  )
}
