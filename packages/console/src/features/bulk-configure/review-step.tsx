import { bulkConfigure, type BulkChange, type BulkPreview } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { ChangeDiff } from '../versions/version-item.tsx'
import classes from './bulk-configure.module.css'
import { useRefusalText } from './refusal-text.ts'

type Props = {
  domainIds: readonly string[]
  change: BulkChange
  busy: boolean
  onBack: () => void
  onRun: (domainIds: string[]) => void
}

/**
 * What the change would make of each domain, asked of the rules that will judge it. Only those that would change are
 * sent.
 */
export function ReviewStep({ domainIds, change, busy, onBack, onRun }: Props) {
  const { t } = useTranslation('bulk-configure')
  const { data, error, refetch, isPlaceholderData } = useRead(bulkConfigure.routes.preview, {
    domainIds: [...domainIds],
    change,
  })
  const previews = isPlaceholderData ? undefined : data?.data
  const changing = previews?.filter(({ code, changes }) => code === null && changes.length > 0) ?? []
  const refused = previews?.filter(({ code }) => code !== null).length ?? 0
  return (
    <>
      {!previews &&
        (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton height={320} radius="lg" />)}
      {previews && (
        <>
          <Notice
            tone={refused > 0 ? 'warn' : 'info'}
            title={t('review.summary', {
              count: changing.length,
              same: previews.length - changing.length - refused,
              refused,
            })}
          >
            {t('review.text')}
          </Notice>
          <Card title={t('review.title')} flush>
            <ul className={classes.list}>
              {previews.map((preview) => (
                <Preview key={preview.domainId} preview={preview} />
              ))}
            </ul>
          </Card>
        </>
      )}
      <div className={classes.foot}>
        <Button variant="default" onClick={onBack}>
          {t('back')}
        </Button>
        {changing.length > 0 && (
          <Button loading={busy} onClick={() => onRun(changing.map(({ domainId }) => domainId))}>
            {t('review.run', { count: changing.length })}
          </Button>
        )}
      </div>
    </>
  )
}

function Preview({ preview: { name, siteName, code, fields, changes } }: { preview: BulkPreview }) {
  const { t } = useTranslation('bulk-configure')
  const refusalText = useRefusalText()
  return (
    <li className={classes.item}>
      <p className={classes.line}>
        <span className={classes.name}>{name}</span>
        <span className={classes.site}>{siteName}</span>
        {code !== null ? (
          <Pill tone="bad">{t('review.refused')}</Pill>
        ) : changes.length === 0 ? (
          <Pill tone="neutral">{t('review.same')}</Pill>
        ) : (
          <Pill tone="info">{t('review.changes', { count: changes.length })}</Pill>
        )}
      </p>
      {code !== null && <p className={classes.why}>{refusalText(code, fields)}</p>}
      {changes.map((change) => (
        <ChangeDiff key={`${change.entity} ${change.id}`} change={change} named />
      ))}
    </li>
  )
}
