import { LIMITS, isDeclineCode, isErrorCode } from '@fairway/contract'
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, SandboxRefusal } from '../../api/api-error.ts'
import { AskForHelp } from '../marks/ask-for-help.tsx'
import classes from './snackbar.module.css'

/** What a wait is said to be when the answer does not tell. */
const A_FEW_MINUTES = 15

type Snack = { message: string; tone?: 'plain' | 'bad'; undo?: () => void; more?: ReactNode }

/** The snackbar that each subject has now. */
const shown = new Map<string, string>()
let counter = 0

function hide(subject: string): void {
  notifications.hide(shown.get(subject) ?? '')
  shown.delete(subject)
}

/** Says something that has no place on the page. One per subject: a newer one replaces the older. */
export function useSnackbar(): (subject: string, snack: Snack) => void {
  const { t } = useTranslation('shell')
  return (subject, { message, tone = 'plain', undo, more }) => {
    hide(subject)
    // Under the id of the one before, it would go when that one's time is over, and its Undo with it.
    const id = `${subject} ${counter++}`
    shown.set(subject, id)
    notifications.show({
      id,
      autoClose: LIMITS.snackbarMs,
      withBorder: false,
      closeButtonProps: { 'aria-label': t('close') },
      classNames: { root: classes.root, description: classes.words, closeButton: classes.close },
      'data-tone': tone,
      role: tone === 'bad' ? 'alert' : 'status',
      message: (
        <>
          <span className={classes.text}>{message}</span>
          {more}
          {undo && (
            <Button
              className={classes.undo}
              variant="subtle"
              size="xs"
              onClick={() => {
                notifications.hide(id)
                undo()
              }}
            >
              {t('undo')}
            </Button>
          )}
        </>
      ),
    })
  }
}

/** Shows why something failed, in the words of its code. */
export function useReportFailure(): (subject: string, error: unknown) => void {
  const { t } = useTranslation('errors')
  const show = useSnackbar()
  return (subject, error) =>
    show(subject, { message: failureText(t, error), tone: 'bad', more: <AskForHelp error={error} /> })
}

/**
 * The sentence for an error; unknown codes get one kind sentence with the id to quote. `t` must know the catalog
 * `errors`.
 */
export function failureText(t: TFunction<'errors'>, error: unknown): string {
  if (error instanceof SandboxRefusal) return t('shell:sandboxRefused')
  if (!(error instanceof ApiError)) return t('errors:errorMessage.unknown')
  if (error.code === 0) return t('errors:errorMessage.noAnswer')
  if (error.declineCode !== null && isDeclineCode(error.declineCode))
    return t(`errors:errorMessage.${error.declineCode}`)
  const text = isErrorCode(error.code)
    ? t(`errors:errorMessage.${error.code}`, { minutes: A_FEW_MINUTES, ...error.params })
    : t('errors:errorMessage.unknown')
  if (INCOMPATIBLE.has(error.code)) return withSettings(t, text, error)
  return error.code >= 500 && error.code < 600 && error.requestId !== null
    ? t('errors:withRequestId', { text, id: error.requestId })
    : text
}

/** The CDN and the domain do not fit: which of the domain's settings it is, is told. */
const INCOMPATIBLE: ReadonlySet<number> = new Set([27020, 27046])
const SETTINGS = [
  'name',
  'settings.websocket',
  'origin.address',
  'origin.hostHeader',
  'origin.protocol',
  'origin.port',
] as const

function withSettings(t: TFunction<'errors'>, text: string, { fields }: ApiError): string {
  const named = SETTINGS.filter((path) => fields.some((field) => field.path === path))
  if (named.length === 0) return text
  const settings = named.map((path) => t(`errors:against.${path}`)).join(t('errors:settingSeparator'))
  return t('errors:withSettings', { text, settings })
}
