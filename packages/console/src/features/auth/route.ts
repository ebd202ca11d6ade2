import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { rootRoute } from '../../shell/layouts/layout-routes.tsx'

const WithToken = z.object({ token: z.string().optional().catch(undefined) })

export const signupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/signup',
  component: lazyRouteComponent(() => import('./signup-screen.tsx'), 'SignupScreen'),
})
export const mfaVerifyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mfa-verify',
  component: lazyRouteComponent(() => import('./mfa-screen.tsx'), 'MfaScreen'),
})
export const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./forgot-password-screen.tsx'), 'ForgotPasswordScreen'),
})
export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  validateSearch: WithToken,
  component: lazyRouteComponent(() => import('./reset-password-screen.tsx'), 'ResetPasswordScreen'),
})
export const verifyEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verify-email',
  validateSearch: WithToken.extend({ email: z.string().max(254).optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('./verify-email-screen.tsx'), 'VerifyEmailScreen'),
})
export const verifyInviteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verify-invite-email',
  validateSearch: WithToken,
  component: lazyRouteComponent(() => import('./invite-screen.tsx'), 'InviteScreen'),
})
export const googleCallbackRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/oauth/google-callback',
  component: lazyRouteComponent(() => import('./google-callback-screen.tsx'), 'GoogleCallbackScreen'),
})
export const surveyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/survey',
  component: lazyRouteComponent(() => import('./survey-screen.tsx'), 'SurveyScreen'),
})
