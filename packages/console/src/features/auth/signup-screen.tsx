import { auth, plans } from '@fairway/contract'
import type { CaptchaAnswer, RouteInput } from '@fairway/contract'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { currentLocale } from '../../i18n/i18n.ts'
import { usePartner } from '../../shell/partner.ts'
import { Notice } from '../../ui/page/notice.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { usePrice } from '../billing/use-money.ts'
import { AuthPage } from './auth-page.tsx'
import classes from './auth-page.module.css'
import { CaptchaField } from './captcha-field.tsx'
import { GoogleButton } from './google-button.tsx'

const Fields = auth.routes.register.in.omit({ organizationName: true, captcha: true, setupCode: true, locale: true })
const CAPTCHA_FAILED = 1601

/** Makes an account with an organisation of its own; the letter that follows opens it. */
export function SignupScreen() {
  const { t } = useTranslation(['auth', 'errors', 'validation', 'shell'])
  const navigate = useNavigate()
  const partner = usePartner()
  const { data: offers } = useRead(auth.routes.firstRun, {})
  const trial = useTrialWords()
  const [captcha, setCaptcha] = useState<CaptchaAnswer | null>(null)
  const [captchaProblem, setCaptchaProblem] = useState<string | null>(null)
  const [round, setRound] = useState(0)
  const [googleFailure, setGoogleFailure] = useState<unknown>(null)
  const form = useZodForm(Fields, {
    email: '',
    password: '',
    firstName: '',
    lastName: '',
    product: 'web',
    phoneNumber: undefined,
  })
  const renew = useCallback(() => {
    setCaptcha(null)
    setRound((before) => before + 1)
  }, [])
  const register = useMutation({
    mutationFn: (input: RouteInput<typeof auth.routes.register>) => api(auth.routes.register, input),
    onSuccess: (_, { email }) => navigate({ to: '/verify-email', search: { email } }),
    onError: (error) => {
      renew()
      setCaptchaProblem(error instanceof ApiError && error.code === CAPTCHA_FAILED ? failureText(t, error) : null)
      form.takeFieldErrors(error)
    },
  })
  const submit = form.handleSubmit((input) => {
    if (captcha === null) return setCaptchaProblem(t('validation:required'))
    if (captcha.text !== undefined && !/^[A-Za-z0-9]{4}$/.test(captcha.text.trim()))
      return setCaptchaProblem(t('validation:captcha'))
    setCaptchaProblem(null)
    register.mutate({ ...input, captcha, locale: currentLocale() })
  })
  const answer = useCallback((given: CaptchaAnswer | null) => {
    setCaptcha(given)
    if (given !== null) setCaptchaProblem(null)
  }, [])
  const product = form.watch('product') ?? 'web'
  const failure =
    register.error instanceof ApiError && register.error.code === CAPTCHA_FAILED
      ? null
      : (register.error ?? googleFailure)
  if (partner?.supportSignup === false)
    return (
      <AuthPage
        title={t('signup.closed')}
        text={t('signup.closedText', { name: partner.companyName })}
        below={<Link to="/login">{t('signup.signIn')}</Link>}
      />
    )
  return (
    <AuthPage
      title={t('signup.title')}
      text={trial ?? t('signup.text')}
      below={
        <>
          {t('signup.haveAccount')} <Link to="/login">{t('signup.signIn')}</Link>
        </>
      }
    >
      <form className={classes.form} noValidate onSubmit={submit}>
        {failure !== null && <Notice tone="bad">{failureText(t, failure)}</Notice>}
        <div className={classes.question}>
          <span className={classes.label} id="product">
            {t('signup.product')}
          </span>
          <Segmented
            full
            label={t('signup.product')}
            value={product}
            onChange={(value) => form.setValue('product', value)}
            options={[
              { value: 'web', label: t('signup.web') },
              { value: 'stream', label: t('signup.stream') },
            ]}
          />
        </div>
        <div className={classes.pair}>
          <TextInput
            label={t('firstName')}
            autoComplete="given-name"
            error={form.problem('firstName')}
            {...form.register('firstName')}
          />
          <TextInput
            label={t('lastName')}
            autoComplete="family-name"
            error={form.problem('lastName')}
            {...form.register('lastName')}
          />
        </div>
        <TextInput
          label={t('email')}
          type="email"
          autoComplete="username"
          error={form.problem('email')}
          {...form.register('email')}
        />
        {partner?.signupPhone === true && (
          <TextInput
            label={t('phone')}
            type="tel"
            autoComplete="tel"
            error={form.problem('phoneNumber')}
            {...form.register('phoneNumber', { setValueAs: (text: string) => (text === '' ? undefined : text) })}
          />
        )}
        <PasswordInput
          label={t('password')}
          description={t('passwordHelp')}
          autoComplete="new-password"
          error={form.problem('password')}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          {...form.register('password')}
        />
        <CaptchaField round={round} onRenew={renew} onAnswer={answer} problem={captchaProblem} />
        <Button type="submit" fullWidth size="md" loading={register.isPending}>
          {t('signup.verb')}
        </Button>
      </form>
      {offers?.google === true && (
        <div className={classes.others}>
          <span className={classes.or}>{t('or')}</span>
          <GoogleButton input={{ intent: 'signup', product }} onFailure={setGoogleFailure} />
        </div>
      )}
    </AuthPage>
  )
}

/** What the trial gives, from the plan's own data; null while it is not known, or where the partner shows no prices. */
function useTrialWords(): string | null {
  const { t } = useTranslation('auth')
  const shown = usePartner()?.hideFeature.includes('price') === false
  const { data } = useRead(plans.routes.offers, {}, { enabled: shown })
  const money = usePrice(data?.currency ?? 'USD')
  const plan = data?.data.find(({ category }) => category === 'trial')
  return data && plan
    ? t('signup.trial', { plan: plan.name, credit: money(plan.trialCreditMinor), count: plan.trialDays })
    : null
}
