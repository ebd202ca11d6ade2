import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Confirm } from './confirm.tsx'

/** Asks before a form with something typed into it is left. A form that saves passes by with `ignoreBlocker`. */
export function LeaveGuard({ when }: { when: boolean }) {
  const { t } = useTranslation('leave')
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => when && current.pathname !== next.pathname,
    enableBeforeUnload: when,
    withResolver: true,
  })
  return (
    <Confirm
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={t('title')}
      verb={t('verb')}
      danger
      onConfirm={() => blocker.proceed?.()}
    >
      {t('text')}
    </Confirm>
  )
}
