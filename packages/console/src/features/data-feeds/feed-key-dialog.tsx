import type { OutsideFeed } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { FeedCode } from './feed-code.tsx'

type FeedKeyDialogProps = { made: { feed: OutsideFeed; key: string } | null; cdnId: string; onClose: () => void }

/** The key, this once, and what to run with it. */
export function FeedKeyDialog({ made, cdnId, onClose }: FeedKeyDialogProps) {
  const { t } = useTranslation('outside-feeds')
  return (
    <Dialog
      opened={made !== null}
      onClose={onClose}
      title={t('key.title', { feed: made?.feed.name ?? '' })}
      size={560}
      footer={
        <Button onClick={onClose} data-autofocus>
          {t('key.kept')}
        </Button>
      }
    >
      <p>{t('key.text')}</p>
      <CodeSnippet label="FEED_KEY" code={made?.key ?? ''} />
      {made && <FeedCode url={made.feed.url} cdnId={cdnId} />}
    </Dialog>
  )
}
