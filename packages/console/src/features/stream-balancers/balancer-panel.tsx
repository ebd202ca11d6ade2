import { type Balancer, BalancerMode, streamBalancers } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { read, useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { ApiError } from '../../api/api-error.ts'
import { useFormat } from '../../i18n/format.ts'
import { validationText } from '../../i18n/validation.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { SwitchRow } from '../../ui/forms/switch-row.tsx'
import { SaveBar } from '../../ui/layers/save-bar.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import type { DiffRow } from '../../ui/marks/diff-view.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import { type BalancerDraft, draftOf, inputOf } from './draft.ts'
import { EffectCard } from './effect-card.tsx'
import { EntriesField } from './entries-field.tsx'
import { WhyCard } from './why-card.tsx'
import classes from './stream-balancers.module.css'

/** States move while nodes take a change in, and with the probes. */
const EVERY_MS = 5_000

/** The CDNs that players of a live stream, or of the uploaded videos (`assets`), are steered between. */
export function BalancerPanel({ source }: { source: string }) {
  const { t } = useTranslation('stream-balancers')
  const { data, error, refetch } = useRead(streamBalancers.routes.get, { source }, { everyMs: EVERY_MS })
  return (
    <Gate route={streamBalancers.routes.get} meaning={t('meaning')}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={420} radius="lg" />}
      {data && <BalancerForm key={source} source={source} saved={data} />}
    </Gate>
  )
}

function BalancerForm({ source, saved }: { source: string; saved: Balancer }) {
  const { t } = useTranslation(['stream-balancers', 'validation', 'errors'])
  const show = useSnackbar()
  const mayEdit = useCanCall(streamBalancers.routes.set)
  const [changed, setChanged] = useState<BalancerDraft | null>(null)
  const draft = changed ?? draftOf(saved)
  const change = (part: Partial<BalancerDraft>) => setChanged({ ...draft, ...part })
  const before = inputOf(draftOf(saved))
  const queryClient = useQueryClient()
  // At once: the next change is made upon what is shown, and would save the old settings back.
  const know = (now: Balancer) => queryClient.setQueryData(read(streamBalancers.routes.get, { source }).queryKey, now)
  const restore = useChange(streamBalancers.routes.set, {
    onDone: (now) => {
      know(now)
      setChanged(null)
      show('stream-balancers', { message: t('restored') })
    },
  })
  const save = useChange(streamBalancers.routes.set, {
    subject: null,
    onDone: (now) => {
      know(now)
      setChanged(null)
      show('stream-balancers', { message: t('saved'), undo: () => restore.mutate({ source, ...before }) })
    },
  })
  const rows = useDiff(saved, draft)
  const problems = problemsOf(save.error, (message) => validationText(t, message) ?? '')
  return (
    <>
      <div className={classes.columns}>
        <div className={classes.page}>
          <Card title={t('title')} hint={t('hint', { seconds: saved.ttlSeconds })}>
            <div className={classes.page}>
              {save.error && <FailureNotice title={t('notSaved')} error={save.error} />}
              <SwitchRow
                label={t('isOn')}
                text={t('isOnText')}
                checked={draft.isOn}
                disabled={!mayEdit}
                onChange={(isOn) => change({ isOn })}
              />
              <div className={classes.mode}>
                <Segmented
                  label={t('mode')}
                  value={draft.mode}
                  onChange={(mode) => change({ mode })}
                  options={BalancerMode.options.map((mode) => ({
                    value: mode,
                    label: t(`strategy.${mode}`),
                    disabled: !mayEdit,
                  }))}
                />
                <p className={classes.quiet}>{t(`modeText.${draft.mode}`)}</p>
              </div>
              <EntriesField
                saved={saved}
                value={draft.entries}
                disabled={!mayEdit}
                problems={problems}
                onChange={(entries) => change({ entries })}
              />
              <p className={classes.quiet}>{t('hosts')}</p>
            </div>
          </Card>
          {saved.serverUrl !== null && (
            <Card title={t('server')}>
              <div className={classes.page}>
                <p className={classes.quiet}>{t('serverText')}</p>
                <CodeSnippet label={t('server')} code={saved.serverUrl} />
              </div>
            </Card>
          )}
        </div>
        <div className={classes.page}>
          <EffectCard source={source} draft={draft} />
          {saved.isOn && <WhyCard source={source} />}
        </div>
      </div>
      <SaveBar
        changes={changed === null ? [] : rows}
        busy={save.isPending}
        onDiscard={() => {
          setChanged(null)
          save.reset()
        }}
        onSave={() => save.mutate({ source, ...inputOf(draft) })}
      />
    </>
  )
}

function useDiff(saved: Balancer, draft: BalancerDraft): DiffRow[] {
  const { t } = useTranslation('stream-balancers')
  const format = useFormat()
  const { lookOf } = useCdnLooks()
  const was = draftOf(saved)
  const onOff = (isOn: boolean) => t(isOn ? 'on' : 'off')
  const text = ({ cdnId, host, weight, enabled }: BalancerDraft['entries'][number]) =>
    `${cdnId === null ? host : lookOf(cdnId).name} ${host} · ${format.number(weight || 0)} · ${onOff(enabled)}`
  const keys = [...new Set([...was.entries, ...draft.entries].map(({ key }) => key))]
  const entries = keys.map((key) => {
    const [old, now] = [was, draft].map((one) => one.entries.find((entry) => entry.key === key))
    const of = now ?? old
    return {
      label: of ? (of.cdnId === null ? of.host || t('outside') : lookOf(of.cdnId).name) : key,
      before: old ? text(old) : null,
      after: now ? text(now) : null,
    }
  })
  const rows = [
    { label: t('isOn'), before: onOff(was.isOn), after: onOff(draft.isOn) },
    { label: t('mode'), before: t(`strategy.${was.mode}`), after: t(`strategy.${draft.mode}`) },
    ...entries,
  ]
  return rows.filter((row) => row.before !== row.after)
}

/** Fields of entries that the API refused, by the entry's place. */
function problemsOf(error: unknown, wordsOf: (message: string) => string): Map<number, string> {
  const fields = error instanceof ApiError ? error.fields : []
  return new Map(
    fields.flatMap(({ path, message }) => {
      const place = /^entries\.(\d+)\./.exec(path)?.[1]
      return place === undefined ? [] : [[Number(place), wordsOf(message)] as const]
    }),
  )
}
