import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AskForHelp } from '../marks/ask-for-help.tsx'
import { Notice } from './notice.tsx'
import { failureText } from '../layers/snackbar.tsx'

type ErrorStateProps = { error: unknown; onRetry?: () => void }

/** Where data should be but could not be read: why, and a way to try again. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const { t } = useTranslation('errors')
  return (
    <Notice
      tone="bad"
      title={t('cannotShow')}
      action={
        onRetry && (
          <Button variant="default" size="xs" onClick={onRetry}>
            {t('page.tryAgain')}
          </Button>
        )
      }
    >
      {failureText(t, error)} <AskForHelp error={error} />
    </Notice>
  )
}
