import type { LiveStream } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { Card } from '../../ui/page/card.tsx'
import { SignedNotice } from '../signed-urls/signed-notice.tsx'
import { embedSnippets } from '../stream-assets/snippets.ts'
import { ViewsSnippet } from '../stream-analytics/views-snippet.tsx'
import classes from './live-streams.module.css'

/** How pages show the stream: the same ways as a video. */
export function CodePanel({ stream: { id, name, outputUrl, dashUrl, isSigned } }: { stream: LiveStream }) {
  const { t } = useTranslation(['live-streams', 'stream-assets'])
  if (outputUrl === null) return <p className={classes.quiet}>{t('notPlayable')}</p>
  return (
    <div className={classes.page}>
      {isSigned && <SignedNotice />}
      <Card title={t('output')}>
        <CodeSnippet label={t('output')} code={outputUrl} />
      </Card>
      {dashUrl !== null && (
        <Card title={t('stream-assets:dash')}>
          <CodeSnippet label={t('stream-assets:dash')} code={dashUrl} />
        </Card>
      )}
      {embedSnippets({ id, name, manifestUrl: outputUrl, dashUrl, posterUrl: null, isLive: true }).map(
        ({ key, code }) => (
          <Card key={key} title={t(`stream-assets:snippet.${key}`)}>
            <CodeSnippet label={t(`stream-assets:snippet.${key}`)} code={code} />
          </Card>
        ),
      )}
      <ViewsSnippet source={id} manifestUrl={outputUrl} isLive />
    </div>
  )
}
