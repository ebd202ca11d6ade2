import type { ReactNode } from 'react'
import classes from './empty-teach.module.css'

type EmptyTeachProps = {
  /** One sentence: what this is for. */
  title: string
  text?: string
  /** Up to three, numbered. */
  steps?: readonly string[]
  action?: ReactNode
  /** A small example: a row, a picture, a snippet. */
  children?: ReactNode
}

/** Instead of an empty screen: what would be here, and how to get it. */
export function EmptyTeach({ title, text, steps = [], action, children }: EmptyTeachProps) {
  return (
    <div className={classes.empty}>
      <p className={classes.title}>{title}</p>
      {text !== undefined && <p className={classes.text}>{text}</p>}
      {steps.length > 0 && (
        <ol className={classes.steps}>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      {children !== undefined && <div className={classes.example}>{children}</div>}
      {action !== undefined && (
        <div className={classes.action} data-first-step>
          {action}
        </div>
      )}
    </div>
  )
}
