import { EDGE_PATHS, type MonitoringCdn, MonitoringInput, privateData } from '@fairway/contract'
import { Button, Select, Switch, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { LeaveGuard } from '../../ui/layers/leave-guard.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Findings } from './findings.tsx'
import classes from './private-data.module.css'

type Draft = Omit<MonitoringCdn, 'id' | 'cdnName' | 'state' | 'stateSince' | 'findings' | 'checkedAt' | 'createdAt'>
const TEXTS = ['hostname', 'path', 'provider', 'cname', 'originAddress', 'referenceUrl'] as const

const draftOf = (of: MonitoringCdn | null, type: MonitoringCdn['type']): Draft => ({
  name: of?.name ?? '',
  type: of?.type ?? type,
  provider: of?.provider ?? '',
  track: of?.track ?? 'compare',
  cdnId: of?.cdnId ?? null,
  originAddress: of?.originAddress ?? null,
  cname: of?.cname ?? null,
  hostname: of?.hostname ?? '',
  path: of?.path ?? EDGE_PATHS.kept,
  secure: of?.secure ?? true,
  referenceUrl: of?.referenceUrl ?? null,
})

type FormProps = {
  of: MonitoringCdn | null
  type: MonitoringCdn['type']
  cdns: readonly { value: string; label: string }[]
}

export function MonitoringForm({ of, type, cdns }: FormProps) {
  const { t } = useTranslation('private-data')
  const show = useSnackbar()
  const navigate = useNavigate()
  const [draft, setDraft] = useState(() => draftOf(of, type))
  const [tried, setTried] = useState(false)
  const [removing, setRemoving] = useState(false)
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }))
  const back = (message: string) => {
    show('private-data', { message })
    void navigate({ to: '/dem/private-data', ignoreBlocker: true })
  }
  const create = useChange(privateData.routes.create, {
    subject: null,
    onDone: ({ name }) => back(t('saved', { name })),
  })
  const update = useChange(privateData.routes.update, {
    subject: null,
    onDone: ({ name }) => back(t('saved', { name })),
  })
  const remove = useChange(privateData.routes.remove, { onDone: () => back(t('removed', { name: draft.name })) })
  const look = useChange(privateData.routes.look, { subject: null })
  const isTyped = JSON.stringify(draft) !== JSON.stringify(draftOf(of, type))
  const parsed = MonitoringInput.safeParse(draft)
  const wrong = new Set(parsed.success ? [] : parsed.error.issues.map(({ path }) => String(path[0])))
  const problem = (field: string) => (tried && wrong.has(field) ? t(`wrong.${field}`) : null)
  const isMeasurable = !wrong.has('hostname') && !wrong.has('path')
  const findings = look.data?.findings ?? of?.findings ?? []
  const error = create.error ?? update.error
  return (
    <div className={classes.columns}>
      <Card title={t('what')}>
        <form
          className={classes.fields}
          noValidate
          aria-label={t('what')}
          onSubmit={(event) => {
            event.preventDefault()
            setTried(true)
            if (!parsed.success) return
            if (of === null) create.mutate(parsed.data)
            else update.mutate({ id: of.id, ...parsed.data })
          }}
        >
          {error && <FailureNotice title={t('notSaved')} error={error} />}
          <div className={classes.choice}>
            <span className={classes.label}>{t('field.type')}</span>
            <Segmented
              label={t('field.type')}
              value={draft.type}
              onChange={(value) => set({ type: value })}
              options={(['cdn', 'origin'] as const).map((value) => ({ value, label: t(`type.${value}`) }))}
            />
          </div>
          <TextInput
            label={t('field.name')}
            value={draft.name}
            error={problem('name')}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
          />
          <div className={classes.choice}>
            <span className={classes.label}>{t('field.track')}</span>
            <Segmented
              label={t('field.track')}
              value={draft.track}
              onChange={(value) => set({ track: value })}
              options={(['compare', 'steer'] as const).map((value) => ({ value, label: t(`track.${value}`) }))}
            />
            <p className={classes.quiet}>{t(`trackHelp.${draft.track}`)}</p>
          </div>
          {draft.track === 'steer' && (
            <Select
              label={t('field.cdnId')}
              data={[...cdns]}
              value={draft.cdnId}
              error={problem('cdnId')}
              onChange={(value) => set({ cdnId: value })}
            />
          )}
          {TEXTS.map((field) => (
            <TextInput
              key={field}
              label={t(`field.${field}`)}
              description={t(`help.${field}`)}
              value={draft[field] ?? ''}
              error={problem(field)}
              autoComplete="off"
              spellCheck={false}
              onChange={({ currentTarget: { value } }) =>
                set({
                  [field]:
                    value.trim() === '' && field !== 'hostname' && field !== 'path' && field !== 'provider'
                      ? null
                      : value,
                })
              }
            />
          ))}
          <Switch
            label={t('field.secure')}
            description={t('help.secure')}
            checked={draft.secure}
            onChange={({ currentTarget }) => set({ secure: currentTarget.checked })}
          />
          <div className={classes.foot}>
            {of !== null && (
              <Button variant="default" color="red" onClick={() => setRemoving(true)}>
                {t('remove')}
              </Button>
            )}
            <Button type="submit" loading={create.isPending || update.isPending}>
              {of === null ? t('add') : t('save')}
            </Button>
          </div>
        </form>
      </Card>
      <Card
        title={t('findings')}
        end={
          <Button
            variant="default"
            size="xs"
            disabled={!isMeasurable}
            loading={look.isPending}
            onClick={() => look.mutate({ hostname: draft.hostname, path: draft.path, secure: draft.secure })}
          >
            {t('look')}
          </Button>
        }
      >
        <div className={classes.fields}>
          {look.error && <FailureNotice title={t('notLooked')} error={look.error} />}
          {findings.length > 0 ? (
            <Findings findings={findings} />
          ) : (
            <p className={classes.quiet}>{t(isMeasurable ? 'notYet' : 'needsHost')}</p>
          )}
        </div>
      </Card>
      <LeaveGuard when={isTyped} />
      {of !== null && (
        <Confirm
          opened={removing}
          onClose={() => setRemoving(false)}
          title={t('removeAsk', { name: of.name })}
          verb={t('remove')}
          danger
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ id: of.id })}
        >
          {t('removeText')}
        </Confirm>
      )}
    </div>
  )
}
