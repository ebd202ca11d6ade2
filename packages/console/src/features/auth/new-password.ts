import { Password } from '@fairway/contract'
import { z } from 'zod'

/** A new password, typed twice. */
export const NewPassword = z
  .object({ password: Password, confirmPassword: z.string() })
  .refine(({ password, confirmPassword }) => password === confirmPassword, {
    path: ['confirmPassword'],
    message: 'validation.confirmPassword',
  })
