import { INDUSTRIES, JOB_TITLES, OrganizationName, PersonName, PhoneNumber, Product, account } from '@fairway/contract'
import type { Organization, Profile } from '@fairway/contract'
import { Select, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { change } from '../../api/use-change.ts'
import { accountRead, useCanCall } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import { SaveBar } from '../../ui/layers/save-bar.tsx'
import { useReportFailure, useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import classes from './screen.module.css'

const Fields = z.object({
  firstName: PersonName,
  lastName: PersonName,
  menuOrder: z.enum(['default', 'web', 'stream']),
  phoneNumber: z.union([z.literal(''), PhoneNumber]),
  organizationName: OrganizationName,
  industry: z.union([z.literal(''), z.enum(INDUSTRIES)]),
  jobTitle: z.union([z.literal(''), z.enum(JOB_TITLES)]),
  masterApp: Product,
})
type Values = z.infer<typeof Fields>
const OWN = ['firstName', 'lastName', 'phoneNumber', 'menuOrder'] as const
const OF_ORGANIZATION = ['organizationName', 'industry', 'jobTitle', 'masterApp'] as const

/**
 * Names and choices of the user, and of the organisation for those who may change it. What is changed is saved
 * together.
 */
export function DetailsForm({ profile, organization }: { profile: Profile; organization: Organization }) {
  const { t } = useTranslation(['account', 'auth', 'shell'])
  const queryClient = useQueryClient()
  const show = useSnackbar()
  const reportFailure = useReportFailure()
  const mayOrganization = useCanCall(account.routes.updateOrganization)
  const saved = valuesOf(profile, organization)
  const form = useZodForm<Values>(Fields, saved)
  const now = form.watch()
  const changed = [...OWN, ...OF_ORGANIZATION].filter((name) => now[name] !== saved[name])
  const save = useMutation({
    mutationFn: async (values: Values) => {
      if (OWN.some((name) => values[name] !== saved[name]))
        await change(queryClient, account.routes.updateProfile, {
          firstName: values.firstName,
          lastName: values.lastName,
          menuOrder: values.menuOrder,
          phoneNumber: values.phoneNumber || null,
        })
      if (mayOrganization && OF_ORGANIZATION.some((name) => values[name] !== saved[name]))
        await change(queryClient, account.routes.updateOrganization, {
          organizationName: values.organizationName,
          industry: values.industry || null,
          jobTitle: values.jobTitle || null,
          masterApp: values.masterApp,
          organizationVersion: organization.organizationVersion,
        })
    },
    onSuccess: async (_, values) => {
      await Promise.all(
        [account.routes.profile.path, account.routes.organization.path, accountRead.queryKey[0]].map((path) =>
          queryClient.invalidateQueries({ queryKey: [path] }),
        ),
      )
      form.reset(values)
      show('profile', { message: t('saved') })
    },
    onError: (error) => {
      if (!form.takeFieldErrors(error)) reportFailure('profile', error)
    },
  })
  const wordOf = (name: keyof Values, value: string) =>
    value === ''
      ? '—'
      : name === 'industry'
        ? t(`industry.${value}`)
        : name === 'jobTitle'
          ? t(`jobTitle.${value}`)
          : name === 'menuOrder'
            ? t(`menuOrder.${value}`)
            : name === 'masterApp'
              ? t(`masterApp.${value}`)
              : value
  const choice = (
    name: 'menuOrder' | 'masterApp' | 'industry' | 'jobTitle',
    options: readonly string[],
    description?: string,
  ) => (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <Select
          label={t(`field.${name}`)}
          {...(description === undefined ? {} : { description })}
          placeholder={t('auth:survey.choose')}
          data={options.map((value) => ({ value, label: wordOf(name, value) }))}
          error={form.problem(name)}
          {...field}
          value={field.value === '' ? null : field.value}
        />
      )}
    />
  )
  return (
    <>
      <Card title={t('details.title')}>
        <div className={classes.fields}>
          <TextInput
            label={t('auth:firstName')}
            autoComplete="given-name"
            error={form.problem('firstName')}
            {...form.register('firstName')}
          />
          <TextInput
            label={t('auth:lastName')}
            autoComplete="family-name"
            error={form.problem('lastName')}
            {...form.register('lastName')}
          />
          <TextInput
            label={t('auth:phone')}
            type="tel"
            autoComplete="tel"
            error={form.problem('phoneNumber')}
            {...form.register('phoneNumber')}
          />
          {choice('menuOrder', ['default', 'web', 'stream'])}
        </div>
      </Card>
      {mayOrganization && (
        <Card title={t('organization.title')}>
          <div className={classes.fields}>
            <TextInput
              label={t('field.organizationName')}
              autoComplete="organization"
              error={form.problem('organizationName')}
              {...form.register('organizationName')}
            />
            {choice('masterApp', ['web', 'stream'])}
            {choice('industry', INDUSTRIES)}
            {choice('jobTitle', JOB_TITLES)}
          </div>
        </Card>
      )}
      <SaveBar
        changes={changed.map((name) => ({
          label: OWN_TEXTS.has(name) ? t(`auth:${name === 'phoneNumber' ? 'phone' : name}`) : t(`field.${name}`),
          before: wordOf(name, saved[name]),
          after: wordOf(name, now[name]),
        }))}
        busy={save.isPending}
        onSave={() => void form.handleSubmit((values) => save.mutate(values))()}
        onDiscard={() => form.reset(saved)}
      />
    </>
  )
}

const OWN_TEXTS: ReadonlySet<string> = new Set(['firstName', 'lastName', 'phoneNumber'])

function valuesOf(profile: Profile, organization: Organization): Values {
  return {
    firstName: profile.firstName,
    lastName: profile.lastName,
    menuOrder: profile.menuOrder,
    phoneNumber: profile.phoneNumber ?? '',
    organizationName: organization.organizationName,
    masterApp: organization.organizationMasterApp,
    industry: INDUSTRIES.find((one) => one === organization.organizationIndustry) ?? '',
    jobTitle: JOB_TITLES.find((one) => one === organization.organizationJobTitle) ?? '',
  }
}
