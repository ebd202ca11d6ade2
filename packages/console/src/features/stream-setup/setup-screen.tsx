import { streamAssets } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { IconBroadcast, IconCheck, IconMovie } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Gate } from '../../shell/access/gate.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import classes from './stream-setup.module.css'
import { useAssetSteps, useLiveSteps } from './use-steps.ts'

/** Where the way begins: with a file, or with a camera. */
export function SetupScreen() {
  const { t } = useTranslation('stream-setup')
  return (
    <Framed>
      <div className={classes.choices}>
        <Card title={t('assets.title')}>
          <div className={classes.page}>
            <p className={classes.quiet}>{t('assets.text')}</p>
            <LinkButton to="/stream/assets/{-$sid}/setup" leftSection={<IconMovie size={16} stroke={1.65} />}>
              {t('assets.begin')}
            </LinkButton>
          </div>
        </Card>
        <Card title={t('live.title')}>
          <div className={classes.page}>
            <p className={classes.quiet}>{t('live.text')}</p>
            <LinkButton to="/stream/live-streams/{-$sid}/setup" leftSection={<IconBroadcast size={16} stroke={1.65} />}>
              {t('live.begin')}
            </LinkButton>
          </div>
        </Card>
      </div>
    </Framed>
  )
}

/** From a file to a page that plays it. */
export function AssetsSetupScreen() {
  const { t } = useTranslation('stream-setup')
  const { error, isLoading, id, done } = useAssetSteps()
  return (
    <Framed error={isLoading ? error : null} isLoading={isLoading}>
      <Card title={t('assets.title')} end={<Count done={done} />}>
        <ol className={classes.steps}>
          <Step name="upload" isDone={done.upload}>
            <LinkButton size="xs" to="/stream/assets">
              {t('go.assets')}
            </LinkButton>
          </Step>
          <Step name="encoded" isDone={done.encoded}>
            {id !== undefined && (
              <LinkButton size="xs" variant="default" to="/stream/assets/detail/$vid" params={{ vid: id }}>
                {t('go.video')}
              </LinkButton>
            )}
          </Step>
          <Step name="cdns" isDone={done.cdns}>
            <LinkButton size="xs" variant="default" to="/stream/assets/{-$sid}/add-cdn">
              {t('go.addCdn')}
            </LinkButton>
          </Step>
          <SignedStep isDone={done.signed} />
          <Step name="page" isDone={done.page}>
            {id !== undefined && (
              <LinkButton size="xs" variant="default" to="/stream/assets/detail/$vid" params={{ vid: id }}>
                {t('go.embed')}
              </LinkButton>
            )}
          </Step>
        </ol>
      </Card>
    </Framed>
  )
}

/** From an encoder, or an origin, to a page that shows it. */
export function LiveSetupScreen() {
  const { t } = useTranslation('stream-setup')
  const { sid } = useParams({ strict: false })
  const { error, isLoading, id, isFetched, done } = useLiveSteps(sid)
  const detail = (type: string | undefined, text: string) =>
    id !== undefined && (
      <LinkButton size="xs" variant="default" to="/stream/live-streams/detail/$sid/{-$type}" params={{ sid: id, type }}>
        {text}
      </LinkButton>
    )
  return (
    <Framed error={isLoading ? error : null} isLoading={isLoading}>
      <Card title={t('live.title')} end={<Count done={done} />}>
        <ol className={classes.steps}>
          <Step name="create" isDone={done.create}>
            {id === undefined && (
              <LinkButton size="xs" to="/stream/live-streams/create">
                {t('go.create')}
              </LinkButton>
            )}
          </Step>
          <Step name="running" isDone={done.running}>
            {detail(undefined, t('go.stream'))}
          </Step>
          <Step name={isFetched ? 'fetched' : 'signal'} isDone={done.signal}>
            {detail('install', t('go.install'))}
            {id !== undefined && !isFetched && (
              <LinkButton size="xs" variant="default" to="/stream/live-streams/simulation" search={{ stream: id }}>
                {t('go.simulation')}
              </LinkButton>
            )}
          </Step>
          <Step name="cdns" isDone={done.cdns}>
            {id !== undefined && (
              <LinkButton size="xs" variant="default" to="/stream/live-streams/{-$sid}/add-cdn" params={{ sid: id }}>
                {t('go.addCdn')}
              </LinkButton>
            )}
          </Step>
          <SignedStep isDone={done.signed} />
          <Step name="page" isDone={done.page}>
            {detail('code', t('go.embed'))}
          </Step>
        </ol>
      </Card>
    </Framed>
  )
}

type FramedProps = {
  error?: Parameters<typeof ErrorState>[0]['error'] | null
  isLoading?: boolean
  children: ReactNode
}

function Framed({ error = null, isLoading = false, children }: FramedProps) {
  const { t } = useTranslation('stream-setup')
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning')} />
      <Gate route={streamAssets.routes.list} meaning={t('meaning')}>
        {error !== null ? <ErrorState error={error} /> : isLoading ? <Skeleton height={420} radius="lg" /> : children}
      </Gate>
    </>
  )
}

/** Signing is a choice: a way without it is whole. */
function Count({ done: { signed: _choice, ...done } }: { done: Record<string, boolean | undefined> }) {
  const { t } = useTranslation('stream-setup')
  const all = Object.values(done)
  const count = all.filter((one) => one === true).length
  return <Pill tone={count === all.length ? 'ok' : 'neutral'}>{t('count', { count, of: all.length })}</Pill>
}

function SignedStep({ isDone }: { isDone: boolean | undefined }) {
  const { t } = useTranslation('stream-setup')
  return (
    <Step name="signed" isDone={isDone}>
      <LinkButton size="xs" variant="default" to="/stream/signed-urls">
        {t('go.signed')}
      </LinkButton>
    </Step>
  )
}

type StepName = 'upload' | 'encoded' | 'create' | 'running' | 'signal' | 'fetched' | 'cdns' | 'signed' | 'page'

function Step({ name, isDone, children }: { name: StepName; isDone: boolean | undefined; children: ReactNode }) {
  const { t } = useTranslation('stream-setup')
  return (
    <li className={classes.step}>
      <span className={classes.mark} data-done={isDone === true || undefined}>
        {isDone === true && <IconCheck size={14} stroke={2.2} aria-hidden />}
      </span>
      <div className={classes.words}>
        <span className={classes.name}>
          {t(`step.${name}.title`)}
          <span className="sr-only"> {t(isDone === true ? 'done' : 'open')}</span>
        </span>
        <span className={classes.quiet}>{t(`step.${name}.text`)}</span>
        <div className={classes.buttons}>{children}</div>
      </div>
    </li>
  )
}
