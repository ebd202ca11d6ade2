import { type PlanData, PLAN_FEATURES, PlanDataInput, operatorArea } from '@fairway/contract'
import { Button, Checkbox, NumberInput, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import classes from './operator.module.css'
import { useRefreshing } from './use-refreshing.ts'

const NUMBERS = [
  'siteLimit',
  'recordLimit',
  'cdnLimit',
  'minimumTtlSeconds',
  ...(
    [
      'cacheRulesPerDomain',
      'staticStrategiesPerDomain',
      'dynamicStrategiesPerDomain',
      'vsrRulesPerDomain',
      'customPagesPerSite',
      'firewallRulesPerDomain',
      'apiProtectionRulesPerDomain',
      'accessEntriesPerDomain',
    ] as const
  ).map((name) => `maxima.${name}` as const),
] as const

/** A plan's name, abilities and limits; they count for its organisations at once. */
export function PlanDrawer({ plan, onClose }: { plan: PlanData | undefined; onClose: () => void }) {
  const kept = useRef(plan)
  if (plan) kept.current = plan
  return kept.current ? (
    <PlanForm key={kept.current.id} plan={kept.current} opened={plan !== undefined} onClose={onClose} />
  ) : null
}

function PlanForm({ plan, opened, onClose }: { plan: PlanData; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation(['operator', 'billing'])
  const show = useSnackbar()
  const { id, organizationCount, offered: _offered, ...saved } = plan
  const form = useZodForm<z.input<typeof PlanDataInput>>(PlanDataInput, saved)
  const save = useRefreshing(
    operatorArea.routes.updatePlan,
    '/operator/v2/plans/',
    ({ name, ability, siteLimit, recordLimit, cdnLimit, minimumTtlSeconds, maxima }) => {
      form.reset({ name, ability, siteLimit, recordLimit, cdnLimit, minimumTtlSeconds, maxima })
      show(`plan ${id}`, { message: t('plans.saved', { name }) })
      onClose()
    },
    { ownError: true },
  )
  const submit = form.handleSubmit((values) =>
    save.mutate({ plan: id, ...values }, { onError: (error) => void form.takeFieldErrors(error) }),
  )
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      title={t('plans.edit', { name: plan.name })}
      keepOpen={form.formState.isDirty}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('plans.save')}
          </Button>
        </>
      }
    >
      <div className={classes.stack}>
        {save.error && <FailureNotice title={t('plans.notSaved')} error={save.error} />}
        {organizationCount > 0 && <Notice tone="info">{t('plans.affects', { count: organizationCount })}</Notice>}
        <TextInput label={t('plans.name')} error={form.problem('name')} {...form.register('name')} />
        <div className={classes.two}>
          {NUMBERS.map((name) => (
            <Controller
              key={name}
              control={form.control}
              name={name}
              render={({ field }) => (
                <NumberInput
                  label={t(`plans.${name.replace('maxima.', '')}`)}
                  allowDecimal={false}
                  thousandSeparator=" "
                  error={form.problem(name)}
                  {...field}
                  onChange={(value) => field.onChange(typeof value === 'number' ? value : undefined)}
                />
              )}
            />
          ))}
        </div>
        <Controller
          control={form.control}
          name="ability"
          render={({ field }) => (
            <Checkbox.Group
              label={t('plans.ability')}
              value={[...field.value]}
              onChange={(names) => field.onChange(PLAN_FEATURES.filter((feature) => names.includes(feature)))}
            >
              <div className={classes.abilities}>
                {PLAN_FEATURES.map((feature) => (
                  <Checkbox key={feature} value={feature} label={t(`billing:plans.ability.${feature}`)} />
                ))}
              </div>
            </Checkbox.Group>
          )}
        />
      </div>
    </SideDrawer>
  )
}
