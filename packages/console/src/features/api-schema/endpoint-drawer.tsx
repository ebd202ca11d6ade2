import { apiSchema, SchemaContent, type ApiEndpoint } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Age } from '../../ui/marks/age.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useUndoVersion } from '../versions/use-undo-version.ts'
import classes from './api-schema.module.css'
import { ContentFields, ContentView } from './endpoint-content.tsx'
import { TONES } from './use-endpoint-columns.tsx'

type Props = { place: Place; id: string; onClose: () => void }

/** One endpoint: what it looks like, since when, and whether requests are held against it. */
export function EndpointDrawer({ place, id, onClose }: Props) {
  const { t } = useTranslation(['api-schema', 'shell'])
  const show = useSnackbar()
  const undo = useUndoVersion(place.site)
  const mayEdit = useCanCall(apiSchema.routes.edit)
  const { data, error, refetch } = useRead(apiSchema.routes.endpoint, { ...place, id })
  const [draft, setDraft] = useState<SchemaContent | null>(null)
  const done = (message: string) => ({
    onDone: ({ meta }: { meta: { version: number | null } }) => {
      setDraft(null)
      show('api-schema', { message, ...undo(meta.version) })
    },
  })
  const accept = useChange(apiSchema.routes.accept, done(t('done.accepted')))
  const ignore = useChange(apiSchema.routes.ignore, done(t('done.changed')))
  const edit = useChange(apiSchema.routes.edit, { ...done(t('done.changed')), subject: null })
  const content = data && (data.inForce ?? data.learned)
  const isValid = draft !== null && SchemaContent.safeParse(draft).success
  return (
    <SideDrawer
      opened
      onClose={onClose}
      size={720}
      keepOpen={draft !== null}
      title={data ? `${data.method} ${data.path}` : t('endpoint')}
      {...(draft ? { onSubmit: () => isValid && edit.mutate({ ...place, id, ...draft }) } : {})}
      footer={
        mayEdit &&
        data &&
        (draft ? (
          <>
            <Button variant="default" onClick={() => setDraft(null)}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" disabled={!isValid} loading={edit.isPending}>
              {t('save')}
            </Button>
          </>
        ) : (
          <>
            <Button
              variant="default"
              loading={ignore.isPending}
              onClick={() => ignore.mutate({ ...place, id, ignored: data.state !== 'ignored' })}
            >
              {t(data.state === 'ignored' ? 'lookAgain' : 'leaveOut')}
            </Button>
            {content && (
              <Button variant="default" onClick={() => setDraft(content)}>
                {t('edit')}
              </Button>
            )}
            {data.learned && (
              <Button loading={accept.isPending} onClick={() => accept.mutate({ ...place, id })}>
                {t(data.inForce ? 'acceptAgain' : 'accept')}
              </Button>
            )}
          </>
        ))
      }
    >
      {edit.error && <FailureNotice title={t('notSaved')} error={edit.error} />}
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton height={320} />}
      {data && (
        <div className={classes.stack}>
          <Facts endpoint={data} />
          {data.state === 'learning' && <Notice tone="info">{t('stillLearning')}</Notice>}
          {data.state === 'ignored' && <Notice tone="warn">{t('isLeftOut')}</Notice>}
          {draft ? (
            <ContentFields content={draft} onChange={setDraft} />
          ) : (
            content && <ContentView content={content} title={t(data.inForce ? 'asInForce' : 'asLearned')} />
          )}
        </div>
      )}
    </SideDrawer>
  )
}

function Facts({ endpoint }: { endpoint: ApiEndpoint }) {
  const { t } = useTranslation('api-schema')
  const format = useFormat()
  const { state, seen, networks, firstAt, lastAt, edited } = endpoint
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{t('column.state')}</dt>
        <dd>
          <Pill tone={TONES[state]}>{t(`state.${state}`)}</Pill> {edited && t('edited')}
        </dd>
      </div>
      <div>
        <dt>{t('column.seen')}</dt>
        <dd className="num">{format.number(seen)}</dd>
      </div>
      <div>
        <dt>{t('column.networks')}</dt>
        <dd className="num">{networks >= 3 ? t('threeOrMore') : format.number(networks)}</dd>
      </div>
      <div>
        <dt>{t('column.firstAt')}</dt>
        <dd>{firstAt === null ? t('never') : <Age at={firstAt} />}</dd>
      </div>
      <div>
        <dt>{t('column.lastAt')}</dt>
        <dd>{lastAt === null ? t('never') : <Age at={lastAt} />}</dd>
      </div>
    </dl>
  )
}
