import { teammates } from '@fairway/contract'
import { ActionIcon } from '@mantine/core'
import { IconUsersGroup } from '@tabler/icons-react'
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
      <ActionIcon
        variant="default"
        size={34}
        aria-label={t('whoCan.open')}
        title={t('whoCan.open')}
        onClick={() => setState('open')}
      >
        <IconUsersGroup size={16} stroke={1.65} />
      </ActionIcon>
      {state !== 'never' && (
        <Suspense fallback={null}>
          <WhoCanPanel feature={feature} opened={state === 'open'} onClose={() => setState('closed')} />
        </Suspense>
      )}
    </>
  )
}
