import { type PageKind, type PageLanguage, customPages } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Copy } from '../../ui/marks/copy.tsx'
import classes from './custom-pages.module.css'

type PagePreviewProps = {
  site: string
  kind: PageKind
  /** Without a text: the brand's page. */ html?: string
  digest?: string
  language?: PageLanguage
}

/** The bytes that a visitor gets, in a frame that may run nothing and reach nothing. */
export function PagePreview({ site, kind, html, digest, language = 'en' }: PagePreviewProps) {
  const { t } = useTranslation('custom-pages')
  const { data, error, refetch, isPlaceholderData } = useRead(customPages.routes.preview, {
    site,
    kind,
    language,
    ...(html === undefined ? {} : { html }),
    ...(digest === undefined ? {} : { digest }),
  })
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={480} radius="md" />
  return (
    <figure className={classes.preview} data-stale={isPlaceholderData || undefined}>
      <iframe className={classes.frame} title={t('preview.title')} sandbox="" srcDoc={data.html} />
      <figcaption className={classes.quiet}>
        {t('preview.bytes')} <code>{data.digest.slice(0, 12)}</code>{' '}
        <Copy value={data.digest} name={t('preview.digest')} />
      </figcaption>
    </figure>
  )
}
