import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'

export const gameDayRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/game-day',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'GameDayScreen'),
})
