import { MfaCode, RecoveryCode, auth } from '@fairway/contract'
import type { RouteInput } from '@fairway/contract'
import { Button, PinInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { api } from '../../api/client.ts'
import { validationText } from '../../i18n/validation.ts'
import { Notice } from '../../ui/page/notice.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'
import { AuthPage } from './auth-page.tsx'
import classes from './auth-page.module.css'
import { OldPassword } from './old-password.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { type PendingStep, forgetStep, pendingStep } from './second-step-store.ts'
import { useSignIn } from './use-sign-in.ts'

const TICKET_PROBLEM = 1575

/** Second step of signing in; whoever has not done the first goes there. */
export function MfaScreen() {
  const navigate = useNavigate()
  const [step] = useState(pendingStep)
  useEffect(() => {
    if (step === null) void navigate({ to: '/login', replace: true })
  }, [step, navigate])
  return step && <SecondStep step={step} />
}

function SecondStep({ step }: { step: PendingStep }) {
  const { t } = useTranslation(['auth', 'errors', 'validation', 'shell'])
  const { goOn, oldPassword } = useSignIn()
  const [way, setWay] = useState<'totp' | 'recovery'>('totp')
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const fail = (error: unknown) => {
    const field = error instanceof ApiError ? error.fields[0]?.message : undefined
    setProblem(validationText(t, field))
    setFailure(field === undefined ? error : null)
    setText('')
  }
  const verify = useMutation({
    mutationFn: (input: RouteInput<typeof auth.routes.secondStep>) => api(auth.routes.secondStep, input),
    onMutate: () => {
      setProblem(null)
      setFailure(null)
    },
    onSuccess: (answer) => goOn(answer, { next: step.next }),
    onError: fail,
  })
  const send = (typed: string) => {
    const parsed = way === 'totp' ? MfaCode.safeParse(typed) : RecoveryCode.safeParse(typed)
    if (!parsed.success)
      return setProblem(
        validationText(
          t,
          typed === '' ? 'validation.required' : way === 'totp' ? 'validation.mfaCode' : 'validation.recoveryCode',
        ),
      )
    verify.mutate({ stepTicket: step.ticket, ...(way === 'totp' ? { code: typed } : { recoveryCode: typed }) })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send(text)
  }
  if (oldPassword) return <OldPassword {...oldPassword} />
  const again = (
    <Link to="/login" onClick={forgetStep}>
      {t('backToSignIn')}
    </Link>
  )
  if (failure instanceof ApiError && failure.code === TICKET_PROBLEM)
    return <AuthPage title={t('mfa.over')} text={failureText(t, failure)} below={again} />
  return (
    <AuthPage title={t('mfa.title')} text={t(`mfa.${way}`)} below={again}>
      <form className={classes.form} noValidate onSubmit={submit}>
        {failure !== null && <Notice tone="bad">{failureText(t, failure)}</Notice>}
        {way === 'totp' ? (
          <div className={classes.codes}>
            <PinInput
              key="totp"
              length={6}
              type="number"
              oneTimeCode
              autoFocus
              size="lg"
              value={text}
              onChange={setText}
              onComplete={send}
              error={problem !== null}
              disabled={verify.isPending}
              getInputProps={(index) => ({ 'aria-label': t('mfa.digit', { number: index + 1 }) })}
              aria-label={t('mfa.code')}
            />
            {problem !== null && (
              <p className={classes.problem} role="alert">
                {problem}
              </p>
            )}
          </div>
        ) : (
          <TextInput
            key="recovery"
            label={t('mfa.recoveryCode')}
            placeholder="XXXX-XXXX-XXXX"
            autoFocus
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={problem}
          />
        )}
        <Button type="submit" fullWidth size="md" loading={verify.isPending}>
          {t('mfa.verb')}
        </Button>
      </form>
      <div className={classes.others}>
        <span className={classes.or}>{t('or')}</span>
        {step.methods.includes('passkey') && (
          <PasskeyButton
            stepTicket={step.ticket}
            remember={false}
            onDone={(answer) => void goOn(answer, { next: step.next })}
            onFailure={(error) => error !== null && fail(error)}
          />
        )}
        {step.methods.includes('recovery') && (
          <Button
            variant="default"
            fullWidth
            size="md"
            onClick={() => {
              setWay(way === 'totp' ? 'recovery' : 'totp')
              setText('')
              setProblem(null)
            }}
          >
            {t(way === 'totp' ? 'mfa.useRecovery' : 'mfa.useTotp')}
          </Button>
        )}
      </div>
    </AuthPage>
  )
}
