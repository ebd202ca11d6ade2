import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'

/** `open` is the dialog that is open, so that other pages can lead to it. */
export const userProfileRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account/user-profile',
  validateSearch: z.object({
    open: z
      .enum(['password', 'email', 'mfa', 'mfa-off', 'recovery', 'passkey', 'api-key', 'leave', 'close-organization'])
      .optional()
      .catch(undefined),
  }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'UserProfileScreen'),
})
