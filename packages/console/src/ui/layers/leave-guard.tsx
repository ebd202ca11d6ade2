import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Confirm } from './confirm.tsx'

type LeaveGuardProps = {
  when: boolean
  /** What is typed into stands over the page: the browser's way back asks too where it stays on the page. */
  isLayer?: boolean
}

/** Asks before a form with something typed into it is left. A form that saves passes by with `ignoreBlocker`. */
export function LeaveGuard({ when, isLayer = false }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next, action }) =>
      when && (current.pathname !== next.pathname || (isLayer && action !== 'PUSH' && action !== 'REPLACE')),
    enableBeforeUnload: when,
    withResolver: true,
  })
  return (
    <LeaveConfirm
      opened={blocker.status === 'blocked'}
      onStay={() => blocker.reset?.()}
      onLeave={() => blocker.proceed?.()}
    />
  )
}

type LeaveConfirmProps = { opened: boolean; onStay: () => void; onLeave: () => void }

/** Whether what was typed may be thrown away. */
export function LeaveConfirm({ opened, onStay, onLeave }: LeaveConfirmProps) {
  const { t } = useTranslation('leave')
  return (
    <Confirm opened={opened} onClose={onStay} title={t('title')} verb={t('verb')} danger onConfirm={onLeave}>
      {t('text')}
    </Confirm>
  )
}
