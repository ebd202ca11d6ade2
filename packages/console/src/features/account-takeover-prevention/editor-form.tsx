import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { validationText } from '../../i18n/validation.ts'
import { useScope } from '../../shell/scope/scope.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { LeaveGuard } from '../../ui/layers/leave-guard.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import classes from '../firewall-rules/editor.module.css'
import { TryButton } from '../web-security/try-button.tsx'

type EditorFormProps = {
  title: string
  saveVerb: string
  failure: Error | null
  isBusy: boolean
  isDirty: boolean
  /** What is wrong without a place of its own. */ wrong: readonly string[]
  onSave: () => void
  onBack: () => void
  children: ReactNode
}

/** Head, foot and failures of a form on a page of its own. */
export function EditorForm(props: EditorFormProps) {
  const { title, saveVerb, failure, isBusy, isDirty, wrong, onSave, onBack, children } = props
  const { t } = useTranslation(['account-takeover-prevention', 'shell', 'validation'])
  const { site, domain } = useScope()
  return (
    <>
      <PageHeader
        title={title}
        meaning={t('meaning')}
        actions={domain && <TryButton place={{ site: site.id, domain: domain.id }} />}
      />
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          onSave()
        }}
      >
        {failure && <FailureNotice title={t('notSaved')} error={failure} />}
        {children}
        {wrong.length > 0 && (
          <ul className={classes.wrong} role="alert">
            {wrong.map((message) => (
              <li key={message}>{validationText(t, message)}</li>
            ))}
          </ul>
        )}
        <div className={classes.foot}>
          <Button variant="default" onClick={onBack}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {saveVerb}
          </Button>
        </div>
      </form>
      <LeaveGuard when={isDirty && !isBusy} />
    </>
  )
}

/** Back to the list, past the question whether to leave. */
export function useBack(tab: 'failed-login' | 'credential-stuffing'): () => void {
  const { site, domain } = useScope()
  const navigate = useNavigate()
  return () =>
    void navigate({
      to: '/$site/{-$domain}/origin-shield/account-takeover-prevention',
      params: { site: site.domainName, domain: domain?.name },
      search: tab === 'credential-stuffing' ? { tab } : {},
      ignoreBlocker: true,
    })
}
