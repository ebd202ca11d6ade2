import { purges } from '@fairway/contract'
import type { RouteInput } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import classes from './screen.module.css'

type Input = RouteInput<typeof purges.routes.preview>
const SETTLED_MS = 400

/** What the edge nodes hold of it now: how much, how large, and the largest. */
export function PurgePreviewCard({ input }: { input: Input | null }) {
  const { t } = useTranslation('cache-control')
  const format = useFormat()
  const [settled] = useDebouncedValue(input, SETTLED_MS)
  const { data, error, isPlaceholderData } = useRead(purges.routes.preview, settled ?? NOTHING, {
    enabled: settled !== null,
  })
  const shown = settled === null || isPlaceholderData ? undefined : data
  return (
    <Card title={t('preview.title')} hint={shown ? t('preview.nodes', { count: shown.nodes }) : undefined}>
      <div role="status">
        {settled === null && <p className={classes.quiet}>{t('preview.nothing')}</p>}
        {settled !== null && error && !shown && <FailureNotice title={t('preview.failed')} error={error} />}
        {settled !== null && !error && !shown && <Skeleton height={120} radius="md" />}
        {shown && (
          <>
            <dl className={classes.figures}>
              <div>
                <dt>{t('preview.objects')}</dt>
                <dd className="num">
                  {format.number(shown.objects)}
                  {!shown.complete && '+'}
                </dd>
              </div>
              <div>
                <dt>{t('preview.bytes')}</dt>
                <dd className="num">{format.bytes(shown.bytes)}</dd>
              </div>
            </dl>
            {!shown.complete && <p className={classes.quiet}>{t('preview.partly')}</p>}
            <ul className={classes.list}>
              {shown.cdns.map((cdn) => (
                <li key={cdn.cdnId}>
                  <CdnName name={cdn.name} series={cdn.series} />
                  <span className="num">{t('purge.held', { count: cdn.objects, bytes: format.bytes(cdn.bytes) })}</span>
                </li>
              ))}
            </ul>
            {shown.top.length > 0 && (
              <>
                <p className={classes.label}>{t('preview.top')}</p>
                <ul className={classes.list}>
                  {shown.top.map(({ host, target, bytes }) => (
                    <li key={`${host}${target}`}>
                      <code>{target}</code>
                      <span className="num">{format.bytes(bytes)}</span>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </>
        )}
      </div>
    </Card>
  )
}

/** Not asked: only keeps the hook's form. */
const NOTHING: Input = { site: '', domainIds: [], kind: 'url', targets: [] }
