import { z } from 'zod'
import { messageKey } from './validation.ts'

// `jitless` is set in `public/boot.js`, before the first schema is made.
z.config({ customError: (issue) => messageKey(issue) })
