import { type RouteInput, webSecurity } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import classes from './back-test.module.css'

const BackTestResult = lazy(async () => ({ default: (await import('./back-test-result.tsx')).BackTestResult }))

type SecurityChange = RouteInput<typeof webSecurity.routes.backTest>['change']
type Props = {
  place: { site: string; domain: string }
  /** What would be saved now; null when it cannot be, which the form says. */
  change: SecurityChange | null
}

/** What a change would have made of the requests of the last days, asked of the real engine before it is saved. */
export function BackTestPanel({ place, change }: Props) {
  const { t } = useTranslation('web-security')
  const [asked, setAsked] = useState<SecurityChange | null>(null)
  const query = useRead(webSecurity.routes.backTest, { ...place, change: asked ?? {} }, { enabled: asked !== null })
  const ask = () => {
    if (JSON.stringify(change) === JSON.stringify(asked)) void query.refetch()
    else setAsked(change)
  }
  return (
    <Card
      title={t('backTest.title')}
      hint={t('backTest.hint')}
      end={
        <Button
          variant="default"
          size="xs"
          loading={query.isFetching}
          leftSection={<IconHistory size={14} stroke={1.65} />}
          disabled={change === null}
          onClick={ask}
        >
          {t('backTest.run')}
        </Button>
      }
    >
      {asked === null ? (
        <p className={classes.note}>{t('backTest.before')}</p>
      ) : query.data ? (
        <div role="status" className={classes.root} data-dimmed={query.isPlaceholderData || undefined}>
          <Suspense fallback={<Skeleton height={180} radius="sm" />}>
            <BackTestResult result={query.data} />
          </Suspense>
        </div>
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton height={180} radius="sm" />
      )}
    </Card>
  )
}
