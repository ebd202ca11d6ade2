import { relativeName } from '@fairway/domain'
import { addSite } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { domainsRead, useScope } from '../../shell/scope/scope.ts'
import { Card } from '../../ui/page/card.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { LeaveGuard } from '../../ui/layers/leave-guard.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import classes from './add-site.module.css'

/** A name of the site that multi-CDN serves from now on. */
export function AddDomainScreen() {
  const { t } = useTranslation('add-site')
  const { site } = useScope()
  return (
    <Gate route={addSite.routes.addDomain} meaning={t('domain.meaning')}>
      <PageHeader title={t('domain.title')} meaning={t('domain.meaning')} />
      <Card>
        <DomainForm key={site.id} />
      </Card>
    </Gate>
  )
}

function DomainForm() {
  const { t } = useTranslation(['add-site', 'dns-records'])
  const { site } = useScope()
  const navigate = useNavigate()
  const show = useSnackbar()
  const queryClient = useQueryClient()
  const form = useZodForm(addSite.routes.addDomain.in, { name: '', origin: '' })
  const add = useChange(addSite.routes.addDomain, { subject: null })
  const name = form.register('name')
  const save = form.handleSubmit((input) =>
    add.mutate(
      { site: site.id, ...input },
      {
        onSuccess: async ({ data }) => {
          show('domain', { message: t('domain.added', { name: data.name }) })
          await queryClient.fetchQuery({ ...domainsRead(site.id), staleTime: 0 })
          void navigate({
            to: '/$site/{-$domain}/multi-cdn/cdn-management',
            params: { site: site.domainName, domain: data.name },
            ignoreBlocker: true,
          })
        },
        onError: (error) => void form.takeFieldErrors(error),
      },
    ),
  )
  return (
    <form className={classes.form} noValidate onSubmit={save}>
      {add.error && !Object.keys(form.formState.errors).length && (
        <FailureNotice title={t('domain.failed')} error={add.error} />
      )}
      <TextInput
        label={t('domain.name')}
        description={t('dns-records:nameHelp')}
        error={form.problem('name')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        {...name}
        onBlur={(event) => {
          form.setValue('name', relativeName(event.target.value, site.domainName))
          return name.onBlur(event)
        }}
      />
      <TextInput
        label={t('domain.origin')}
        description={t('domain.originHelp')}
        placeholder="203.0.113.10"
        error={form.problem('origin')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.register('origin')}
      />
      <div>
        <Button type="submit" loading={add.isPending}>
          {t('domain.verb')}
        </Button>
      </div>
      <LeaveGuard when={form.formState.isDirty && !add.isPending} />
    </form>
  )
}
