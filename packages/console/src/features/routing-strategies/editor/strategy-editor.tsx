import { type DomainCdn, type RoutingStrategy, StrategyInput, routingStrategies } from '@fairway/contract'
import { Button, Skeleton, Switch, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, Suspense, lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change, useChange } from '../../../api/use-change.ts'
import { useScope } from '../../../shell/scope/scope.ts'
import { useAccount } from '../../../shell/access/session.ts'
import { Card } from '../../../ui/page/card.tsx'
import { FailureNotice } from '../../../ui/forms/failure-notice.tsx'
import { LeaveGuard } from '../../../ui/layers/leave-guard.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { useReportFailure, useSnackbar } from '../../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../../ui/forms/use-zod-form.ts'
import { firstPosition } from './effect-rows.ts'
import { MethodCards } from './method-cards.tsx'
import { RuleSentence } from './rule-sentence-card.tsx'
import type { Place } from '../strategies-read.ts'
import { type StrategyDraft, draftOf } from './strategy-draft.ts'
import classes from './strategy-editor.module.css'
import { TargetsField } from './targets-field.tsx'
import { TemplateCards } from './template-cards.tsx'
import type { Filled } from './templates.ts'

// Pickers, what is below the fold, and what is asked of the name server while one writes: the form does not wait for
// them.
const PositionField = lazy(async () => ({ default: (await import('./position-field.tsx')).PositionField }))
const FilterFields = lazy(async () => ({ default: (await import('./filter-fields.tsx')).FilterFields }))
const OptionFields = lazy(async () => ({ default: (await import('./option-fields.tsx')).OptionFields }))
const DraftTextDialog = lazy(async () => ({ default: (await import('./draft-text-dialog.tsx')).DraftTextDialog }))
const EffectPanel = lazy(async () => ({ default: (await import('./effect-panel.tsx')).EffectPanel }))

type StrategyEditorProps = {
  place: Place
  /** Null for a new one. */
  strategy: RoutingStrategy | null
  strategies: readonly RoutingStrategy[]
  cdns: readonly DomainCdn[]
}

/**
 * Writes one strategy: what it does in cards and fields, what that means in words, and what it changes for visitors,
 * live.
 */
export function StrategyEditor({ place, strategy, strategies, cdns }: StrategyEditorProps) {
  const { t } = useTranslation(['routing-strategies', 'shell', 'validation'])
  const { site, domain } = useScope()
  const navigate = useNavigate()
  const show = useSnackbar()
  const { plan } = useAccount()
  const form = useZodForm(StrategyInput, draftOf(strategy, cdns, plan.ability))
  const draft = form.watch()
  const [position, setPosition] = useState(() => firstPosition(strategies))
  const [isText, setIsText] = useState(false)
  const queryClient = useQueryClient()
  const reportFailure = useReportFailure()
  const back = () =>
    void navigate({
      to: '/$site/{-$domain}/dem/routing-strategies',
      params: { site: site.domainName, domain: domain?.name },
      ignoreBlocker: true,
    })
  const onDone = () => {
    show('strategy', { message: t(strategy ? 'changed' : 'added', { name: draft.name }) })
    back()
  }
  // A new one is made last; putting it in its place is a second call, and the strategy stays when that fails.
  const create = useChange(routingStrategies.routes.create, {
    subject: null,
    onDone: async ({ data: { id } }) => {
      onDone()
      const ids = strategies.map((row) => row.id)
      if (position < ids.length)
        await change(queryClient, routingStrategies.routes.reorder, {
          ...place,
          ids: [...ids.slice(0, position), id, ...ids.slice(position)],
        }).catch((error: unknown) => reportFailure('strategy', error))
    },
  })
  const update = useChange(routingStrategies.routes.update, { onDone, subject: null })
  const failed = create.error ?? update.error
  const isBusy = create.isPending || update.isPending
  const takeErrors = { onError: (error: unknown) => void form.takeFieldErrors(error) }
  const save = form.handleSubmit((values) => {
    if (strategy) update.mutate({ ...place, id: strategy.id, ...values }, takeErrors)
    else create.mutate({ ...place, ...values }, takeErrors)
  })
  const { isDirty } = form.formState
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void save()
    }
  }
  const set =
    <Field extends keyof StrategyDraft>(field: Field) =>
    (value: StrategyDraft[Field]) =>
      form.setValue(field as never, value as never, {
        shouldDirty: true,
        shouldTouch: true,
        shouldValidate: form.formState.isSubmitted,
      })
  const fill = (fields: Partial<StrategyDraft>) => {
    for (const [field, value] of Object.entries(fields)) set(field as keyof StrategyDraft)(value as never)
  }
  const begin = (fields: Filled, name: string) => {
    fill(fields)
    if (draft.name.trim() === '') set('name')(name)
  }

  return (
    <>
      <PageHeader
        title={strategy ? strategy.name : t('newTitle')}
        meaning={t('editorMeaning')}
        actions={
          <Button variant="default" onClick={() => setIsText(true)}>
            {t('text.open')}
          </Button>
        }
      />
      <div className={classes.columns}>
        <form
          className={classes.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
          onKeyDown={onKeyDown}
        >
          {failed && <FailureNotice title={t('notSaved')} error={failed} />}
          {strategy === null && (
            <Card title={t('template.title')} hint={t('template.hint')}>
              <TemplateCards cdns={cdns} onChoose={begin} />
            </Card>
          )}
          <Card>
            <div className={classes.fields}>
              <TextInput label={t('name')} {...form.register('name')} error={form.problem('name')} maxLength={80} />
              {strategy === null && strategies.length > 0 && (
                <Suspense fallback={<Skeleton height={60} radius="md" />}>
                  <PositionField strategies={strategies} value={position} onChange={setPosition} />
                </Suspense>
              )}
              <Switch
                label={t('enabled')}
                checked={draft.enabled ?? true}
                onChange={(event) => set('enabled')(event.currentTarget.checked)}
              />
            </div>
          </Card>
          <Card title={t('section.who')} hint={t('section.whoHint')}>
            <Suspense fallback={<Skeleton height={228} radius="md" />}>
              <FilterFields filter={draft.filter} onChange={set('filter')} />
            </Suspense>
          </Card>
          <Card title={t('section.method')}>
            <MethodCards value={draft.method} onChange={set('method')} />
          </Card>
          <Card title={t('section.targets')} hint={t(`section.targetsHint.${draft.method}`)}>
            <TargetsField
              method={draft.method}
              cdns={cdns}
              value={draft.targets}
              onChange={set('targets')}
              error={form.problem('targets')}
            />
          </Card>
          {draft.method !== 'always-use' && (
            <Card title={t('section.options')}>
              <Suspense fallback={<Skeleton height={96} radius="md" />}>
                <OptionFields draft={draft} set={set} />
              </Suspense>
            </Card>
          )}
          <div className={classes.foot}>
            {form.formState.isSubmitted && !form.formState.isValid && (
              <span className={classes.wrong} role="alert">
                {t('validation:form')}
              </span>
            )}
            <Button variant="default" onClick={back}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={isBusy}>
              {t(strategy ? 'saveVerb' : 'add')}
            </Button>
          </div>
        </form>
        <div className={classes.side}>
          <RuleSentence draft={draft} />
          <Suspense fallback={<Skeleton height={360} radius="lg" />}>
            <EffectPanel
              place={place}
              strategyId={strategy?.id ?? null}
              draft={draft}
              strategies={strategies}
              position={position}
            />
          </Suspense>
        </div>
      </div>
      {isText && (
        <Suspense fallback={null}>
          <DraftTextDialog
            draft={draft}
            onClose={() => setIsText(false)}
            onApply={(written) => {
              fill(written)
              setIsText(false)
            }}
          />
        </Suspense>
      )}
      <LeaveGuard when={isDirty && !isBusy} />
    </>
  )
}
