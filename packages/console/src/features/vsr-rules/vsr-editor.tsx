import { type DomainCdn, VsrInput, type VsrRule, vsrRules } from '@fairway/contract'
import { Button, Select, Skeleton, Switch, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, Suspense, lazy } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { useChange } from '../../api/use-change.ts'
import { useScope } from '../../shell/scope/scope.ts'
import { Card } from '../../ui/page/card.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { LeaveGuard } from '../../ui/layers/leave-guard.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { FilterFields } from '../routing-strategies/editor/filter-fields.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import editor from '../routing-strategies/editor/strategy-editor.module.css'
import { MimickedField } from './mimicked-field.tsx'

// Beside the form, and not what one came for first.
const VsrEffect = lazy(async () => ({ default: (await import('./vsr-effect.tsx')).VsrEffect }))

type Draft = z.input<typeof VsrInput>
type VsrEditorProps = { place: Place; rule: VsrRule | null; cdns: readonly DomainCdn[] }

/** Every CDN of the domain; a Select cannot hold null. */
const ALL = 'all'

export function VsrEditor({ place, rule, cdns }: VsrEditorProps) {
  const { t } = useTranslation(['vsr-rules', 'shell', 'validation'])
  const { site, domain } = useScope()
  const navigate = useNavigate()
  const show = useSnackbar()
  const form = useZodForm(VsrInput, draftOf(rule))
  const draft = form.watch()
  const back = () =>
    void navigate({
      to: '/$site/{-$domain}/dem/routing-strategies',
      params: { site: site.domainName, domain: domain?.name },
      search: { tab: 'vsr' },
      ignoreBlocker: true,
    })
  const onDone = () => {
    show('vsr', { message: t(rule ? 'changed' : 'added', { name: draft.name }) })
    back()
  }
  const create = useChange(vsrRules.routes.create, { onDone, subject: null })
  const update = useChange(vsrRules.routes.update, { onDone, subject: null })
  const failed = create.error ?? update.error
  const isBusy = create.isPending || update.isPending
  const takeErrors = { onError: (error: unknown) => void form.takeFieldErrors(error) }
  const save = form.handleSubmit((values) => {
    if (rule) update.mutate({ ...place, id: rule.id, ...values }, takeErrors)
    else create.mutate({ ...place, ...values }, takeErrors)
  })
  const changing = { shouldDirty: true, shouldTouch: true, shouldValidate: form.formState.isSubmitted }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void save()
    }
  }

  return (
    <>
      <PageHeader title={rule ? rule.name : t('newTitle')} meaning={t('meaning')} />
      <div className={editor.columns}>
        <form
          className={editor.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
          onKeyDown={onKeyDown}
        >
          {failed && <FailureNotice title={t('notSaved')} error={failed} />}
          <Card>
            <div className={editor.fields}>
              <TextInput
                label={t('name')}
                {...form.register('name')}
                error={form.problem('name')}
                maxLength={80}
                autoFocus={rule === null}
              />
              <Switch
                label={t('enabled')}
                checked={draft.enabled ?? true}
                onChange={(event) => form.setValue('enabled', event.currentTarget.checked, changing)}
              />
            </div>
          </Card>
          <Card title={t('section.who')}>
            <FilterFields filter={draft.filter} onChange={(filter) => form.setValue('filter', filter, changing)} />
          </Card>
          <Card title={t('section.as')}>
            <div className={editor.fields}>
              <MimickedField
                place={place}
                value={draft.mimickedAddress}
                onChange={(address) => form.setValue('mimickedAddress', address, changing)}
                error={form.problem('mimickedAddress')}
              />
              <Select
                label={t('cdn')}
                description={t('cdnHelp')}
                value={draft.cdnId ?? ALL}
                onChange={(value) => form.setValue('cdnId', value === ALL ? null : value, changing)}
                data={[
                  { value: ALL, label: t('allCdns') },
                  ...cdns.map(({ cdnId, name }) => ({ value: cdnId, label: name })),
                ]}
              />
            </div>
          </Card>
          <div className={editor.foot}>
            {form.formState.isSubmitted && !form.formState.isValid && (
              <span className={editor.wrong} role="alert">
                {t('validation:form')}
              </span>
            )}
            <Button variant="default" onClick={back}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={isBusy}>
              {t(rule ? 'saveVerb' : 'add')}
            </Button>
          </div>
        </form>
        <div className={editor.side}>
          <Suspense fallback={<Skeleton height={280} radius="lg" />}>
            <VsrEffect place={place} ruleId={rule?.id ?? null} draft={draft} />
          </Suspense>
        </div>
      </div>
      <LeaveGuard when={form.formState.isDirty && !isBusy} />
    </>
  )
}

function draftOf(rule: VsrRule | null): Draft {
  if (!rule)
    return {
      name: '',
      enabled: true,
      filter: { places: [], networks: [], cidrs: [] },
      cdnId: null,
      mimickedAddress: '',
    }
  const { name, enabled, filter, cdnId, mimickedAddress } = rule
  return { name, enabled, filter, cdnId, mimickedAddress }
}
