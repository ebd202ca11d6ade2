import { streamAnalytics } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { type PeerTag, watchedPage } from './watched-page.ts'

/** How a page plays a video or a live stream so that its views are known. */
export function ViewsSnippet({
  source,
  manifestUrl,
  isLive,
  peers,
}: {
  source: string
  manifestUrl: string
  isLive: boolean
  /** With what viewers pass segments to each other by. */
  peers?: PeerTag
}) {
  const { t } = useTranslation('stream-analytics')
  const { data, error, refetch } = useRead(streamAnalytics.routes.tag, { source })
  return (
    <Card
      title={t('snippet')}
      hint={t('snippetHint')}
      end={
        <LinkButton to="/stream/analytics/audience" search={{ source }} variant="default" size="xs">
          {t('audience.title')}
        </LinkButton>
      }
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={220} radius="sm" />}
      {data && <CodeSnippet label={t('snippet')} code={watchedPage({ ...data, manifestUrl, isLive, peers })} />}
    </Card>
  )
}
