import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'

/** The secret, this once. */
export function SecretDialog({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  const { t } = useTranslation('webhooks')
  return (
    <Dialog
      opened={secret !== null}
      onClose={onClose}
      title={t('secretTitle')}
      size={520}
      footer={
        <Button onClick={onClose} data-autofocus>
          {t('secretKept')}
        </Button>
      }
    >
      <p>{t('secretText')}</p>
      <CodeSnippet label={t('secret')} code={secret ?? ''} />
    </Dialog>
  )
}
