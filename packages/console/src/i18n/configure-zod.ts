import { validationMessage } from '@fairway/contract'
import { z } from 'zod'

// `jitless` is set in `public/boot.js`, before the first schema is made.
z.config({ customError: (issue) => validationMessage(issue) })
