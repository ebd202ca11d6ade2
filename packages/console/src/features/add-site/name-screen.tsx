import { addSite } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { useChange } from '../../api/use-change.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { draftSitesRead, siteRead } from '../../shell/scope/scope.ts'
import { Notice } from '../../ui/page/notice.tsx'
import { Card } from '../../ui/page/card.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { StatusPill } from '../../ui/marks/status-pill.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import classes from './add-site.module.css'
import { asTyped } from './as-typed.ts'
import { StepFrame } from './step-frame.tsx'

const PROVEN_ELSEWHERE = 900103

/** First step: which name. It is looked up whether it can be a site; then it is a draft and its scan begins. */
export function NameScreen() {
  const { t } = useTranslation('add-site')
  return (
    <Gate route={addSite.routes.create} meaning={t('name.meaning')}>
      <StepFrame step="name" draft={null} title={t('name.title')} meaning={t('name.meaning')}>
        <NameForm />
        <Drafts />
      </StepFrame>
    </Gate>
  )
}

function NameForm() {
  const { t } = useTranslation('add-site')
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const form = useZodForm(addSite.routes.create.in, { domainName: '', contest: false })
  const create = useChange(addSite.routes.create, { subject: null })
  const field = form.register('domainName')
  const add = (domainName: string, contest: boolean) =>
    create.mutate(
      { domainName: asTyped(domainName), contest },
      {
        onSuccess: async ({ data }) => {
          await queryClient.fetchQuery({ ...siteRead(data.id), staleTime: 0 })
          void navigate({ to: '/add-site/quick-scan', search: { zone_id: data.id, zone_name: data.domainName } })
        },
        onError: (error) => void form.takeFieldErrors(error),
      },
    )
  const submit = form.handleSubmit(({ domainName }) => add(domainName, false))
  const isProven = create.error instanceof ApiError && create.error.code === PROVEN_ELSEWHERE
  const hasOwnPlace = create.error !== null && form.problem('domainName') !== null
  return (
    <Card>
      <form className={classes.form} noValidate onSubmit={submit}>
        {isProven && (
          <Notice
            tone="warn"
            title={t('name.contest.title')}
            action={
              <Button variant="default" size="xs" onClick={() => add(form.getValues('domainName'), true)}>
                {t('name.contest.verb')}
              </Button>
            }
          >
            {t('name.contest.text')}
          </Notice>
        )}
        {create.error && !hasOwnPlace && !isProven && <FailureNotice title={t('name.failed')} error={create.error} />}
        <TextInput
          label={t('name.label')}
          description={t('name.help')}
          placeholder="example.com"
          size="md"
          error={form.problem('domainName')}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          {...field}
          onBlur={(event) => {
            form.setValue('domainName', asTyped(event.target.value))
            return field.onBlur(event)
          }}
        />
        <p className={classes.quiet}>{t('name.next')}</p>
        <div>
          <Button type="submit" loading={create.isPending}>
            {t('name.verb')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** Sites that were begun and left: each goes on where it stopped. */
function Drafts() {
  const { t } = useTranslation('add-site')
  const drafts = useQuery(draftSitesRead).data?.data.filter(({ zoneStatus }) => zoneStatus === 0) ?? []
  if (drafts.length === 0) return null
  return (
    <Card title={t('drafts.title')} hint={t('drafts.hint')}>
      <ul className={classes.drafts}>
        {drafts.map(({ id, domainName }) => (
          <li key={id} className={classes.draft}>
            <Link className="link" to="/add-site/review-domains" search={{ zone_id: id, zone_name: domainName }}>
              {domainName}
            </Link>
            <StatusPill state="draft" />
          </li>
        ))}
      </ul>
    </Card>
  )
}
