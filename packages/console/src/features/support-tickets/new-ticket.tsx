import { type TicketSituation, supportTickets } from '@fairway/contract'
import { Button, TextInput, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { configRead } from '../../shell/config.ts'
import { knownSites, sitesRead } from '../../shell/scope/scope.ts'
import { useAccount } from '../../shell/access/session.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { useRefreshing } from '../operator/use-refreshing.ts'
import classes from './support-tickets.module.css'

type Fields = { subject: string; domain: string; message: string }
const schema: z.ZodType<unknown, Fields> = z.object({
  subject: z.string().trim().min(1).max(200),
  domain: z.string().trim().max(253),
  message: z.string().trim().min(1).max(10_000),
})

type NewTicketProps = {
  opened: boolean
  situation: TicketSituation
  code: number | null
  request: string | null
  domain: string
  onClose: () => void
  onSent: (ticketId: string) => void
}

/** Asks for help. What happened before comes along, so that nobody has to describe it. */
export function NewTicket(props: NewTicketProps) {
  // Another situation is another form.
  return <TicketForm key={`${props.code} ${props.request} ${props.domain}`} {...props} />
}

function TicketForm({ opened, situation, code, request, domain, onClose, onSent }: NewTicketProps) {
  const { t } = useTranslation('support-tickets')
  const user = useAccount()
  const queryClient = useQueryClient()
  const form = useZodForm<Fields>(schema, {
    subject: situation === 'general' ? '' : t(`situation.${situation}`),
    domain,
    message: '',
  })
  const create = useRefreshing(
    supportTickets.routes.create,
    '/account/v2/tickets/',
    ({ ticketId }) => {
      form.reset({ subject: '', domain: '', message: '' })
      onSent(ticketId)
    },
    { ownError: true },
  )
  // Sites that were looked at tell most; from a page of none, the first are read.
  const { data: first } = useQuery({ ...sitesRead, enabled: opened && knownSites(queryClient).length === 0 })
  const versions = () =>
    (first?.data.map((site) => ({ site })) ?? knownSites(queryClient))
      .slice(-20)
      .map(({ site }) => ({ site: site.domainName, version: site.version }))
  const submit = form.handleSubmit((values) =>
    create.mutate(
      {
        ...values,
        domain: values.domain || null,
        context: {
          siteVersions: versions(),
          requestIds: request === null ? [] : [request],
          errorCode: code,
          page: location.pathname,
          softwareVersion: queryClient.getQueryData(configRead.queryKey)?.version ?? null,
        },
      },
      { onError: (error) => void form.takeFieldErrors(error) },
    ),
  )
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      title={t('new')}
      keepOpen={form.formState.isDirty}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('send')}
          </Button>
        </>
      }
    >
      <div className={classes.stack}>
        {create.error && <FailureNotice title={t('notSent')} error={create.error} />}
        <TextInput label={t('subject')} error={form.problem('subject')} data-autofocus {...form.register('subject')} />
        <TextInput
          label={t('domainOptional')}
          placeholder="www.example.com"
          error={form.problem('domain')}
          spellCheck={false}
          {...form.register('domain')}
        />
        <Textarea
          label={t('message')}
          description={t('messageHelp')}
          autosize
          minRows={6}
          maxRows={16}
          error={form.problem('message')}
          {...form.register('message')}
        />
        <dl className={classes.facts} aria-label={t('along')}>
          <dt>{t('plan')}</dt>
          <dd>{user.plan.name}</dd>
          {code !== null && (
            <>
              <dt>{t('code')}</dt>
              <dd>{code}</dd>
            </>
          )}
          {request !== null && (
            <>
              <dt>{t('request')}</dt>
              <dd>{request}</dd>
            </>
          )}
          <dt>{t('versions')}</dt>
          <dd>
            {versions()
              .map(({ site, version }) => `${site} ${version}`)
              .join(', ') || '—'}
          </dd>
        </dl>
        <p className={classes.muted}>{t('redacted')}</p>
      </div>
    </SideDrawer>
  )
}
