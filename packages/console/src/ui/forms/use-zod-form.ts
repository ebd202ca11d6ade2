import { zodResolver } from '@hookform/resolvers/zod'
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type Resolver,
  type UseFormReturn,
  get,
  useForm,
} from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { ApiError } from '../../api/api-error.ts'
import { validationText } from '../../i18n/validation.ts'
import { afterPointer } from '../pace/after-pointer.ts'

export type CheckedForm<Fields extends FieldValues> = UseFormReturn<Fields> & {
  /** The sentence that stands under a field, or null. */
  problem: (field: FieldPath<Fields>) => string | null
  /** Puts the API's own findings at their fields; false when it named none of them. */
  takeFieldErrors: (error: unknown) => boolean
}

/**
 * A form checked by a schema of the contract: on leaving a field, then live; on submit the first wrong field gets the
 * focus.
 */
export function useZodForm<Fields extends FieldValues>(
  schema: z.ZodType<unknown, Fields>,
  defaultValues: DefaultValues<Fields>,
): CheckedForm<Fields> {
  return useCheckedForm(zodResolver(schema, undefined, { raw: true }), defaultValues)
}

/**
 * The same with a check of one's own. Messages are keys: `validation.required`, or `code:900104` for the sentence of an
 * error code.
 */
export function useCheckedForm<Fields extends FieldValues>(
  resolver: Resolver<Fields>,
  defaultValues: DefaultValues<Fields>,
): CheckedForm<Fields> {
  const { t } = useTranslation('validation')
  const form = useForm<Fields>({
    resolver: (...asked) => afterPointer().then(() => resolver(...asked)),
    defaultValues,
    mode: 'onTouched',
  })
  const { errors } = form.formState
  return {
    ...form,
    problem: (field) => {
      const message = messageOf(get(errors, field))
      // An empty field needs to be filled in, whatever its rule would say about an empty text.
      return validationText(t, message !== undefined && form.getValues(field) === '' ? 'validation.required' : message)
    },
    takeFieldErrors: (error) => {
      let taken = false
      for (const { path, message } of error instanceof ApiError ? error.fields : []) {
        if (!isField(path, form.getValues())) continue
        form.setError(path, { message })
        taken = true
      }
      return taken
    },
  }
}

function messageOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
    ? error.message
    : undefined
}

function isField<Fields extends FieldValues>(path: string, values: Fields): path is FieldPath<Fields> {
  return path in values
}
