import { LIMITS, type LiveStream, liveStreams } from '@fairway/contract'
import { Button, Select, Skeleton } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useDuration } from '../../i18n/duration.ts'
import { useFormat } from '../../i18n/format.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { HealthCard } from './health-card.tsx'
import { PreviewCard } from './preview-card.tsx'
import classes from './live-streams.module.css'

const ALL = { page_size: -1, ordering: 'name' } as const
const SOON_MS = 2_000

/** Tries a live stream without an encoder: a test picture goes the way that an encoder's would. */
export function SimulationScreen() {
  const { t } = useTranslation('live-streams')
  const { stream: asked } = useSearch({ from: '/shell/stream/live-streams/simulation' })
  const navigate = useNavigate({ from: '/stream/live-streams/simulation' })
  const { data, error, refetch } = useRead(liveStreams.routes.list, ALL, { everyMs: SOON_MS })
  const sent = data?.data.filter(({ protocol }) => protocol === 'rtmp')
  const stream = sent?.find(({ id }) => id === asked) ?? (asked === undefined ? sent?.[0] : undefined)
  return (
    <>
      <PageHeader
        title={t('simulation.title')}
        meaning={t('simulation.meaning')}
        actions={
          <LinkButton
            to="/stream/live-streams"
            variant="default"
            leftSection={<IconArrowLeft size={16} stroke={1.65} />}
          >
            {t('back')}
          </LinkButton>
        }
      />
      <Gate route={liveStreams.routes.list} meaning={t('simulation.meaning')}>
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton height={420} radius="lg" />}
        {sent?.length === 0 && (
          <EmptyTeach
            title={t('empty.title')}
            text={t('simulation.empty')}
            action={<LinkButton to="/stream/live-streams/create">{t('create')}</LinkButton>}
          />
        )}
        {sent && sent.length > 0 && (
          <div className={classes.page}>
            <Select
              label={t('stream')}
              allowDeselect={false}
              searchable
              maw={420}
              data={sent.map(({ id, name }) => ({ value: id, label: name }))}
              value={stream?.id ?? null}
              onChange={(id) => void navigate({ search: { stream: id ?? undefined }, replace: true })}
            />
            {stream === undefined && <Notice tone="warn">{t('simulation.gone')}</Notice>}
            {stream && (
              <>
                <Steps stream={stream} onMoved={() => void refetch()} />
                <PreviewCard stream={stream} />
                <HealthCard stream={stream} />
              </>
            )}
          </div>
        )}
      </Gate>
    </>
  )
}

function Steps({ stream, onMoved }: { stream: LiveStream; onMoved: () => void }) {
  const { t } = useTranslation('live-streams')
  const format = useFormat()
  const duration = useDuration()
  const mayEdit = useCanCall(liveStreams.routes.setTest)
  const turnOn = useChange(liveStreams.routes.setTranscoder, { onDone: onMoved })
  const setTest = useChange(liveStreams.routes.setTest, { onDone: onMoved })
  const { id, test, input, transcoderStatus } = stream
  const isRunning = transcoderStatus === 3
  const isTaken = input?.state === 'live' && !input.isTest
  return (
    <Card title={t('simulation.steps')}>
      <div className={classes.page}>
        <ol className={classes.steps}>
          <li>{t(isRunning ? 'simulation.isOn' : 'simulation.turnOn')}</li>
          <li>{t('simulation.send', { length: duration(LIMITS.testPictureSeconds) })}</li>
          <li>{t('simulation.look')}</li>
        </ol>
        {isTaken && <Notice tone="info">{t('simulation.taken')}</Notice>}
        {test && (
          <p className={classes.quiet}>
            {test.until === null
              ? t('simulation.stays')
              : t('simulation.until', { time: format.dateTime(Date.parse(test.until)) })}
          </p>
        )}
        {mayEdit && (
          <div className={classes.buttons}>
            {!isRunning && (
              <Button
                disabled={transcoderStatus !== 1}
                loading={turnOn.isPending}
                onClick={() => turnOn.mutate({ id, on: true })}
              >
                {t('turnOn')}
              </Button>
            )}
            {isRunning && test === null && (
              <Button disabled={isTaken} loading={setTest.isPending} onClick={() => setTest.mutate({ id, on: true })}>
                {t('simulation.begin')}
              </Button>
            )}
            {test && (
              <Button variant="default" loading={setTest.isPending} onClick={() => setTest.mutate({ id, on: false })}>
                {t('simulation.end')}
              </Button>
            )}
          </div>
        )}
      </div>
    </Card>
  )
}
