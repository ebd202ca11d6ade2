import { type ReactNode, useId } from 'react'
import classes from './card.module.css'

type CardProps = {
  title?: string
  /** Muted, right of the title. */
  hint?: ReactNode
  /** At the right end of the head: pill, legend, button. */
  end?: ReactNode
  /** Edge to edge content, such as a table. */
  flush?: boolean
  children: ReactNode
}

/** A white block with hairlines; named when it has a title. */
export function Card({ title, hint, end, flush = false, children }: CardProps) {
  const id = useId()
  return (
    <section className={classes.card} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <div className={classes.head}>
          <h2 className={classes.title} id={id}>
            {title}
          </h2>
          {hint !== undefined && <span className={classes.hint}>{hint}</span>}
          {end !== undefined && <span className={classes.end}>{end}</span>}
        </div>
      )}
      <div className={classes.body} data-flush={flush || undefined} data-headed={title !== undefined || undefined}>
        {children}
      </div>
    </section>
  )
}
