import { useRouterState } from '@tanstack/react-router'
import classes from './loading-bar.module.css'

/** A thin line while the next screen loads. It waits 200 ms by itself, so quick changes never show it. */
export function LoadingBar() {
  const isLoading = useRouterState({ select: ({ status }) => status === 'pending' })
  return isLoading ? <div className={classes.bar} aria-hidden /> : null
}
