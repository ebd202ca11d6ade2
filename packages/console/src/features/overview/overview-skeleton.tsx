import { Skeleton } from '@mantine/core'
import classes from './overview.module.css'

/** The page in its final shape, before the first answer. Appears after a moment only, by its style. */
export function OverviewSkeleton() {
  return (
    <div className={classes.waiting} aria-busy="true">
      <Skeleton height={116} radius="lg" />
      <div className={classes.columns}>
        <Skeleton height={520} radius="lg" />
        <div className={classes.cdns}>
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} height={164} radius="lg" />
          ))}
        </div>
      </div>
    </div>
  )
}
