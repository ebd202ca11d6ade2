import { INDUSTRIES, JOB_TITLES, account } from '@fairway/contract'
import { Button, Select } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { api } from '../../api/client.ts'
import { accountRead } from '../../shell/access/session.ts'
import { useGoToStart } from '../../shell/guards/use-go-to-start.ts'
import { useSignOut } from '../../shell/bar/use-sign-out.ts'
import { Notice } from '../../ui/page/notice.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { AuthPage } from './auth-page.tsx'
import classes from './auth-page.module.css'

const Fields = account.routes.survey.in
type Answers = z.input<typeof Fields>

/** Two questions about the organisation, once. */
export function SurveyScreen() {
  const { t } = useTranslation(['auth', 'account', 'errors', 'shell'])
  const goToStart = useGoToStart()
  const queryClient = useQueryClient()
  const signOut = useSignOut()
  const form = useZodForm<Answers>(Fields, {})
  const answer = useMutation({
    mutationFn: (input: Answers) => api(account.routes.survey, input),
    onSettled: async (_, error) => {
      await queryClient.resetQueries({ queryKey: accountRead.queryKey })
      if (error === null) await goToStart()
    },
  })
  return (
    <AuthPage
      title={t('survey.title')}
      text={t('survey.text')}
      below={
        <Button variant="subtle" size="compact-sm" onClick={() => void signOut()}>
          {t('shell:account.signOut')}
        </Button>
      }
    >
      <form className={classes.form} noValidate onSubmit={form.handleSubmit((input) => answer.mutate(input))}>
        {answer.isError && <Notice tone="bad">{failureText(t, answer.error)}</Notice>}
        <Controller
          control={form.control}
          name="industry"
          render={({ field }) => (
            <Select
              label={t('survey.industry')}
              placeholder={t('survey.choose')}
              data={INDUSTRIES.map((value) => ({ value, label: t(`account:industry.${value}`) }))}
              error={form.problem('industry')}
              {...field}
              value={field.value ?? null}
            />
          )}
        />
        <Controller
          control={form.control}
          name="jobTitle"
          render={({ field }) => (
            <Select
              label={t('survey.jobTitle')}
              placeholder={t('survey.choose')}
              data={JOB_TITLES.map((value) => ({ value, label: t(`account:jobTitle.${value}`) }))}
              error={form.problem('jobTitle')}
              {...field}
              value={field.value ?? null}
            />
          )}
        />
        <Button type="submit" fullWidth size="md" loading={answer.isPending}>
          {t('survey.verb')}
        </Button>
      </form>
    </AuthPage>
  )
}
