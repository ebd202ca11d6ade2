import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'

/** The stream key, this once. */
export function KeyDialog({ streamKey, onClose }: { streamKey: string | null; onClose: () => void }) {
  const { t } = useTranslation('live-streams')
  return (
    <Dialog
      opened={streamKey !== null}
      onClose={onClose}
      title={t('keyTitle')}
      size={520}
      footer={
        <Button onClick={onClose} data-autofocus>
          {t('keyKept')}
        </Button>
      }
    >
      <p>{t('keyText')}</p>
      <CodeSnippet label={t('key')} code={streamKey ?? ''} />
    </Dialog>
  )
}
